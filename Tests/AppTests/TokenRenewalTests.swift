import Foundation
import TestKit
import Testing

/// Tokens that expire or are replaced, with the built program against servers that we did not write.
@Suite(.ownThreads) struct TokenRenewalTests {
  private static func start(_ script: String, _ arguments: [String]) throws -> PeerServer {
    try PeerServer.start(script, ["--port", "0"] + arguments)
  }

  private static func file(_ token: String) throws -> String {
    let path = NSTemporaryDirectory() + "parlour-token-\(UUID().uuidString)"
    try token.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private static func options(_ profile: String, nick: String) -> [String] {
    [
      "--profile", Programs.root + "/Sources/App/Profiles/" + profile, "--room", "general",
      "--nick", nick, "--history", "0", "--first-delay", "20ms", "--auth", "init",
    ]
  }

  @Test(arguments: GraphQLPeerTests.peers)
  func anExpiryInTheMiddleOfATalkIsSurvivedUnseen(script: String, profile: String) throws {
    let server = try Self.start(script, ["--auth", "init"])
    let path = try Self.file("s3cret")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let ada = try CatRun(
      Self.options(profile, nick: "ada") + ["--token-file", path, server.url])
    ada.running.write("begin\n")
    _ = try ada.event("sent")
    for (round, code) in [4403, 4401, 1008].enumerated() {
      let token = "token-\(round)"
      try server.admin("rotate?token=\(token)")
      try token.write(toFile: path, atomically: true, encoding: .utf8)
      try server.admin("kick?code=\(code)&reason=expired")
      let bob = try CatRun(
        Self.options(profile, nick: "bob") + ["--send", "meanwhile \(round)", server.url],
        environment: ["PARLOUR_TOKEN": token])
      #expect(try bob.running.finish().status == 0)
      #expect(
        try ada.event("message", containing: "meanwhile")["text"] as? String == "meanwhile \(round)"
      )
      ada.running.write("after \(round)\n")
      #expect(try ada.event("sent")["text"] as? String == "after \(round)")
    }
    ada.running.signal(SIGINT)
    let end = try ada.running.finish()
    #expect(end.status == 130)
    #expect(!end.output.contains { $0.contains("\"failed\"") })
  }

  @Test(arguments: [
    ("header", "http401"), ("header", "http403"), ("header", "close4403"), ("init", "close4401"),
    ("init", "close4403"), ("init", "native"),
  ])
  func aRefusedTokenIsReplacedOnceByWhatTheCommandPrintsThen(auth: String, reject: String) throws {
    for (script, profile) in GraphQLPeerTests.peers {
      let server = try Self.start(script, ["--auth", auth, "--reject", reject])
      let path = try Self.file("stale")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let run = try CatRun([
        "--profile", Programs.root + "/Sources/App/Profiles/" + profile, "--auth", auth,
        "--token-command", "cat \(path); printf s3cret > \(path)", "--send", "hi", server.url,
      ])
      let result = try run.running.finish(within: 40)
      #expect(result.status == 0, "\(script) \(auth) \(reject): \(result)")
      #expect(try server.admin("stats").contains(#""stored": 1"#))
      #expect(try CatRun.names(result.output).filter { $0 == "connecting" }.count == 2)
    }
  }

  @Test(arguments: ["http401", "close4403", "native"])
  func theSameTokenAgainStopsAndSaysSo(reject: String) throws {
    let server = try Self.start(
      "strawberry_chat.py", ["--auth", reject == "http401" ? "header" : "init", "--reject", reject])
    let path = try Self.file("stale")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try Running(
      Programs.parlour,
      [
        "subscribe", "--query", "{ __typename }", "--token-file", path, "--auth",
        reject == "http401" ? "header" : "init", server.url,
      ])
    let result = try run.finish()
    #expect(result.status == 77)
    #expect(result.errors.contains { $0.contains("the same token came again") }, "\(result.errors)")
    #expect(!result.errors.joined().contains("stale"))
    #expect(try server.admin("stats").contains(#""opened": 1"#))
  }

  @Test(
    "kicks for the token's sake, with the same one again, stop and say so",
    arguments: [4401, 4403, 1008])
  func sameTokenAfterAKick(code: Int) throws {
    for (script, profile) in GraphQLPeerTests.peers {
      let server = try Self.start(script, ["--auth", "init"])
      let ada = try CatRun(
        Self.options(profile, nick: "ada") + ["--token-command", "echo s3cret", server.url])
      ada.running.write("begin\n")
      _ = try ada.event("sent")
      try server.admin("kick?code=\(code)&reason=expired")
      let failed = try ada.event("failed")
      #expect(
        (failed["message"] as? String)?.contains("the same token came again") == true, "\(failed)")
      #expect(try ada.running.finish(endingInput: false).status == 77)
      #expect(try server.admin("stats").contains(#""opened": 1"#))
    }
  }

  @Test(arguments: GraphQLPeerTests.peers)
  func aPostThatIsRefusedForTheTokenIsMadeOnceMoreWithAFreshOne(
    script: String, profile: String
  ) throws {
    let server = try Self.start(script, ["--auth", "init", "--check-operations"])
    let path = try Self.file("s3cret")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let ada = try CatRun(Self.options(profile, nick: "ada") + ["--token-file", path, server.url])
    for round in 0..<3 {
      ada.running.write("message \(round)\n")
      #expect(try ada.event("sent")["text"] as? String == "message \(round)")
      try server.admin("rotate?token=token-\(round)")
      try "token-\(round)".write(toFile: path, atomically: true, encoding: .utf8)
    }
    ada.running.signal(SIGINT)
    #expect(try ada.running.finish().status == 130)
    #expect(try server.admin("stats").contains(#""stored": 3"#))
  }

  @Test(arguments: GraphQLPeerTests.peers)
  func aMutationThatIsRefusedForTheTokenIsMadeOnceMore(script: String, profile: String) throws {
    let server = try Self.start(script, ["--check-operations"])
    for (command, status, stored) in [
      ("cat %; printf s3cret > %", Int32(0), 1), ("cat %", 77, 1),
    ] {
      let path = try Self.file("stale")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let run = try Running(
        Programs.parlour,
        [
          "subscribe", "--query",
          #"mutation { postMessage(room: "general", author: "ada", text: "once") { text } }"#,
          "--auth", "init", "--token-command", command.replacingOccurrences(of: "%", with: path),
          server.url,
        ])
      let result = try run.finish()
      #expect(result.status == status, "\(script) \(command): \(result)")
      #expect(result.output.joined().contains("once") == (status == 0))
      #expect(status == 0 || result.errors.contains { $0.contains("the same token came again") })
      #expect(try server.admin("stats").contains("\"stored\": \(stored)"))
    }
  }

  @Test func aFreshTokenThatIsRefusedAsWellIsTheEnd() throws {
    let server = try Self.start("strawberry_chat.py", ["--auth", "init"])
    let path = try Self.file("a")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try Running(
      Programs.parlour,
      [
        "subscribe", "--query", "{ __typename }", "--auth", "init", "--token-command",
        "cat \(path); printf b >> \(path)", server.url,
      ])
    let result = try run.finish()
    #expect(result.status == 77)
    #expect(result.errors.contains { $0.contains("a fresh token was refused as well") })
    #expect(try server.admin("stats").contains(#""opened": 2"#))
  }
}
