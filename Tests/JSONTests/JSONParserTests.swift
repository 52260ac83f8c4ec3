import JSON
import Testing

@Suite struct JSONParserTests {
  @Test(arguments: [
    ("null", JSON.null),
    (" true ", .bool(true)),
    ("\r\n\tfalse\n", .bool(false)),
    ("0", .integer(0)),
    ("-1", .integer(-1)),
    ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .bigInteger("9223372036854775808")),
    ("-9223372036854775809", .bigInteger("-9223372036854775809")),
    (
      "123456789012345678901234567890 ", .bigInteger("123456789012345678901234567890")
    ),
    ("1.5", .double(1.5)),
    ("1e3", .double(1000)),
    ("-2.5E-1", .double(-0.25)),
    ("\"\"", .string("")),
    (#""a\"b\\c\/d\b\f\n\r\t""#, .string("a\"b\\c/d\u{08}\u{0C}\n\r\t")),
    (#""\u0041\u00e9\u20AC\ud83d\ude00\u0000""#, .string("Aé€😀\u{0}")),
    ("\"é€😀\u{2028}\"", .string("é€😀\u{2028}")),
    ("[]", .array([])),
    ("[[],{}]", .array([.array([]), .object([])])),
    ("[1, 2 ,3]", .array([1, 2, 3])),
    (
      #"{"a":1,"b":{"c":[null]}}"#,
      .object([
        JSON.Member("a", 1), JSON.Member("b", .object([JSON.Member("c", .array([.null]))])),
      ])
    ),
  ])
  func whatIsValidIsRead(text: String, expected: JSON) throws {
    #expect(try JSON.parse(text) == expected)
  }

  /// The grammar allows them, and JavaScript writes them.
  @Test(
    arguments: [
      (#""\ud800""#, .string("\u{FFFD}")), (#""\uDC00""#, .string("\u{FFFD}")),
      (#""a\ud800\u0041""#, .string("a\u{FFFD}A")),
      (#""\ud83d\ud83d\ude00""#, .string("\u{FFFD}😀")),
      (#""\\ud800\ud800""#, .string(#"\ud800"# + "\u{FFFD}")),
      (#""cut \ud83d"# + "\"", .string("cut \u{FFFD}")),
      (
        #"{"\udfff":["1e400",1e400,-1E+999,1.5,2]}"#,
        .object([
          JSON.Member("\u{FFFD}", .array([.string("1e400"), .null, .null, .double(1.5), 2]))
        ])
      ),
    ] as [(String, JSON)])
  func halvesOfPairsAndNumbersBeyondADoubleCostNothingElse(text: String, expected: JSON) throws {
    #expect(try JSON.parse(text) == expected)
  }

  @Test(arguments: [#""\ud800"#, #"[1e400"#, #"{"a":"\ud800"#, #""\ud80""#, #"["\ud800",]"#])
  func whatIsNoJSONBesideThemIsRefused(text: String) {
    #expect(throws: JSONError.self) { try JSON.parse(text) }
  }

  @Test func aKeyThatStandsTwiceIsKeptTwiceAndTheLastOneIsFound() throws {
    let value = try JSON.parse(#"{"a":1,"b":2,"a":3}"#)
    #expect(value.members == [.init("a", 1), .init("b", 2), .init("a", 3)])
    #expect(value["a"] == 3)
  }

  @Test(arguments: [
    "", " ", "\n", "nul", "nulll", "truex", "True", "tru", "01", "-", "+1", "1.", ".5", "1e", "1e+",
    "0x10", "--1", "1-", "1.5.2", "NaN", "Infinity", "\"", "\"a", "\"\\x\"",
    "\"\\u12\"", "\"\\u12g4\"", "\"\u{01}\"",
    "\"a\nb\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1] 2", "1 2", "1,2",
    "],[", "1],[2", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}",
    "{\"a\":1 \"b\":2}", "{1:2}", "{\"a\":1}}", "[}", "{]", "[1}", "{\"a\":1]", "[1],", "null null",
    "// a\n1", "\u{FEFF}1", "[\"a\":1]", "{\"a\",1}", "[true false]", "\"a\"\"b\"", "[null,nul]",
    "{\"a\":nul}", "[1,,2]", ":", ",", "[:]", "{\"a\"::1}",
  ])
  func whatIsNoJSONIsRefusedWithASentence(text: String) {
    let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x80],
    ] as [[UInt8]])
  func bytesThatAreNoUTF8AreRefused(bytes: [UInt8]) {
    #expect(throws: JSONError(message: "The JSON is not valid UTF-8.")) {
      try JSON.parse(bytes.span.bytes)
    }
  }

  @Test func aZeroByteIsNoWhiteSpace() {
    #expect(throws: JSONError.self) { try JSON.parse([0x31, 0x00].span.bytes) }
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func nestingIsReadDownToTheBoundAndNotBelow(open: String, close: String) throws {
    let innermost = "1"
    func nested(_ depth: Int) -> String {
      String(repeating: open, count: depth) + innermost + String(repeating: close, count: depth)
    }
    _ = try JSON.parse(nested(128))
    #expect(throws: JSONError.self) { try JSON.parse(nested(129)) }
    _ = try JSON.parse(nested(3), depth: 3)
    #expect(throws: JSONError.self) { try JSON.parse(nested(4), depth: 3) }
    _ = try JSON.parse(nested(JSON.deepest), depth: .max)
    #expect(throws: JSONError.self) { try JSON.parse(nested(JSON.deepest + 1), depth: .max) }
    #expect(try JSON.parse("1", depth: 0) == 1)
    #expect(throws: JSONError.self) { try JSON.parse("[]", depth: -1) }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func tenThousandOpenBracketsAreAnErrorAndNoCrash(open: String) {
    let text = String(repeating: open, count: 10_000)
    #expect(throws: JSONError.self) { try JSON.parse(text) }
  }

  @Test func aMebibyteOfStringIsRead() throws {
    let long = String(repeating: "ü", count: 1 << 19)
    #expect(try JSON.parse("[\"\(long)\"]")[0]?.string == long)
  }

  @Test func theParserIsUsableAfterAnError() throws {
    #expect(throws: JSONError.self) { try JSON.parse("[[[") }
    #expect(try JSON.parse("[[[]]]") == .array([.array([.array([])])]))
  }

  @Test func theOffsetPointsIntoTheText() {
    let error = #expect(throws: JSONError.self) { try JSON.parse("[1, 2, tru]") }
    #expect(error?.offset.map { (7...10).contains($0) } == true)
  }

  @Test func aValueInTheMiddleOfTheBytesIsReadWithoutItsNeighbours() throws {
    let bytes = Array("xx[1]yy".utf8)
    let value = try JSON.parse(bytes.span.bytes.extracting(2..<5))
    #expect(value == [1])
  }
}
