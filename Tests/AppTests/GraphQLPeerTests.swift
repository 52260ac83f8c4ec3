import Foundation
import TestKit
import Testing

/// The built program against GraphQL servers that we did not write, through their shipped profiles.
@Suite(.ownThreads) struct GraphQLPeerTests {
  static let peers = [
    ("strawberry_chat.py", "strawberry.json"), ("ariadne_chat.py", "ariadne.json"),
  ]

  private static func profile(_ name: String) -> String {
    Programs.root + "/Sources/App/Profiles/" + name
  }

  private static func start(_ script: String, _ arguments: [String]) throws -> PeerServer {
    try PeerServer.start(script, ["--port", "0", "--seed", "5"] + arguments)
  }

  @Test(arguments: peers)
  func historyOwnAndOthersMessagesComeAndAKickLosesNothing(
    script: String, profile: String
  ) throws {
    let server = try Self.start(script, ["--auth", "init"])
    let options = [
      "--profile", Self.profile(profile), "--room", "general", "--first-delay", "100ms",
    ]
    let token = ["PARLOUR_TOKEN": "s3cret"]
    let ada = try CatRun(options + ["--nick", "ada", server.url], environment: token)
    for number in 1...5 {
      let message = try ada.event("message")
      #expect(message["text"] as? String == "line \(number)")
      #expect(message["mine"] as? Bool == false)
    }
    ada.running.write("mine\n")
    #expect(try ada.event("sent")["text"] as? String == "mine")

    for code in [1012, 1000, 1001, 1011] {
      try server.admin("kick?code=\(code)")
      #expect(try ada.event("closed")["code"] as? Int == code)
      // Said by somebody else while ada is away or coming back: fetched or pushed, once.
      let bob = try CatRun(
        options + ["--nick", "bob", "--history", "0", "--send", "meanwhile \(code)", server.url],
        environment: token)
      #expect(try bob.running.finish().status == 0)
      #expect(try ada.event("message")["text"] as? String == "meanwhile \(code)")
      ada.running.write("after \(code)\n")
      #expect(try ada.event("message")["text"] as? String == "after \(code)")
      #expect(try ada.event("sent")["text"] as? String == "after \(code)")
    }
    let stats = try CatRun.object(server.admin("stats"))
    #expect(stats["stored"] as? Int == 5 + 1 + 8)
    ada.running.signal(SIGINT)
    #expect(try ada.running.finish().status == 130)
  }

  /// Ten at once are all that the server gives, whatever is asked for.
  @Test(arguments: peers)
  func whatWasMissedIsFetchedFromAServerThatGivesFewAtOnce(script: String, profile: String) throws {
    let server = try Self.start(script, ["--most", "10"])
    let ada = try CatRun([
      "--profile", Self.profile(profile), "--room", "general", "--first-delay", "1s", "--history",
      "0", "--nick", "ada", server.url,
    ])
    ada.running.write("begin\n")
    #expect(try ada.event("sent")["text"] as? String == "begin")
    for round in 1...2 {
      try server.admin("kick?code=1012")
      _ = try ada.event("closed")
      let texts = (1...35).map { "round-\(round)-\($0)" }
      for text in texts { try server.admin("say?room=general&author=bob&text=\(text)") }
      for text in texts { #expect(try ada.event("message")["text"] as? String == text) }
      try server.admin("say?room=general&author=bob&text=live-\(round)")
      #expect(try ada.event("message")["text"] as? String == "live-\(round)")
    }
    ada.running.signal(SIGINT)
    let end = try ada.running.finish()
    #expect(end.status == 130)
    #expect(!end.output.contains { $0.contains(#""event":"notice""#) })
  }

  @Test(arguments: [
    ("header", "close4403"), ("header", "http401"), ("header", "http403"), ("init", "close4401"),
    ("init", "native"), ("either", "close4403"),
  ])
  func aWrongTokenIsRefusedWhateverWayTheServerRefuses(auth: String, reject: String) throws {
    for (script, profile) in Self.peers {
      let server = try Self.start(script, ["--auth", auth, "--reject", reject])
      // Without --auth the token travels where the profile says; Ariadne's knows no header.
      let options =
        ["--profile", Self.profile(profile)]
        + (auth == "header" && script.hasPrefix("ariadne") ? ["--auth", "header"] : [])
      let wrong = try CatRun(
        options + [server.url], environment: ["PARLOUR_TOKEN": "wrong-token"])
      let result = try wrong.running.finish(within: 40)
      #expect(result.status == 77, "\(script) \(auth) \(reject): \(result)")
      #expect(!(result.output + result.errors).joined().contains("wrong-token"))
      let right = try CatRun(
        options + ["--send", "hi", server.url], environment: ["PARLOUR_TOKEN": "s3cret"])
      #expect(try right.running.finish(within: 40).status == 0)
    }
  }
}
