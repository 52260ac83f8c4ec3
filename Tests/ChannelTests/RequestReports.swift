import TestKit
import Testing
import WebSocket

@testable import Channel

/// Public bug reports about other clients, replayed: the request that goes out for a URL. SNI and ALPN (20, 27) are in
/// NetTests, and what the parts of the handshake do with any input is in WebSocketTests.
@Suite struct RequestReports {
  /// All that the session writes for the upgrade.
  private func request(
    _ url: String, _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> String {
    var harness = try SessionHarness(url, configure)
    harness.handle(.connect)
    harness.linkOpened()
    let written = harness.actions.compactMap { action -> [UInt8]? in
      if case .write(_, let bytes) = action { bytes } else { nil }
    }
    #expect(written.count == 1)
    return String(decoding: written.joined(), as: UTF8.self)
  }

  private func lines(_ request: String) -> [Substring] {
    request.split(separator: "\r\n", omittingEmptySubsequences: false)
  }

  @Test(
    "report 19: the scheme's own port is left out of Host, another is kept",
    arguments: [
      ("wss://x/", "x"), ("wss://x:443/", "x"), ("ws://x:80/", "x"), ("ws://x:443/", "x:443"),
      ("wss://x:80/", "x:80"), ("ws://x:9000/", "x:9000"), ("https://x:443/", "x"),
    ])
  func report19(_ url: String, _ host: String) throws {
    #expect(lines(try request(url)).contains("Host: \(host)"))
  }

  @Test(
    "report 20: an address of IPv6 stands in brackets",
    arguments: [
      ("ws://[::1]:8080/", "[::1]:8080"), ("ws://[::1]/", "[::1]"),
      ("wss://[2001:DB8::1]:443/", "[2001:db8::1]"),
    ])
  func report20(_ url: String, _ host: String) throws {
    #expect(lines(try request(url)).contains("Host: \(host)"))
  }

  @Test(
    "report 21: path and query go into the request line as they are, escaped where they must be",
    arguments: [
      ("ws://h", "/"), ("ws://h?x=1", "/?x=1"), ("ws://h/a?b=c d", "/a?b=c%20d"),
      ("ws://h/%2Fa", "/%2Fa"), ("ws://h/%2fa?%", "/%2fa?%25"), ("ws://h/ü", "/%C3%BC"),
      ("ws://h/a?b?c=/", "/a?b?c=/"),
    ])
  func report21(_ url: String, _ target: String) throws {
    #expect(lines(try request(url)).first == "GET \(target) HTTP/1.1")
  }

  @Test(
    "report 22: user and password become Basic, decoded, and are found nowhere else",
    arguments: [
      ("ws://us%40er:p%3Ass@h/", "us@er:p:ss"), ("ws://user:@h/", "user:"),
      ("ws://user@h/", "user:"), ("ws://:pass@h/", ":pass"), ("ws://%C3%BC:x@h/", "ü:x"),
    ])
  func report22(_ url: String, _ credentials: String) throws {
    let text = try request(url)
    let encoded = Base64.encoded(Array(credentials.utf8))
    let own = "Authorization: Basic \(encoded)"
    #expect(lines(text).count { $0 == own } == 1)
    #expect(lines(text).contains("Host: h"))
    for line in lines(text) where line != own {
      #expect(!line.contains("user") && !line.contains("p:ss") && !line.contains("%40"))
    }
    #expect(try Endpoint(parsing: url).shown == "ws://h/")
  }

  @Test(
    "report 23: a fragment is refused and never sent",
    arguments: ["ws://h/#x", "ws://h#", "ws://h?a#b"])
  func report23(_ url: String) {
    #expect(throws: EndpointError.self) { try Endpoint(parsing: url) }
  }

  @Test("report 24: the request has no body, and the letter case that old servers know")
  func report24() throws {
    let names = lines(try request("ws://h/") { $0.headers = [Header("X-Room", "1")] })
      .dropFirst().dropLast(2).map { $0.prefix { $0 != ":" } }
    #expect(
      names == [
        "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
        "Sec-WebSocket-Extensions", "X-Room",
      ])
  }

  @Test(
    "report 26: wss without a port is 443, ws is 80",
    arguments: [("wss://h", 443), ("ws://h", 80), ("https://h", 443), ("http://h", 80)]
      as [(String, UInt16)])
  func report26(_ url: String, _ port: UInt16) throws {
    #expect(try Endpoint(parsing: url).port == port)
  }

  @Test("report 28: the offer of compression holds no number, and can be left out")
  func report28() throws {
    let offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    #expect(lines(try request("ws://h/")).contains { $0 == offer })
    #expect(!(try request("ws://h/") { $0.compresses = false }).contains("Extensions"))
  }

  @Test("report 29: every attempt has a key of its own, every frame a mask of its own")
  func report29() throws {
    var harness = try SessionHarness { $0.maxAttempts = 1000 }
    var keys: Set<String> = []
    harness.handle(.connect)
    for _ in 0..<500 {
      harness.linkOpened()
      let key = try #require(harness.server.request?.key)
      #expect(Base64.decoded(key)?.count == 16)
      keys.insert(key)
      harness.handle(.reconnect)
    }
    #expect(keys.count == 500)

    harness.linkOpened()
    harness.accept()
    _ = harness.events()
    for number in 0..<1000 { harness.handle(.sendBinary([UInt8(truncatingIfNeeded: number)])) }
    let masks = harness.actions.compactMap { action -> [UInt8]? in
      if case .write(_, let bytes) = action { Array(bytes[2..<6]) } else { nil }
    }
    #expect(masks.count == 1000)
    #expect(Set(masks).count == 1000)
  }
}
