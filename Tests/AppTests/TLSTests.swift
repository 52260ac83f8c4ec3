import Foundation
import TestKit
import Testing

/// `wss://` against a Python server with certificates made for the test.
@Suite(.ownThreads) struct TLSTests {
  private func server(_ certificates: Certificates, _ name: String) throws -> PeerServer {
    try PeerServer.start(
      "echo_server.py", ["--cert", certificates.chain(name), "--key", certificates.key(name)])
  }

  private func cat(_ options: [String], _ url: String) throws -> Running.Result {
    try CatRun(
      options + ["--no-reconnect", "--send", "x", "--count", "1", "--wait", "5s", url]
    ).running.finish()
  }

  @Test func certificatesAreCheckedAgainstAuthorityAndHost() throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let right = try server(certificates, "right")

    let unknown = try cat([], right.url)
    #expect(unknown.status == 69)
    let failed = try #require(unknown.output.first { $0.contains("\"failed\"") })
    #expect(failed.contains("\"kind\":\"tls\"") && failed.contains("--cacert"))
    #expect(failed.contains("authority"))

    let known = try cat(["--cacert", certificates.authority], right.url)
    #expect(known.status == 0, "\(known)")
    #expect(known.output.contains { $0.contains("\"tls\":\"TLSv1.3\"") })
    #expect(known.output.contains { $0.contains("\"text\":\"x\"") })

    let insecure = try cat(["--insecure"], right.url)
    #expect(insecure.status == 0)

    let port = try #require(right.url.split(separator: ":").last).replacing("/", with: "")
    let byName = try cat(
      ["--cacert", certificates.authority, "--resolve", "localhost:\(port):127.0.0.1"],
      "wss://localhost:\(port)/")
    #expect(byName.status == 0)
    let pinned = try cat(
      [
        "--cacert", certificates.authority, "--pin",
        "sha256//" + String(repeating: "A", count: 43) + "=",
      ],
      right.url)
    #expect(pinned.status == 69)

    let other = try server(certificates, "other")
    let wrong = try cat(["--cacert", certificates.authority], other.url)
    #expect(wrong.status == 69)
    #expect(wrong.output.contains { $0.contains("other.example") })
    let named = try cat(
      ["--cacert", certificates.authority, "--server-name", "other.example"], other.url)
    #expect(named.status == 0)
  }

  @Test func aServerWithoutTLSIsToldApart() throws {
    let server = try PeerServer.start("echo_server.py")
    let result = try cat([], server.url.replacing("ws://", with: "wss://"))
    #expect(result.status == 69)
    #expect(result.output.contains { $0.contains("TLS") }, "\(result.output)")
  }
}
