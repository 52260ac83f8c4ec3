import Foundation
import TestKit
import Testing

/// `parlour check` against servers that work and servers that fail at each step.
@Suite(.ownThreads) struct CheckTests {
  private struct Step: Equatable {
    var name: String
    var ok: Bool?
  }

  private static func check(
    _ words: [String], environment: [String: String] = [:]
  ) throws -> (steps: [Step], objects: [[String: Any]], status: Int32) {
    let run = try Running(
      Programs.parlour, ["check", "--format", "json"] + words, environment: environment)
    let result = try run.finish()
    let objects = try result.output.map { try CatRun.object($0) }
    let steps = objects.map { Step(name: $0["step"] as? String ?? "", ok: $0["ok"] as? Bool) }
    return (steps, objects, result.status)
  }

  @Test(
    arguments: [
      ([], true), (["--subprotocol", "parlour-envelope"], true), (["--dialect", "plain"], nil),
    ] as [([String], Bool?)])
  func everyStepToAServerThatWorksIsOK(words: [String], introduction: Bool?) throws {
    let server = try PeerServer.embedded()
    let (steps, objects, status) = try Self.check(words + [server.url])
    #expect(status == 0)
    #expect(
      steps == [
        Step(name: "look-up", ok: nil), Step(name: "TCP", ok: true), Step(name: "proxy", ok: nil),
        Step(name: "TLS", ok: nil), Step(name: "upgrade", ok: true),
        Step(name: "subprotocol", ok: introduction), Step(name: "introduction", ok: introduction),
        Step(name: "ping", ok: true),
      ])
    #expect(objects.allSatisfy { ($0["ok"] as? Bool) != true || $0["ms"] != nil })
  }

  @Test func linesForPeopleHaveASignAWordAndATime() throws {
    let server = try PeerServer.embedded()
    let url = server.url.replacing("127.0.0.1", with: "localhost")
    let result = try Running(Programs.parlour, ["check", url]).finish()
    #expect(result.status == 0 && result.output.count == 8)
    #expect(
      result.output[1].contains(/^✓ ok       TCP            +\d+\.\d ms  .*(127\.0\.0\.1|::1)/))
    #expect(result.output[6].contains(/^✓ ok       introduction  +\d+\.\d ms  connection_ack$/))
  }

  @Test func aClosedPortFailsAtTCPAndSaysWhatToDo() throws {
    let result = try Running(Programs.parlour, ["check", "ws://127.0.0.1:1/"]).finish()
    #expect(result.status == 69)
    #expect(result.output[1].contains(/^✕ failed   TCP/))
    #expect(result.output[2].hasPrefix("  → See that a server listens on port 1 of 127.0.0.1"))
    #expect(result.output.count == 3)
  }

  @Test func aNameThatIsNotThereFailsAtTheLookUp() throws {
    let (steps, _, status) = try Self.check(["ws://nosuch.invalid/"])
    #expect(status == 69)
    #expect(steps == [Step(name: "look-up", ok: false)])
  }

  @Test func aTokenThatIsWrongFailsAtTheUpgrade() throws {
    let server = try PeerServer.embedded(["--token", "right"])
    let (steps, objects, status) = try Self.check(
      ["--auth", "header", server.url], environment: ["PARLOUR_TOKEN": "wrong-one"])
    #expect(status == 77)
    #expect(steps.last?.ok == false)
    #expect(["upgrade", "introduction"].contains(steps.last?.name))
    #expect(!"\(objects)".contains("wrong-one"))
    #expect((objects.last?["advice"] as? String)?.isEmpty == false)
  }

  @Test func aServerThatSelectsNoSubprotocolFailsThere() throws {
    let server = try PeerServer.embedded()
    let (steps, objects, status) = try Self.check(["--subprotocol", "x.nobody.speaks", server.url])
    #expect(status == 76)
    #expect(steps.last == Step(name: "subprotocol", ok: false))
    #expect((objects.last?["advice"] as? String)?.contains("--subprotocol") == true)
    #expect(steps.dropLast().last == Step(name: "upgrade", ok: true))
  }

  @Test(
    arguments: [
      ("/close/1008", 77, "refused", "does not let us in"),
      ("/close/1011", 69, "tcp", "its log says why"), ("/cut", 69, "tcp", "its log says why"),
      ("/bad-frame", 76, "protocol", "what follows is not"),
      ("/mute", 69, "timeout", "may hold it up"),
    ] as [(String, Int32, String, String)])
  func whatFailsBehindTheUpgradeHasAnAdviceOfItsOwn(
    path: String, code: Int32, kind: String, advice: String
  ) throws {
    let server = try PeerServer.start("ending_server.py")
    let (steps, objects, status) = try Self.check([
      "--dialect", "plain", "--ping-timeout", "1s", server.url + path,
    ])
    #expect(steps.last == Step(name: "ping", ok: false))
    #expect(objects.last?["kind"] as? String == kind)
    let told = objects.last?["advice"] as? String ?? ""
    #expect(told.contains(advice), "\(told)")
    #expect(status == code)
  }

  @Test func aPauseThatTheServerAsksForIsTold() throws {
    let server = try PeerServer.start("ending_server.py")
    let (_, objects, status) = try Self.check(["--dialect", "plain", server.url + "/retry-after"])
    #expect(status == 69)
    #expect((objects.last?["message"] as? String)?.contains("after 30 s, as it asks") == true)
  }

  @Test func aRedirectThatIsFollowedIsAStepWithItsTarget() throws {
    let server = try PeerServer.start("ending_server.py")
    let (steps, objects, status) = try Self.check(["--dialect", "plain", server.url + "/moved"])
    #expect(status == 0)
    #expect(steps.filter { $0.name == "upgrade" && $0.ok == true }.count == 2)
    let details = objects.compactMap { $0["detail"] as? String }
    #expect(details.contains { $0.contains("/there (302)") }, "\(details)")
  }

  @Test func aServerThatNeverAnswersFailsAtTheUpgradeInTime() throws {
    let server = SilentServer()
    let url = try #require(server.url).absoluteString
    let (steps, objects, status) = try Self.check(["--connect-timeout", "200ms", url])
    #expect(status == 69)
    #expect(steps.last == Step(name: "upgrade", ok: false))
    #expect(objects.last?["kind"] as? String == "timeout")
  }

  @Test func aCertificateOfAnUnknownAuthorityFailsAtTLS() throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let server = try PeerServer.start(
      "echo_server.py", ["--cert", certificates.chain("right"), "--key", certificates.key("right")])
    let wrong = try Self.check([server.url])
    #expect(wrong.status == 69)
    #expect(wrong.steps.last == Step(name: "TLS", ok: false))
    #expect((wrong.objects.last?["advice"] as? String)?.contains("--cacert") == true)
    let right = try Self.check([
      "--dialect", "plain", "--cacert", certificates.authority, server.url,
    ])
    #expect(right.status == 0, "\(right.objects)")
    #expect(right.steps.contains(Step(name: "TLS", ok: true)))
  }

  @Test(arguments: ["parlour", "websockets"])
  func aPortWithoutTLSIsToldToOneWhoComesWithIt(kind: String) throws {
    let server = try kind == "parlour" ? .embedded() : PeerServer.start("echo_server.py")
    let (steps, objects, status) = try Self.check([
      "--connect-timeout", "3s", server.url.replacing("ws://", with: "wss://"),
    ])
    #expect(status == 69)
    #expect(steps.last == Step(name: "TLS", ok: false))
    let advice = try #require(objects.last?["advice"] as? String)
    #expect(advice.contains("no TLS: try ws://"), "\(advice)")
    if kind == "parlour" { #expect(advice.hasPrefix("This port speaks no TLS")) }
  }

  /// Neither says why: Python's server ends the connection, OpenSSL's own resets it.
  @Test(arguments: ["websockets", "openssl"])
  func aPortOfTLSIsToldToOneWhoComesWithoutIt(kind: String) throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let files = ["--cert", certificates.chain("right"), "--key", certificates.key("right")]
    let server: Running
    let url: String
    if kind == "websockets" {
      let peer = try PeerServer.start("echo_server.py", files)
      (server, url) = (peer.running, peer.url)
    } else {
      server = try Running(
        "/usr/bin/env",
        ["openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", "4"]
          + files.map { $0.replacing(/^--/, with: "-") })
      let line = try server.line(containing: "ACCEPT 127.0.0.1:")
      url = "wss://" + line.dropFirst("ACCEPT ".count) + "/"
    }
    defer { server.signal(SIGKILL) }
    let (steps, objects, status) = try Self.check([
      "--connect-timeout", "3s", url.replacing("wss://", with: "ws://"),
    ])
    #expect([69, 76].contains(status))
    #expect(steps.last == Step(name: "upgrade", ok: false))
    let advice = try #require(objects.last?["advice"] as? String)
    #expect(advice.contains("speaks TLS: try wss://"), "\(advice)")
  }

  @Test func aProxyThatIsNotThereFailsAtTheProxy() throws {
    let (steps, objects, status) = try Self.check(
      ["--proxy", "http://127.0.0.1:1", "ws://127.0.0.1:2/"])
    #expect(status == 69)
    #expect(steps.last == Step(name: "proxy", ok: false))
    #expect((objects.last?["advice"] as? String)?.contains("--no-proxy") == true)
  }
}
