import Testing
import Text

@Suite struct SanitiserTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("\u{1B}[2J\u{1B}]0;owned\u{7}", "␛[2J␛]0;owned␇"),
    ("a\u{7F}b\u{0}c", "a␡b␀c"),
    ("ok \u{202E}gnp.exe", "ok gnp.exe"),
    ("\u{061C}\u{200E}\u{200F}\u{202A}\u{2066}x\u{2069}", "x"),
    ("a\u{9B}31mb\u{85}c", "a31mbc"),
    ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
    ("one\u{2028}two\u{2029}three", "one\ntwo\nthree"),
    ("\r\n\r\n", "\n\n"),
    ("a\tb", "a       b"),
    ("12345678\tb", "12345678        b"),
    ("日本\tb\n\tc", "日本    b\n        c"),
    ("one \u{200B}two \u{FEFF}three", "one two three"),
    ("\u{200B}", ""),
    ("flag \u{1F3F4}\u{E0067}\u{E0062}\u{E007F}!", "flag 🏴!"),
    ("\u{FFF9}a\u{FFFA}b\u{FFFB}", "ab"),
    ("e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "e\u{301}\u{302}\u{303}\u{304}"),
    ("👩\u{200D}\u{200D}\u{200D}👧", "👩\u{200D}👧"),
  ]) func aBlockOfTheScreenIsMadeSafe(raw: String, safe: String) {
    // Scalars, since == of strings would not tell "\r\n" from what looks alike.
    let result = UntrustedText(raw).safe(for: .block)
    #expect(Array(result.unicodeScalars) == Array(safe.unicodeScalars))
  }

  @Test(arguments: [
    (Sink.line, "a\nb\tc", "a b     c"), (.title, "a\r\nb\tc", "a b c"),
    (.log, "a\nb", "a␊b"), (.plainOutput, "a\r\nb", "a\nb"), (.nick, " \u{3000}bob\t ", "bob"),
    (.nick, "\u{202E}bob", "bob"), (.nick, "a\nb", "a b"), (.nick, "   ", ""),
  ]) func everySinkHasItsOwnLineBreak(sink: Sink, raw: String, safe: String) {
    #expect(UntrustedText(raw).safe(for: sink) == safe)
  }

  @Test func aNickHasAtMost64Clusters() {
    let long = String(repeating: "é", count: 100)
    #expect(UntrustedText(long).safe(for: .nick) == String(repeating: "é", count: 63) + "…")
    #expect(UntrustedText(String(repeating: "x", count: 64)).safe(for: .nick).count == 64)
  }

  @Test(arguments: ["x", "é", "日", "👩\u{200D}👧", "\n"])
  func aLongTextEndsInAnEllipsis(unit: String) {
    let text = UntrustedText(String(repeating: unit, count: 200))
    let safe = text.safe(for: .block, limit: 50)
    #expect(safe == String(repeating: unit, count: 49) + "…")
    #expect(text.safe(for: .block, limit: 200) == text.raw)
    #expect(text.safe(for: .block, limit: 0) == "")
  }

  @Test func hiddenCharactersWithoutEndCostNothing() {
    let text = UntrustedText(String(repeating: "\u{200B}", count: 1_000_000) + "x")
    #expect(text.safe(for: .block, limit: 10) == "…")
  }

  @Test func eightyThousandLettersAreCutAtTheLimit() {
    let safe = UntrustedText(String(repeating: "x", count: 80_000)).safe(for: .block)
    #expect(safe.utf8.count == 65_535 + 3)
  }

  @Test func anInterpolationByMistakeIsSafe() {
    #expect("\(UntrustedText("a\u{1B}b"))" == "a␛b")
  }

  @Test func noControlCharacterSurvivesWhateverComes() {
    for value in UInt32(0)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let safe = UntrustedText("a\(scalar)b").safe(for: .line)
      let isClean = safe.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control
          && !$0.properties.isBidiControl
      }
      #expect(isClean, "U+\(String(value, radix: 16))")
    }
  }
}
