import JSON
import Testing

@Suite struct JSONTextTests {
  private func member(_ name: String, of text: String) -> String? {
    let bytes = Array(text.utf8)
    return JSONText.member(name, in: bytes.span.bytes).map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
  }

  private func indented(_ text: String) -> String {
    String(decoding: JSONText.indented(Array(text.utf8).span.bytes), as: UTF8.self)
  }

  @Test(arguments: [
    (
      #"{"id":"1","payload":{"data":{"n":12345678901234567890.10e+2}}}"#,
      #"{"data":{"n":12345678901234567890.10e+2}}"#
    ),
    (#" { "payload" : [1 , {"a":"]}\"\\"}] , "x":null}"#, #"[1 , {"a":"]}\"\\"}]"#),
    (#"{"payload":-0.0}"#, "-0.0"), (#"{"x":{"payload":1},"payload":"é\u00e9"}"#, #""é\u00e9""#),
    (#"{"payload":1,"payload":2}"#, "2"), (#"{"p\u0061yload":true}"#, "true"),
  ])
  func aMemberIsFoundWhereItStands(text: String, value: String) {
    #expect(member("payload", of: text) == value)
  }

  @Test(arguments: ["{}", "[]", "1", #"{"x":1}"#, #"["payload",1]"#, #"{"x":"payload"}"#])
  func aMemberThatIsNotThereIsNotFound(text: String) {
    #expect(member("payload", of: text) == nil)
  }

  @Test func whatIsNoJSONTrapsNowhere() {
    let text = Array(#"{"payload":{"a":["\",{]}:1e+,"b\":{},,:"x"#.utf8)
    for start in text.indices {
      for end in start..<text.count {
        let part = Array(text[start..<end])
        _ = JSONText.member("payload", in: part.span.bytes)
        _ = JSONText.indented(part.span.bytes)
      }
    }
  }

  @Test func aTextBecomesOneLineWithoutAnyOtherChange() {
    let line = JSONText.line(Array("{\r\n \"a\": \"\\n\",\n\t\"b\": 1.0 }".utf8).span.bytes)
    #expect(String(decoding: line, as: UTF8.self) == "{ \"a\": \"\\n\",\t\"b\": 1.0 }")
  }

  @Test func indentingKeepsEveryTokenAsItIs() {
    #expect(
      indented(#"{"a":[1.50,{"b":[]}, {} ],"c":"x, {y}: \"z\"","d":1e400}"#) == """
        {
          "a": [
            1.50,
            {
              "b": []
            },
            {}
          ],
          "c": "x, {y}: \\"z\\"",
          "d": 1e400
        }
        """)
  }
}
