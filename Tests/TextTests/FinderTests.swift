import Testing

@testable import Text

@Suite struct FinderTests {
  private func found(_ finder: TextFinder?, in text: String) -> [String]? {
    finder.map { finder in
      finder.ranges(in: text).map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }
  }

  @Test(arguments: [
    ("an", "Banana AN", false, ["an", "an", "AN"]), ("an", "Banana AN", true, ["an", "an"]),
    ("AN", "Banana AN", true, ["AN"]), ("aa", "aaaaa", false, ["aa", "aa"]),
    ("größe", "Die GRÖSSE, Größe", false, ["Größe"]), ("行", "日本語の行も行", false, ["行", "行"]),
    ("x", "", false, []), ("é", "caf\u{E9} É", false, ["é", "É"]),
    ("a.b", "a.b axb", false, ["a.b"]),
    ("日本", "x日本語 日本", true, ["日本", "日本"]),
  ])
  func wordsAreFound(word: String, text: String, matchesCase: Bool, expected: [String]) {
    #expect(found(TextFinder(words: [word], matchesCase: matchesCase), in: text) == expected)
  }

  @Test func severalWordsMakeRangesThatDoNotOverlap() {
    let finder = TextFinder(words: ["abc", "bcd", "x"])
    #expect(finder?.ranges(in: "abcd x") == [0..<4, 5..<6])
    #expect(TextFinder(words: ["", ""]) == nil)
  }

  @Test(arguments: [
    ("a+b", "xaab ab b", ["aab", "ab"]), ("a*", "baab", ["aa"]),
    ("^one|two$", "one two one two", ["one", "two"]),
    ("c[aou]t", "cat cot cit cut", ["cat", "cot", "cut"]),
    ("[^a-c ]+", "abcde fgh", ["de", "fgh"]),
    ("\\d{2,4}", "1 22 333 55555", ["22", "333", "5555"]),
    ("\\bcat\\b", "cat concat cat.", ["cat", "cat"]),
    ("(?:ab)+c?", "ababc ab", ["ababc", "ab"]), ("a.c", "abc a\nc aäc", ["abc", "aäc"]),
    ("\\w+@\\w+", "mail ko@example now", ["ko@example"]), ("x{0}y", "xy", ["y"]),
    ("a??b", "ab", ["ab"]),
    ("<.+?>", "<a><b>", ["<a>", "<b>"]), ("<.+>", "<a><b>", ["<a><b>"]),
    ("[]x]", "a]x", ["]", "x"]),
    ("\\.", "a.b", ["."]), ("{x", "{x", ["{x"]), ("日+", "日日本", ["日日"]),
    ("ÄRGER", "Ärger", ["Ärger"]),
    ("(a|ab)(c|bcd)", "abcd", ["abcd"]),
  ])
  func patternsAreFound(pattern: String, text: String, expected: [String]) {
    #expect(found(TextFinder(pattern: pattern), in: text) == expected)
  }

  @Test(arguments: [
    "(", ")", "a)", "[a", "*a", "a**b**(", "\\", "a{3,1}", "(((a{100}){100}){100})", "", "[z-a]",
    "?",
  ])
  func whatIsNoPatternIsRefused(pattern: String) {
    #expect(TextFinder(pattern: pattern) == nil)
  }

  /// Patterns on which a backtracking matcher takes for ever.
  @Test(arguments: ["(a*)*b", "(a|aa)+$b", "(a?){30}a{30}", "(.*)*(.*)*x", "((a+)+)+!"])
  func noPatternTakesForEver(pattern: String) {
    let finder = TextFinder(pattern: pattern)
    let text = String(repeating: "a", count: 5_000)
    #expect(finder != nil)
    #expect((finder?.ranges(in: text, most: 1).count ?? 9) <= 1)
  }
}
