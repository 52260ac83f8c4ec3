import JSON
import TOML
import Testing

@Suite struct TOMLParserTests {
  @Test func aDocumentBecomesTheJSONOfTheSameShapeInTheOrderOfTheFile() throws {
    let document = try TOMLDocument.parse(
      """
      # a comment
      zeta = "z"
      alpha = 1

      [server]
      url = 'ws://127.0.0.1/'
      ports = [ 80,
        443 ]
      nested.key = true

      [[themes]]
      name = "one"
      [[themes]]
      name = "two"
      weight = 1.5
      """)
    let expected: JSON = [
      "zeta": "z",
      "alpha": 1,
      "server": [
        "url": "ws://127.0.0.1/", "ports": .array([80, 443]), "nested": ["key": true],
      ],
      "themes": .array([["name": "one"], ["name": "two", "weight": 1.5]]),
    ]
    #expect(document.root == expected)
  }

  @Test func everyKeyHasItsLine() throws {
    let document = try TOMLDocument.parse(
      "a = 1\n\n[b]\nc = 2\nd.e = 3\n\n[[f]]\ng = 4\n[[f]]\ng = [\n  5,\n  6 ]\n")
    #expect(document.line(of: ["a"]) == 1)
    #expect(document.line(of: ["b"]) == 3)
    #expect(document.line(of: ["b", "c"]) == 4)
    #expect(document.line(of: ["b", "d", "e"]) == 5)
    #expect(document.line(of: ["f", "0", "g"]) == 8)
    #expect(document.line(of: ["f", "1", "g"]) == 10)
    #expect(document.line(of: ["f", "1", "g", "1"]) == 12)
    #expect(document.line(of: ["missing"]) == nil)
  }

  @Test(arguments: [
    ("1979-05-27T07:32:00Z", "1979-05-27T07:32:00Z"),
    ("1979-05-27T00:32:00.5-07:00", "1979-05-27T00:32:00.5-07:00"),
    ("1979-05-27 07:32:00", "1979-05-27T07:32:00"),
    ("1979-05-27", "1979-05-27"),
    ("07:32:00", "07:32:00"),
  ])
  func datesAndTimesBecomeStrings(value: String, expected: String) throws {
    let document = try TOMLDocument.parse("when = \(value)")
    #expect(document.root["when"]?.string == expected)
  }

  @Test func numbersKeepTheirKind() throws {
    let document = try TOMLDocument.parse(
      "a = 9223372036854775807\nb = -9223372036854775808\nc = 0x1F\nd = 1e3\ne = inf\nf = 1_000")
    #expect(document.root["a"] == .integer(.max))
    #expect(document.root["b"] == .integer(.min))
    #expect(document.root["c"] == .integer(31))
    #expect(document.root["d"] == .double(1000))
    #expect(document.root["e"] == .double(.infinity))
    #expect(document.root["f"] == .integer(1000))
  }

  @Test func stringsOfAllFourKindsAreRead() throws {
    let document = try TOMLDocument.parse(
      "a = \"x\\u00e9\\n\"\nb = 'c:\\x'\nc = \"\"\"\none\ntwo\"\"\"\nd = '''\n\"'''\ne = 1\n")
    #expect(document.root["a"] == "xé\n")
    #expect(document.root["b"] == "c:\\x")
    #expect(document.root["c"] == "one\ntwo")
    #expect(document.root["d"] == "\"")
    #expect(document.line(of: ["e"]) == 8)
  }

  @Test func anEmptyTextIsAnEmptyTable() throws {
    #expect(try TOMLDocument.parse("").root == .object([]))
    #expect(try TOMLDocument.parse("# only words\n").root == .object([]))
  }

  @Test(arguments: [
    ("a = 1\nb = \n", 2),
    ("a = 1\n\na = 2\n", 3),
    ("[a]\nb = \"open\nc = 1\n", 2),
    ("a = 1\n[a]\n", 2),
    ("x y = 1", 1),
    ("a = 99999999999999999999", 1),
    ("\n\n= 1", 3),
    ("é = 1", 1),
    ("a = é", 1),
    ("a = ]", 1),
    ("a = ,", 1),
    ("a = }", 1),
    ("a = # nothing", 1),
    ("a = [1,\n}]", 2),
    ("a = {b = ,}", 1),
  ])
  func whatIsWrongIsToldWithItsLine(text: String, line: Int) {
    let error = #expect(throws: TOMLError.self) { try TOMLDocument.parse(text) }
    #expect(error?.line == line)
    #expect(error?.message.hasSuffix(".") == true)
    #expect(error?.message.first?.isLowercase == false)
  }

  @Test func aTextBeyondTheLimitIsRefused() {
    let text = "a = \"" + String(repeating: "x", count: TOMLDocument.largest) + "\""
    #expect(throws: TOMLError.self) { try TOMLDocument.parse(text) }
  }

  @Test func aTextOfTheLimitIsRead() throws {
    let text = "a = \"" + String(repeating: "x", count: TOMLDocument.largest - 6) + "\""
    #expect(try TOMLDocument.parse(text).root["a"]?.string?.utf8.count == (1 << 20) - 6)
  }

  static let deep: [String] = [
    "a = " + String(repeating: "[", count: 10_000),
    "a = " + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
    "a = " + String(repeating: "{a=", count: 10_000),
    "[" + String(repeating: "a.", count: 100_000) + "a]",
    "[[" + String(repeating: "a . ", count: 100_000) + "a]]",
    String(repeating: "a.", count: 100_000) + "a = 1",
    String(repeating: "\"a\".", count: 100_000) + "a = 1",
    "a = "
      + String(repeating: "{" + String(repeating: "a.", count: 30) + "a=", count: 60)
      + "1" + String(repeating: "}", count: 60),
  ]

  @Test(arguments: deep.indices)
  func deepNestingIsAnErrorAndNoCrash(index: Int) {
    #expect(throws: TOMLError.self) { try TOMLDocument.parse(Self.deep[index]) }
  }

  @Test func dotsInStringsCommentsAndNumbersAreNoKeys() throws {
    let dots = String(repeating: ".", count: 500)
    let numbers = String(repeating: "1.5, ", count: 200)
    let document = try TOMLDocument.parse(
      "# \(dots)\na = \"\(dots)\\\"\(dots)\"\nb = '\(dots)'\nc = '''\n\(dots)'\(dots)\n'''\n"
        + "d = \"\"\"\(dots)\"\"\"\ne = [\(numbers)]\n")
    #expect(document.root["a"]?.string == dots + "\"" + dots)
    #expect(document.root["e"]?.array?.count == 200)
  }
}
