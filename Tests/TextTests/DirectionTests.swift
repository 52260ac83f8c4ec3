import Testing
import Text

/// Text that is written from right to left, and what is put around it. Report 20 of the research.
@Suite struct DirectionTests {
  @Test(arguments: [
    ("hello", false), ("日本語 🙂 é", false), ("שלום", true), ("مرحبا", true), ("a ב", true),
    ("١٢٣", true), ("123", false), ("\u{07C0}", true), ("", false),
  ])
  func lettersOfTheseScriptsAreFound(text: String, isFound: Bool) {
    #expect(holdsRightToLeft(text) == isFound)
  }

  @Test func theFirstLetterSaysTheDirection() {
    #expect(firstDirection(of: "12: שלום abc") == .rightToLeft)
    #expect(firstDirection(of: "- abc שלום") == .leftToRight)
    #expect(firstDirection(of: "12 !?") == nil)
  }

  @Test(arguments: [
    ("2 #רון +3", ["רון"]), ("רון and דנה are typing", ["רון", "דנה"]),
    ("רון, דנה (2)", ["רון, דנה"]),
    ("חדר5 5", ["חדר5"]), ("abc", []), ("שלום", ["שלום"]), ("عربي · 14", ["عربي"]),
  ])
  func namesAreFoundWithoutTheSignsAroundThem(text: String, runs: [String]) {
    let found = clusters(of: text)
    #expect(
      rightToLeftRuns(of: found).map { found[$0].map(\.text).joined() } == runs)
  }

  @Test func aLineKeepsThemApart() {
    #expect(isolated("plain") == "plain")
    #expect(isolated("שלום!") == "\u{2068}שלום!\u{2069}")
  }
}
