import Foundation
import TestKit
import Testing

/// Lines that die in one way or another, with the built program.
@Suite(.ownThreads) struct LivenessTests {
  /// Report 56 of the research on WebSocket: the kernel of a stopped server goes on to acknowledge.
  @Test func aServerThatIsStoppedIsFoundOutByAPingAndReachedAgain() throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try CatRun([
      "--ping-interval", "300ms", "--ping-timeout", "700ms", "--first-delay", "100ms",
      "--connect-timeout", "20s", server.url,
    ])
    _ = try cat.event("pong")
    server.running.signal(SIGSTOP)
    let failed = try cat.event("failed")
    #expect(failed["kind"] as? String == "timeout")
    #expect((failed["message"] as? String)?.contains("has not answered a ping for 700 ms") == true)
    server.running.signal(SIGCONT)
    _ = try cat.event("opened")
    cat.running.signal(SIGINT)
    #expect(try cat.running.finish().status == 130)
  }

  /// A stopped server answers no upgrade either: the stage is named.
  @Test func theUpgradesTimeLimitIsNamed() throws {
    let server = try PeerServer.start("echo_server.py")
    server.running.signal(SIGSTOP)
    defer { server.running.signal(SIGCONT) }
    let cat = try CatRun(["--no-reconnect", "--connect-timeout", "400ms", server.url])
    let result = try cat.running.finish()
    #expect(result.status == 69)
    #expect(
      result.output.contains {
        $0.contains("\"timeout\"") && $0.contains("did not answer the upgrade within 400 ms")
      }, "\(result.output)")
  }

  @Test func theTLSHandshakesTimeLimitIsNamed() throws {
    let server = try PeerServer.start("echo_server.py")
    server.running.signal(SIGSTOP)
    defer { server.running.signal(SIGCONT) }
    let url = server.url.replacing("ws://", with: "wss://")
    let result = try CatRun(["--no-reconnect", "--connect-timeout", "400ms", url]).running.finish()
    #expect(result.status == 69)
    #expect(
      result.output.contains { $0.contains("\"timeout\"") && $0.contains("TLS") },
      "\(result.output)")
  }

  @Test func theCloseTimeLimitEndsAWaitForTheServersClose() throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try CatRun([
      "--no-reconnect", "--close-timeout", "300ms", "--ping-interval", "0", server.url,
    ])
    _ = try cat.event("opened")
    server.running.signal(SIGSTOP)
    defer { server.running.signal(SIGCONT) }
    cat.running.endInput()
    let cut = try cat.event("closed")
    #expect(cut["code"] as? Int == 1006)
    #expect(cut["clean"] as? Bool == false)
  }

  // MARK: Ends of TLS (report 55)

  private func server(ending way: String) throws -> (PeerServer, String) {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "parlour-ends-\(UUID().uuidString)").path()
    let made = try Running(
      "/bin/sh",
      [
        "-c",
        "mkdir -p '\(folder)' && cd '\(folder)' && openssl req -x509 -newkey ec -nodes"
          + " -pkeyopt ec_paramgen_curve:P-256 -subj /CN=localhost"
          + " -addext subjectAltName=IP:127.0.0.1 -days 2 -keyout key -out cert 2>&1",
      ]
    ).finish()
    try #require(made.status == 0, "\(made.output)")
    let server = try PeerServer.start(
      "tls_ends.py", ["--cert", folder + "/cert", "--key", folder + "/key", way])
    return (server, folder + "/cert")
  }

  @Test func behindTheClosingHandshakeACutIsNoFault() throws {
    let (server, authority) = try server(ending: "close")
    let result = try CatRun(["--no-reconnect", "--wait", "20s", "--cacert", authority, server.url])
      .running.finish()
    #expect(
      result.output.contains(#"{"event":"closed","code":1000,"reason":"bye","clean":true}"#),
      "\(result)")
    #expect(!result.output.contains { $0.contains("\"failed\"") })
  }

  @Test(arguments: [
    ("cut", "tls", "cut without the end that TLS demands"), ("notify", "tcp", "without a Close"),
  ])
  func beforeItTheEndsAreToldApart(way: String, kind: String, words: String) throws {
    let (server, authority) = try server(ending: way)
    let result = try CatRun(["--no-reconnect", "--wait", "20s", "--cacert", authority, server.url])
      .running.finish()
    let failed = try #require(result.output.first { $0.contains("\"failed\"") }, "\(result)")
    #expect(failed.contains("\"kind\":\"\(kind)\"") && failed.contains(words), "\(failed)")
    #expect(result.output.contains { $0.contains("\"hi\"") })
    #expect(result.status == 69)
  }

  /// The line that comes after a cut begins with the session of the one before.
  @Test func theNextConnectionResumesTheSession() throws {
    let (server, authority) = try server(ending: "cut")
    let cat = try CatRun([
      "--wait", "20s", "--cacert", authority, "--first-delay", "50ms", "--max-attempts", "3",
      "--log", "-",
      "--log-level", "debug", server.url,
    ])
    let result = try cat.running.finish()
    let handshakes = result.errors.filter { $0.contains("TLSv1.3 with ") }
    #expect(handshakes.count >= 2)
    #expect(handshakes.first?.hasSuffix("a full handshake") == true)
    #expect(handshakes.dropFirst().allSatisfy { $0.hasSuffix("was resumed") }, "\(handshakes)")
  }
}
