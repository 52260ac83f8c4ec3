import Foundation
import TestKit
import Testing

/// `parlour cat` through proxies that we did not write.
@Suite(.ownThreads, .serialized) struct ProxyTests {
  /// One message there and back.
  private func echo(
    _ options: [String], _ url: String, environment: [String: String] = [:]
  ) throws -> Running.Result {
    try CatRun(
      options + ["--no-reconnect", "--send", "x", "--count", "1", "--wait", "5s", url],
      environment: environment
    ).running.finish()
  }

  private func hasEcho(_ result: Running.Result) -> Bool {
    result.status == 0 && result.output.contains { $0.contains("\"text\":\"x\"") }
  }

  private func failure(_ result: Running.Result) throws -> [String: Any] {
    let line = try #require(result.output.first { $0.contains("\"failed\"") }, "\(result)")
    return try CatRun.object(line)
  }

  private func port(of url: String) throws -> String {
    String(try #require(url.split(separator: ":").last)).replacing("/", with: "")
  }

  @Test func everyKindOfProxyCarriesPlainAndSecureLines() throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let plain = try PeerServer.start("echo_server.py")
    let secure = try PeerServer.start(
      "echo_server.py",
      ["--cert", certificates.chain("right"), "--key", certificates.key("right")])
    let open = try ProxyProcess.tinyproxy()
    let closed = try ProxyProcess.tinyproxy(login: "ada hunter2")
    let socks = try ProxyProcess.microsocks()
    let closedSocks = try ProxyProcess.microsocks(login: ("ad:a", "hunter/2"))
    let both = try ProxyProcess.pproxy()
    let tls = try ProxyProcess.stunnel(
      to: closed, chain: certificates.chain("right"), key: certificates.key("right"))
    let proxies = [
      "127.0.0.1:\(open.port)", "http://localhost:\(open.port)",
      "http://ada:h%75nter2@127.0.0.1:\(closed.port)", "socks5://127.0.0.1:\(socks.port)",
      "socks5h://127.0.0.1:\(socks.port)",
      "socks5h://ad%3Aa:hunter%2F2@127.0.0.1:\(closedSocks.port)",
      "http://127.0.0.1:\(both.port)", "socks5h://127.0.0.1:\(both.port)",
      "https://ada:hunter2@127.0.0.1:\(tls.port)",
    ]
    for proxy in proxies {
      for server in [plain, secure] {
        let result = try echo(
          ["--proxy", proxy, "--cacert", certificates.authority], server.url)
        #expect(hasEcho(result), "\(proxy) \(server.url) \(result)")
        let peer = server.url.split(separator: "/")[1]
        #expect(result.output.contains { $0.contains("\"peer\":\"\(peer)\"") })
      }
    }
    #expect(open.log.contains("CONNECT 127.0.0.1:\(try port(of: secure.url))"))
  }

  /// Two sessions of TLS around each byte, and more bytes than any buffer holds.
  @Test func manyBytesPassThroughTLSInsideOfTLS() throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let server = try PeerServer.start(
      "echo_server.py",
      ["--cert", certificates.chain("right"), "--key", certificates.key("right")])
    let proxy = try ProxyProcess.tinyproxy()
    let tls = try ProxyProcess.stunnel(
      to: proxy, chain: certificates.chain("right"), key: certificates.key("right"))
    let run = try CatRun([
      "--proxy", "https://127.0.0.1:\(tls.port)", "--cacert", certificates.authority,
      "--no-compression", "--count", "2", "--wait", "20s", server.url,
    ])
    let text = (0..<300_000).map { "\($0 % 9973) " }.joined()
    run.running.write(text + "\nend\n")
    #expect(try run.event("text")["text"] as? String == text)
    #expect(try run.event("text")["text"] as? String == "end")
  }

  @Test func aWrongPasswordIsRefusedAtOnceAndNotShown() throws {
    let server = try PeerServer.start("echo_server.py")
    let http = try ProxyProcess.tinyproxy(login: "ada hunter2")
    let socks = try ProxyProcess.microsocks(login: ("ada", "hunter2"))
    for proxy in [
      "http://127.0.0.1:\(http.port)", "http://ada:swordfish@127.0.0.1:\(http.port)",
      "socks5://127.0.0.1:\(socks.port)", "socks5h://ada:swordfish@127.0.0.1:\(socks.port)",
    ] {
      // With reconnecting on: it is not tried again.
      let result = try CatRun(["--proxy", proxy, "--wait", "5s", server.url]).running.finish()
      #expect(result.status == 77, "\(proxy) \(result)")
      let failed = try failure(result)
      #expect(failed["kind"] as? String == "proxy")
      #expect((failed["message"] as? String)?.contains("user and password") == true)
      #expect(!"\(result)".contains("swordfish"))
      #expect(try CatRun.names(result.output).filter { $0 == "connecting" }.count == 1)
    }
  }

  @Test func aServerThatTheProxyDoesNotReachIsItsFailure() throws {
    let gone = try Loopback.freePort()
    let strict = try ProxyProcess.tinyproxy(only: 1)
    let http = try ProxyProcess.tinyproxy()
    let socks = try ProxyProcess.microsocks()
    let forbidden = try CatRun([
      "--proxy", "http://127.0.0.1:\(strict.port)", "--wait", "5s", "ws://127.0.0.1:\(gone)/",
    ]).running.finish()
    #expect(forbidden.status == 69)
    #expect(try failure(forbidden)["status"] as? Int == 403)
    for proxy in ["http://127.0.0.1:\(http.port)", "socks5h://127.0.0.1:\(socks.port)"] {
      let result = try echo(["--proxy", proxy], "ws://127.0.0.1:\(gone)/")
      #expect(result.status == 69)
      #expect(try failure(result)["kind"] as? String == "proxy")
    }
    let refused = try echo(
      ["--proxy", "socks5://127.0.0.1:\(socks.port)"], "ws://127.0.0.1:\(gone)/")
    #expect(
      (try failure(refused)["message"] as? String)?.contains(
        "did not reach 127.0.0.1:\(gone): connection refused") == true)
  }

  @Test func aProxyThatIsNotThereOrOfAnotherKindIsNamed() throws {
    let server = try PeerServer.start("echo_server.py")
    let gone = try echo(["--proxy", "127.0.0.1:\(try Loopback.freePort())"], server.url)
    #expect(gone.status == 69)
    #expect(try failure(gone)["kind"] as? String == "proxy")
    let socks = try ProxyProcess.microsocks()
    let other = try echo(["--proxy", "http://127.0.0.1:\(socks.port)"], server.url)
    #expect(other.status == 69)
    #expect(
      (try failure(other)["message"] as? String)?.contains("one of another kind") == true)
  }

  @Test func theEnvironmentNamesProxiesAndExceptions() throws {
    let server = try PeerServer.start("echo_server.py")
    let proxy = try ProxyProcess.tinyproxy()
    let dead = "http://127.0.0.1:\(try Loopback.freePort())"
    let alive = "http://127.0.0.1:\(proxy.port)"
    func run(_ environment: [String: String], _ options: [String] = []) throws -> Running.Result {
      try echo(options, server.url, environment: environment)
    }
    #expect(hasEcho(try run(["http_proxy": alive, "all_proxy": dead])))
    #expect(proxy.log.contains("CONNECT 127.0.0.1:\(try port(of: server.url))"))
    let failed = try failure(run(["all_proxy": dead]))
    #expect((failed["message"] as? String)?.contains("(all_proxy)") == true)
    #expect(hasEcho(try run(["HTTP_PROXY": dead, "https_proxy": dead])))
    #expect(hasEcho(try run(["all_proxy": dead, "no_proxy": "example, 127.0.0.0/8"])))
    #expect(hasEcho(try run(["all_proxy": dead], ["--no-proxy", "*"])))
    #expect(hasEcho(try run(["all_proxy": dead], ["--proxy", ""])))
    #expect(hasEcho(try run(["all_proxy": dead], ["--proxy", alive])))

    let wrong = try run(["all_proxy": "socks4://u:swordfish@127.0.0.1"])
    #expect(wrong.status == 78)
    #expect(wrong.errors.contains { $0.contains("all_proxy") && $0.contains("socks4://") })
    let option = try run([:], ["--proxy", "127.0.0.1:swordfish/@x"])
    #expect(option.status == 64)
    #expect(!"\(wrong)\(option)".contains("swordfish"))
  }

  @Test func everyAttemptGoesThroughTheProxy() throws {
    let server = try PeerServer.embedded(["--drop-every", "300ms"])
    let proxy = try ProxyProcess.tinyproxy()
    let run = try CatRun([
      "--proxy", "127.0.0.1:\(proxy.port)", "--first-delay", "50ms", server.url,
    ])
    for _ in 0..<3 { _ = try run.event("opened") }
    run.running.signal(SIGTERM)
    _ = try run.running.finish()
    let asked = proxy.log.ranges(of: "CONNECT 127.0.0.1:\(try port(of: server.url))")
    #expect(asked.count >= 3)
  }

  /// The certificate is for the name in ASCII, which is looked up and asked for too.
  @Test func anInternationalNameIsTheSameAsItsFormInASCII() throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let server = try PeerServer.start(
      "echo_server.py", ["--cert", certificates.chain("idn"), "--key", certificates.key("idn")])
    let port = try port(of: server.url)
    let socks = try ProxyProcess.microsocks()
    for options in [[], ["--proxy", "socks5://bücher.example:\(socks.port)"]] {
      let result = try echo(
        options + [
          "--cacert", certificates.authority, "--resolve", "BÜCHER.example:\(port):127.0.0.1",
          "--resolve", "xn--bcher-kva.example:\(socks.port):127.0.0.1",
        ], "wss://bücher.example:\(port)/")
      #expect(hasEcho(result), "\(result)")
      #expect(result.output.first?.contains("wss://xn--bcher-kva.example:\(port)/") == true)
    }
  }
}
