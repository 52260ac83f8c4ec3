import Testing

@testable import Text

@Suite struct LinkTests {
  @Test(arguments: [
    ("see https://a.example/b.", ["https://a.example/b"]),
    ("(https://a.example/b)", ["https://a.example/b"]),
    ("https://en.example/wiki/A_(b)", ["https://en.example/wiki/A_(b)"]),
    ("(see https://en.example/wiki/A_(b))", ["https://en.example/wiki/A_(b)"]),
    ("[http://a.example]: x", ["http://a.example"]),
    ("<https://a.example/?q=1&r=2#f>", ["https://a.example/?q=1&r=2#f"]),
    ("\"https://a.example\"", ["https://a.example"]),
    ("HTTPS://A.example!", ["HTTPS://A.example"]),
    ("wss://a.example/ws, ws://b:9000/", ["wss://a.example/ws", "ws://b:9000/"]),
    ("見て https://a.example/日本語。次", ["https://a.example/日本語"]),
    ("「https://a.example」", ["https://a.example"]),
    ("xhttp://a.example", []), ("http://", []), ("http:// x", []), ("https:/a", []), ("://", []),
    ("ftp://a.example javascript:alert(1)", []), ("a:b c::d", []),
    ("http://a.example...", ["http://a.example"]),
    ("*https://a.example/x*", ["https://a.example/x"]),
    ("http://a.example/http://b.example", ["http://a.example/http://b.example"]),
    ("user@http://a.example", ["http://a.example"]),
  ])
  func linksAreFound(text: String, expected: [String]) {
    #expect(links(in: text).map(\.text) == expected)
  }

  @Test func aMillionBeginningsTakeLinearTime() {
    #expect(links(in: String(repeating: "http://", count: 20_000)).count == 1)
    #expect(
      links(
        in: String(repeating: "http://(", count: 20_000) + String(repeating: ")", count: 20_000)
      ).count == 1)
    #expect(links(in: String(repeating: "://", count: 100_000)) == [])
  }

  @Test(
    arguments: [
      ("https://аррӏе.com/x", "https://xn--80ak6aa92e.com/x"),
      ("https://pаypal.com", "https://xn--pypal-4ve.com"),
      ("https://user@gооgle.com:8080/?q", "https://user@xn--ggle-55da.com:8080/?q"),
      ("https://bücher.example/", nil), ("https://例え.jp", nil), ("https://пример.рф", nil),
      ("https://plain.example/päth", nil), ("https://日本abc.jp", nil),
    ] as [(String, String?)])
  func hostsThatPretendAreShownInASCII(link: String, expected: String?) {
    #expect(honestLink(link) == expected)
    #expect(withHonestHosts("see \(link) now") == "see \(expected ?? link) now")
  }

  @Test(arguments: [
    ("bücher", "bcher-kva"), ("例え", "r8jz45g"), ("ü", "tda"),
    ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
  ])
  func labelsAreWrittenInPunycode(label: String, expected: String) {
    #expect(punycode(label) == expected)
  }
}

@Suite struct MarkupTests {
  private func found(_ text: String) -> [String] {
    markup(of: text, links: links(in: text)).map { mark in
      "\(mark.kind) " + String(decoding: Array(text.utf8)[mark.range], as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("a *bold* word", ["bold *bold*"]), ("_it is_, and", ["italic _it is_"]),
    ("`code *x*`", ["code `code *x*`"]),
    ("||hidden|| seen", ["spoiler ||hidden||"]), ("> said\nanswer", ["quote > said"]),
    ("2*3*4 snake_case_name a * b * c", []), ("*not closed", []), ("**", []), ("``", []),
    ("||||", []),
    ("(*so*)", ["bold *so*"]), ("a|b||c", []), ("*a _b_ c*", ["italic _b_", "bold *a _b_ c*"]),
    ("https://a.example/_x_/*y*", []),
    ("```\nlet *x*\n```\n*y*", ["code ```\nlet *x*\n```", "bold *y*"]),
    ("```\nopen", ["code ```\nopen"]), ("*one\ntwo*", []), ("*日本*", ["bold *日本*"]), (">no", []),
    ("`a` `b`", ["code `a`", "code `b`"]),
  ])
  func signsMarkText(text: String, expected: [String]) {
    #expect(found(text) == expected)
  }

  @Test(arguments: ["*a ", "`", "||", "_*", "> ", "```\n"])
  func signsWithoutEndTakeLinearTime(sign: String) {
    _ = markup(of: String(repeating: sign, count: 30_000))
  }
}
