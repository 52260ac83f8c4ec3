import Testing

@testable import Channel

/// Which proxy applies, and who goes around it.
struct ProxyChoiceTests {
  struct Choice: Sendable {
    var url: String
    var option: String?
    var exceptions: String?
    var environment: [String: String] = [:]
    /// Scheme, host and port, and who named it; nil: no proxy.
    var expected: String?
  }

  @Test(arguments: [
    Choice(url: "ws://h/"),
    Choice(url: "ws://h/", option: "px", expected: "http://px:1080 (--proxy)"),
    Choice(
      url: "ws://h/", option: "px", environment: ["ws_proxy": "other"],
      expected: "http://px:1080 (--proxy)"),
    Choice(url: "ws://h/", option: "", environment: ["ws_proxy": "px"]),
    Choice(
      url: "ws://h/",
      environment: ["ws_proxy": "a", "http_proxy": "b", "all_proxy": "c", "ALL_PROXY": "d"],
      expected: "http://a:1080 (ws_proxy)"),
    Choice(
      url: "ws://h/", environment: ["http_proxy": "b:8", "all_proxy": "c", "ALL_PROXY": "d"],
      expected: "http://b:8 (http_proxy)"),
    Choice(
      url: "ws://h/", environment: ["HTTP_PROXY": "b", "all_proxy": "c", "ALL_PROXY": "d"],
      expected: "http://c:1080 (all_proxy)"),
    Choice(url: "ws://h/", environment: ["HTTP_PROXY": "b", "https_proxy": "c", "wss_proxy": "d"]),
    Choice(
      url: "ws://h/", environment: ["ALL_PROXY": "socks5h://d"],
      expected: "socks5h://d:1080 (ALL_PROXY)"),
    Choice(
      url: "wss://h/", environment: ["wss_proxy": "a", "https_proxy": "b", "HTTPS_PROXY": "c"],
      expected: "http://a:1080 (wss_proxy)"),
    Choice(
      url: "wss://h/", environment: ["https_proxy": "https://b", "HTTPS_PROXY": "c"],
      expected: "https://b:443 (https_proxy)"),
    Choice(
      url: "wss://h/", environment: ["HTTPS_PROXY": "c", "http_proxy": "x", "all_proxy": "y"],
      expected: "http://c:1080 (HTTPS_PROXY)"),
    Choice(
      url: "wss://h/", environment: ["https_proxy": "", "all_proxy": "y"],
      expected: "http://y:1080 (all_proxy)"),
    Choice(url: "wss://h/", environment: ["http_proxy": "x", "ws_proxy": "y"]),
    // Exceptions go before everything, those of the option before those of the environment.
    Choice(url: "ws://h/", option: "px", exceptions: "h"),
    Choice(url: "ws://h/", option: "px", environment: ["no_proxy": "h"]),
    Choice(url: "ws://h/", environment: ["all_proxy": "px", "NO_PROXY": "*"]),
    Choice(
      url: "ws://h/", exceptions: "", environment: ["all_proxy": "px", "no_proxy": "*"],
      expected: "http://px:1080 (all_proxy)"),
    Choice(
      url: "ws://h/", environment: ["all_proxy": "px", "no_proxy": "x", "NO_PROXY": "h"],
      expected: "http://px:1080 (all_proxy)"),
    // What is not used is not read.
    Choice(url: "ws://h/", environment: ["all_proxy": "bad://", "no_proxy": "h"]),
    Choice(url: "ws://h/", option: "", environment: ["all_proxy": "bad://"]),
  ])
  func oneProxyAppliesOrNone(choice: Choice) throws {
    let settings = ProxySettings(
      option: choice.option, exceptions: choice.exceptions,
      environment: { choice.environment[$0] })
    let proxy = try settings.proxy(for: Endpoint(parsing: choice.url))
    #expect(proxy.map { "\($0.shown) (\($0.source))" } == choice.expected)
  }

  @Test(arguments: [
    (
      "ftp://u:secret@px",
      "cannot be used: ftp:// is no kind of proxy that is spoken here: use http, https, socks5 or socks5h"
    ),
    ("px:0", "cannot be used: 0 is no port for px: use a number from 1 to 65535"),
    (
      "http://",
      "cannot be used: the proxy's URL names no host: write one such as http://proxy.example:3128"
    ),
    (
      "u:sec/ret@px:1",
      "cannot be used: the proxy px:1 cannot be read: a / or ? in user or password is written %2F or %3F"
    ),
    (
      "u:sec://ret@px",
      "cannot be used: the proxy px cannot be read: a / or ? in user or password is written %2F or %3F"
    ),
    (
      "http://u:secret?@px:1",
      "cannot be used: the proxy px:1 cannot be read: a / or ? in user or password is written %2F or %3F"
    ),
    (
      "http://u:secret\r\nX: y@px",
      "cannot be used: the proxy's URL holds a control character or a line break: leave it out"
    ),
    (
      "http://u:secret%0A@px:1",
      "cannot be used: user or password in the proxy px:1 is not readable text: check its percent-escapes"
    ),
    (
      "http://u%3Ax:secret@px:1",
      "cannot be used: the proxy px:1 cannot be told a user with a colon: HTTP has no way to write it"
    ),
    (
      "http://b\u{202E}ü:1",
      "cannot be used: the host bü is no international host name (string contains a disallowed character): "
        + "check the spelling"
    ),
  ])
  func whatIsWrongIsSaidWithTheNameOfWhoNamedItAndWithoutThePassword(
    text: String, message: String
  ) throws {
    let endpoint = try Endpoint(parsing: "ws://h/")
    let option = ProxySettings(option: text, environment: { _ in nil })
    #expect(throws: ProxyError(message: "--proxy \(message)", isOfEnvironment: false)) {
      try option.proxy(for: endpoint)
    }
    let variable = ProxySettings(environment: { $0 == "all_proxy" ? text : nil })
    #expect(
      throws: ProxyError(
        message: "The environment's all_proxy \(message)", isOfEnvironment: true)
    ) { try variable.proxy(for: endpoint) }
    #expect(!message.contains("sec"))
  }

  @Test(arguments: [
    ("px", "http://px:1080", nil, nil),
    ("px.example.:3128", "http://px.example.:3128", nil, nil),
    ("HTTPS://PX/path?x#y", "https://px:443", nil, nil),
    ("socks5://[::1]", "socks5://[::1]:1080", nil, nil),
    ("socks5h://us%3Aer:p%40ss@px:9", "socks5h://px:9", "us:er", "p@ss"),
    ("http://user@px:", "http://px:1080", "user", ""),
    ("http://:pass@px", "http://px:1080", "", "pass"),
    ("http://a:b@c:d@px:1", "http://px:1", "a", "b@c:d"),
    ("@px", "http://px:1080", nil, nil),
    ("http://bücher.example:80", "http://xn--bcher-kva.example:80", nil, nil),
  ])
  func proxiesAreTakenApart(
    text: String, shown: String, user: String?, password: String?
  ) throws {
    let proxy = try ProxyEndpoint(parsing: text)
    #expect(proxy.shown == shown)
    #expect(proxy.credentials?.user == user)
    #expect(proxy.credentials?.password == password)
  }

  @Test func socksTakesNoMoreThan255BytesOfAPassword() throws {
    let long = String(repeating: "x", count: 256)
    _ = try ProxyEndpoint(parsing: "socks5://u:\(long.dropLast())@px")
    #expect(throws: EndpointError.self) { try ProxyEndpoint(parsing: "socks5://u:\(long)@px") }
    _ = try ProxyEndpoint(parsing: "http://u:\(long)@px")
  }

  @Test(arguments: [
    ("", "h", 80, false), ("*", "h", 80, true), (" a , * ", "h", 80, true),
    ("h", "h", 80, true), ("H.Example", "h.example", 80, true), ("h", "xh", 80, false),
    ("example", "h.example", 80, true), (".example", "h.example", 80, true),
    (".h.example", "h.example", 80, true), ("example.", "h.example", 80, true),
    ("example", "h.example.", 80, true), ("ample", "h.example", 80, false),
    ("*.example", "h.example", 80, false), ("a b,h", "h", 80, true), ("a;h", "h", 80, false),
    ("h:80", "h", 80, true), ("h:81", "h", 80, false), ("h:", "h", 80, false),
    ("bücher.example", "www.xn--bcher-kva.example", 80, true),
    ("127.0.0.1", "127.0.0.1", 80, true), ("27.0.0.1", "127.0.0.1", 80, false),
    ("127.0.0.0/8", "127.9.9.9", 80, true), ("127.0.0.0/8:80", "127.9.9.9", 80, true),
    ("127.0.0.0/8:81", "127.9.9.9", 80, false), ("10.1.0.0/15", "10.0.9.9", 80, true),
    ("10.1.0.0/16", "10.0.9.9", 80, false), ("10.1.0.0/33", "10.1.0.0", 80, false),
    ("0.0.0.0/0", "8.8.8.8", 80, true), ("0.0.0.0/0", "h", 80, false), ("/8", "h", 80, false),
    ("::1", "::1", 80, true), ("0:0::1", "::1", 80, true), ("[::1]", "::1", 80, true),
    ("[::1]:80", "::1", 80, true), ("[::1]:81", "::1", 80, false),
    ("fe80::/10", "febf::1", 80, true), ("fe80::/10", "fec0::1", 80, false),
    ("[fe80::]/10", "febf::1", 80, true), ("::/0", "127.0.0.1", 80, false),
    ("h/a,\u{0},:::::,[", "h", 80, false),
  ])
  func exceptionsAreReadAsCurlReadsThem(
    list: String, host: String, port: UInt16, isException: Bool
  ) {
    #expect(NoProxyList(list).contains(host, port: port) == isException)
  }
}
