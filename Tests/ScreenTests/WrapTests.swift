import Testing
import Text

@testable import Screen

@Suite struct WrapTests {
  @Test(arguments: [
    ("", 5, [""]),
    ("one two three", 7, ["one two", "three"]),
    ("one two three", 8, ["one two", "three"]),
    ("one   two", 4, ["one", "two"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
    ("see abcdefghij", 6, ["see", "abcdef", "ghij"]),
    ("    code here", 8, ["    code", "here"]),
    ("a\n\nb\n\n", 9, ["a", "", "b"]),
    // A wide cluster moves whole, and a flag is one.
    ("日本語", 5, ["日本", "語"]),
    ("日本語", 4, ["日本", "語"]),
    ("x日本語", 4, ["x日", "本語"]),
    ("x🇦🇺🇻🇳", 4, ["x🇦🇺", "🇻🇳"]),
    ("ab 日本", 5, ["ab 日", "本"]),
    // A closing mark stays with what it closes.
    ("日本語。", 6, ["日本", "語。"]),
    // In a single column a wide cluster counts one; it is drawn as a stand-in.
    ("女", 1, ["女"]),
    ("👉👉👉", 1, ["👉", "👉", "👉"]),
    ("ab", 0, ["a", "b"]),
  ]) func aTextIsCutIntoRows(text: String, width: Int, rows: [String]) {
    #expect(wrap(text, width: width) == WrappedText(rows: rows, hiddenRows: 0))
  }

  @Test func rowsBeyondTheMostAreCountedOnly() {
    let text = String(repeating: "x", count: 65)
    #expect(
      wrap(text, width: 10, most: 2)
        == WrappedText(rows: ["xxxxxxxxxx", "xxxxxxxxxx"], hiddenRows: 5))
  }

  @Test(arguments: 1...5) func anythingEndsAtAnyWidth(width: Int) {
    var dice = Dice(seed: UInt64(width))
    for _ in 0..<300 {
      let text = dice.text(length: dice.below(40))
      let safe = UntrustedText(text).safe(for: .block)
      let rows = wrap(safe, width: width).rows
      #expect(!rows.isEmpty)
      for row in rows {
        let wanted = clusters(of: row).reduce(0) { $0 + min($1.width, width) }
        #expect(wanted <= width, "“\(row)”")
      }
      let lines = safe.split(separator: "\n")
      let before = lines.flatMap { clusters(of: String($0)) }.filter { !$0.text.hasPrefix(" ") }
      let after = rows.flatMap { clusters(of: $0) }.filter { !$0.text.hasPrefix(" ") }
      #expect(before == after)
    }
  }

  @Test(arguments: [
    ("short", 5, "short"), ("longer", 5, "long…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
    ("—日本語—", 5, "—日…"), ("x", 0, ""), ("xy", 1, "…"),
  ]) func aTextIsCutByColumns(text: String, width: Int, expected: String) {
    #expect(cut(text, to: width) == expected)
    #expect(columns(of: cut(text, to: width)) <= width)
  }
}

/// Repeatable chance for the tests of this folder.
struct Dice {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(1, bound)))
  }

  mutating func text(length: Int) -> String {
    let units = [
      "a", "b", " ", " ", "\n", "女", "語", "👉", "🇦🇺", "e\u{301}", "\u{301}", "\t", "\u{202E}",
      "\r", "\u{1B}[0m", "👩\u{200D}👧", "\u{200B}", "क्षि", "\u{378}", "longerword", "。", "\u{7}",
    ]
    return (0..<length).map { _ in units[below(units.count)] }.joined()
  }
}
