import Foundation
import TestKit
import Testing

/// The built program against servers that speak nothing but the older `graphql-ws`.
@Suite(.ownThreads) struct LegacyTests {
  private static func options(_ profile: String, nick: String, _ server: PeerServer) -> [String] {
    [
      "--profile", profile, "--room", "general", "--nick", nick, "--first-delay", "20ms",
      server.url,
    ]
  }

  /// Strawberry takes subscriptions only on this socket: history and posts go over HTTP there.
  @Test(arguments: [("strawberry", "header"), ("ariadne", "init")])
  func aChatOverTheOlderProtocolLosesNothing(library: String, auth: String) throws {
    let server = try PeerServer.start(
      "\(library)_chat.py",
      [
        "--port", "0", "--seed", "3", "--protocols", "legacy", "--auth", auth, "--keep-alive", "1",
      ])
    let token = ["PARLOUR_TOKEN": "s3cret"]
    let ada = try CatRun(
      Self.options(library, nick: "ada", server), environment: token)
    #expect(try ada.event("opened")["subprotocol"] as? String == "graphql-ws")
    for number in 1...3 { #expect(try ada.event("message")["text"] as? String == "line \(number)") }
    ada.running.write("mine\n")
    #expect(try ada.event("sent")["text"] as? String == "mine")
    for code in [1012, 1001] {
      try server.admin("kick?code=\(code)")
      let bob = try CatRun(
        ["--history", "0", "--send", "meanwhile \(code)"]
          + Self.options(library, nick: "bob", server), environment: token)
      #expect(try bob.running.finish().status == 0)
      #expect(
        try ada.event("message", containing: "meanwhile")["text"] as? String == "meanwhile \(code)")
    }
    let stats = try CatRun.object(server.admin("stats"))
    #expect(stats["stored"] as? Int == 3 + 1 + 2)
    ada.running.signal(SIGINT)
    #expect(try ada.running.finish().status == 130)
  }

  /// A ping every half a minute would find it out much later.
  @Test("keep-alive: a server whose `ka` stay away is asked, and a frozen one found out")
  func keepAlive() throws {
    let server = try PeerServer.start(
      "strawberry_chat.py",
      ["--port", "0", "--seed", "1", "--protocols", "legacy", "--keep-alive", "0.5"])
    let ada = try CatRun(
      ["--ping-interval", "10m", "--ping-timeout", "500ms"]
        + Self.options("strawberry", nick: "ada", server))
    _ = try ada.event("message")
    // Until four of them have come.
    for _ in 0..<200 { ada.running.takeWhatComes() }
    server.running.signal(SIGSTOP)
    let failed = try ada.event("failed")
    #expect(failed["kind"] as? String == "timeout")
    server.running.signal(SIGCONT)
    #expect(try ada.event("opened")["subprotocol"] as? String == "graphql-ws")
  }

  @Test(arguments: ["strawberry", "ariadne"])
  func aSubscriptionOverTheOlderProtocol(library: String) throws {
    let server = try PeerServer.start(
      "\(library)_chat.py", ["--port", "0", "--seed", "3", "--protocols", "legacy"])
    let result = try Running(
      Programs.parlour,
      [
        "subscribe", "--query",
        #"subscription { messageAdded(room: "general", after: "m1") { id } }"#, "--count", "2",
        server.url,
      ]
    ).finish()
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == [
        #"{"data":{"messageAdded":{"id":"m2"}}}"#, #"{"data":{"messageAdded":{"id":"m3"}}}"#,
      ])
  }

  @Test func aProfileIsFoundByItsNameAndOthersAreListed() throws {
    let result = try Running(
      Programs.parlour, ["cat", "--profile", "nope", "ws://127.0.0.1:1/"]
    ).finish()
    #expect(result.status == 78)
    #expect(
      result.errors.first?.contains("There are: ariadne, embedded, hasura, strawberry.") == true,
      "\(result.errors)")
  }

  @Test func theShippedProfileOfTheEmbeddedServerFitsIt() throws {
    let server = try PeerServer.embedded()
    let run = try CatRun(["--profile", "embedded", "--send", "hi", server.url])
    let result = try run.running.finish()
    #expect(result.status == 0)
    #expect(try CatRun.names(result.output).contains("sent"))
    #expect(!(try CatRun.names(result.output).contains("notice")), "\(result.output)")
  }
}
