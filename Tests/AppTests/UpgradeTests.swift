import Foundation
import TestKit
import Testing

/// Conditions of the upgrade, by the built program against the websockets library.
@Suite(.ownThreads) struct UpgradeTests {
  private let options = ["--first-delay", "50ms", "--header", "Cookie: theme=dark"]

  private func cat(_ url: String, _ more: [String] = []) throws -> Running.Result {
    try CatRun(options + more + [url], environment: ["PARLOUR_TOKEN": "s3cret"])
      .running.finish(within: 40)
  }

  private func texts(_ result: Running.Result) throws -> [String] {
    try result.output.map(CatRun.object).compactMap { $0["text"] as? String }
  }

  @Test func aCookieOfTheUpgradeComesBackWithTheReconnect() throws {
    let server = try PeerServer.start("upgrade_server.py")
    let result = try cat(server.url + "sticky", ["--count", "2", "--wait", "20s"])
    #expect(result.status == 0, "\(result)")
    #expect(
      try texts(result) == ["/sticky theme=dark", "/sticky theme=dark route=node-0042"])
    #expect(result.output.contains { $0.contains(#""code":1012"#) })
  }

  @Test func theCookieAndThePauseOfARefusalAreHonoured() throws {
    let server = try PeerServer.start("upgrade_server.py")
    let result = try cat(server.url + "busy?2", ["--count", "1", "--wait", "20s"])
    #expect(result.status == 0, "\(result)")
    #expect(try texts(result) == ["/busy?2 theme=dark route=node-0042"])
    let waiting = try #require(result.output.first { $0.contains(#""event":"waiting""#) })
    // The dates have whole seconds.
    let delay = try #require(CatRun.object(waiting)["delay_ms"] as? Double)
    #expect(delay >= 1000 && delay <= 2500)
    #expect(!(result.output + result.errors).joined().contains("Set-Cookie"))
  }

  @Test func aPauseOfAYearIsNotWaitedFor() throws {
    let server = try PeerServer.start("upgrade_server.py")
    let result = try cat(server.url + "busy?31536000", ["--wait", "20s"])
    #expect(result.status == 69, "\(result)")
    #expect(result.output.contains { $0.contains("gave-up") && $0.contains("365 days") })
  }

  @Test func aRedirectWithinTheServerIsFollowedWithTheTokenAndTold() throws {
    let server = try PeerServer.start("upgrade_server.py")
    let result = try cat(server.url + "moved/from?x=1", ["--count", "1", "--wait", "20s"])
    #expect(result.status == 0, "\(result)")
    #expect(
      try CatRun.names(result.output) == ["connecting", "notice", "opened", "text", "closed"])
    #expect(try texts(result) == ["/here?x=1 theme=dark"])
    #expect(result.output[1].contains("here?x=1 (307): following"))
  }

  /// The other server must not even be called.
  @Test func aTokenDoesNotGoToAnotherPort() throws {
    let other = try PeerServer.start("upgrade_server.py")
    let server = try PeerServer.start("upgrade_server.py", ["--away", other.url])
    let result = try cat(server.url + "away", ["--wait", "20s"])
    #expect(result.status == 76, "\(result)")
    let told = try #require(result.output.first { $0.contains(#""event":"failed""#) })
    let message = try #require(CatRun.object(told)["message"] as? String)
    #expect(message.contains("\(other.url), which is another server, and was not followed"))
    #expect(!(result.output + result.errors).joined().contains("s3cret"))
    #expect(try server.running.line(containing: "request for") == "request for /away")
    // The first request that the other one sees is the next one.
    #expect(try cat(other.url + "next", ["--count", "1", "--wait", "20s"]).status == 0)
    #expect(try other.running.line(containing: "request for") == "request for /next")
  }

  @Test(arguments: [
    ("away", "wss://other.example/login?next=here"), ("circle", "in a circle"),
  ])
  func anotherRedirectIsShownAndEndsTheLoop(path: String, words: String) throws {
    let server = try PeerServer.start("upgrade_server.py")
    let result = try cat(server.url + path, ["--wait", "20s"])
    #expect(result.status == 76, "\(result)")
    #expect(try CatRun.names(result.output) == ["connecting", "failed", "gave-up"])
    #expect(result.output[1].replacing(#"\/"#, with: "/").contains(words), "\(result.output[1])")
  }
}
