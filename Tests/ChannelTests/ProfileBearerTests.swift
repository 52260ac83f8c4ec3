import Channel
import JSON
import Testing

@Suite struct ProfileBearerTests {
  @Test(arguments: [
    ("s3cret", "s3cret"), ("s3cret\n", "s3cret"), ("s3cret\r\nmore", "s3cret"),
    ("  s3cret\t\nx", "s3cret"), ("a b", "a b"), ("eyJ.x-_~+/=", "eyJ.x-_~+/="),
  ])
  func theFirstLineIsTheToken(text: String, secret: String) {
    #expect(Bearer(firstLineOf: text)?.secret == secret)
  }

  @Test(arguments: [
    "", "\n", "\ns3cret", "  \t\n", "a\u{0}b", "a\u{7F}", "tökén", "a\u{1B}[0m", "\u{FEFF}s",
    String(repeating: "x", count: 65_537),
  ])
  func whatNoHeaderMayCarryIsNoToken(text: String) {
    #expect(Bearer(firstLineOf: text) == nil)
  }

  @Test func theTokenIsNeverShown() throws {
    let bearer = try #require(Bearer(firstLineOf: "hunter2"))
    var dumped = ""
    dump(bearer, to: &dumped)
    for shown in ["\(bearer)", String(reflecting: bearer), String(describing: [bearer]), dumped] {
      #expect(!shown.contains("hunter2"))
    }
  }

  @Test func theTokenFillsItsPlaceInTexts() throws {
    let bearer = try #require(Bearer(firstLineOf: "T"))
    #expect(bearer.filled(into: "Bearer {token}") == "Bearer T")
    #expect(bearer.filled(into: "{token}{token}é{tok") == "TTé{tok")
    let payload: JSON = ["headers": ["Authorization": "Bearer {token}", "x": 1]]
    #expect(
      bearer.filled(into: payload).text == #"{"headers":{"Authorization":"Bearer T","x":1}}"#)
  }

  @Test func aTokenThatHoldsThePlaceholderIsFilledInOnce() throws {
    let bearer = try #require(Bearer(firstLineOf: "a{token}b"))
    #expect(bearer.filled(into: "{token}") == "a{token}b")
  }
}
