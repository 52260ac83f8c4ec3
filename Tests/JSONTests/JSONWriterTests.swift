import JSON
import Testing

@Suite struct JSONWriterTests {
  static let written: [(JSON, String)] = [
    (JSON.null, "null"),
    (.bool(true), "true"),
    (.bool(false), "false"),
    (.integer(.min), "-9223372036854775808"),
    (.bigInteger("123456789012345678901"), "123456789012345678901"),
    (.double(0.1), "0.1"),
    (.double(1), "1.0"),
    (.double(1e300), "1e+300"),
    (.double(.leastNonzeroMagnitude), "5e-324"),
    (.double(.infinity), "null"),
    (.double(-.infinity), "null"),
    (.double(.nan), "null"),
    (.string(""), "\"\""),
    (.string("a\"b\\c"), #""a\"b\\c""#),
    (.string("\n\r\t\u{08}\u{0C}"), #""\n\r\t\b\f""#),
    (.string("\u{00}\u{1F}\u{7F}"), "\"\\u0000\\u001f\u{7F}\""),
    (.string("/é\u{2028}😀"), "\"/é\u{2028}😀\""),
    (.array([]), "[]"),
    (.object([]), "{}"),
    (.array([1, .array(["a"]), .object([])]), #"[1,["a"],{}]"#),
    (["b": 1, "a": .array([true, nil])], #"{"b":1,"a":[true,null]}"#),
    (.object([.init("a", 1), .init("a", 2)]), #"{"a":1,"a":2}"#),
    (["k\"": "v"], #"{"k\"":"v"}"#),
  ]

  @Test(arguments: written)
  func valuesAreWrittenCompactly(value: JSON, expected: String) {
    #expect(value.text == expected)
  }

  @Test func bytesAreAppendedToWhatIsThere() {
    var bytes = Array("x".utf8)
    JSON.array([1]).write(to: &bytes)
    #expect(bytes == Array("x[1]".utf8))
  }

  @Test(arguments: [
    #"{"a":[1,-2,3.5,"x\u0000y",null,true,{"b":{}}],"c":18446744073709551616}"#,
    "[0.1,1e-7,123456789.125,-0.5]",
  ])
  func whatIsWrittenReadsBackAsTheSame(text: String) throws {
    let value = try JSON.parse(text)
    #expect(try JSON.parse(value.text) == value)
  }

  @Test func deepValuesAreWrittenWithoutRecursion() {
    var value = JSON.array([])
    for _ in 0..<2_000 { value = .array([value]) }
    #expect(value.text.utf8.count == 4_002)
  }
}
