import Channel
import Foundation
import TestKit
import Testing

@testable import App

/// What a window connects with, and that no server gets what was meant for another.
@MainActor @Suite struct ChatServersTests {
  private static func file(_ text: String) throws -> String {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "parlour-token-\(UUID().uuidString)")
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path()
  }

  private static func windows(_ words: [String]) throws -> [ConnectOptions] {
    try ChatServers(try Arguments.parse(words), Configuration(file: "")).first()
  }

  @Test func eachServerHasEachRoomOnce() throws {
    let windows = try Self.windows([
      "ws://a.example/", "ws://b.example/", "ws://a.example", "--room", "lobby", "--room", "dev",
      "--room", "lobby",
    ])
    #expect(
      windows.map { "\($0.session.endpoint.host) \($0.session.context.room)" } == [
        "a.example lobby", "a.example dev", "b.example lobby", "b.example dev",
      ])
    #expect(try Self.windows(["ws://a.example"]).map(\.session.context.room) == ["lobby"])
  }

  @Test func aTokenNeverGoesToAnotherOrigin() throws {
    let path = try Self.file("secret\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = [
      "wss://a.example/chat", "--token-file", path, "--header", "Cookie: secret", "--insecure",
    ]
    for other in [
      "wss://b.example/chat", "ws://a.example/chat", "wss://a.example:444/chat",
      "wss://a.example.evil.example/chat", "wss://a.example@b.example/", "wss://sub.a.example/",
    ] {
      let windows = try Self.windows(words + [other])
      #expect(windows[0].session.token != nil)
      #expect(windows[1].session.token == nil, "\(other)")
      #expect(windows[1].session.context.token == nil)
      #expect(windows[1].session.headers.isEmpty)
      #expect(windows[1].tokenSource == .none)
      #expect(!windows[1].session.renewsToken)
      #expect(!windows[1].session.isInsecure)
      #expect(
        windows[1].warnings.contains { $0.contains("The token goes to wss://a.example only") })
      let servers = ChatServers(try Arguments.parse(words), Configuration(file: ""))
      let later = try servers.options(of: other, beside: [windows[0]])
      #expect(later.session.token == nil && later.session.headers.isEmpty, "\(other)")
      // Neither by way of a window without one.
      let last = try servers.options(of: other, beside: [later])
      #expect(last.session.token == nil)
      let back = try servers.options(of: "wss://a.example/x", beside: [later])
      #expect(back.session.token == nil)
    }
  }

  @Test func aTokenGoesToAnotherPathAndRoomOfItsOrigin() throws {
    let path = try Self.file("secret\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = ["wss://a.example/chat", "--token-file", path, "--header", "X-Team: blue"]
    let windows = try Self.windows(
      words + ["wss://A.example:443/other", "--room", "x", "--room", "y"])
    #expect(windows.count == 4)
    for window in windows {
      #expect(window.session.token?.secret == "secret")
      #expect(window.session.headers.count == 1)
      #expect(window.tokenSource == .file(path))
    }
  }

  @Test func theTokenOfTheEnvironmentStaysWithTheFirstServer() throws {
    setenv("PARLOUR_TOKEN", "of the environment", 1)
    defer { unsetenv("PARLOUR_TOKEN") }
    let servers = ChatServers(try Arguments.parse(["wss://a.example"]), Configuration(file: ""))
    let open = [
      try ConnectOptions(
        try Arguments.parse(["wss://c.example", "--token-file", "/dev/null"]), identity: .nobody)
    ]
    #expect(try servers.options(of: "wss://b.example", beside: open).session.token == nil)
  }

  @Test func aRoomOfTheSameServerDiffersInItsRoomOnly() throws {
    let first = try #require(
      try Self.windows(["ws://a.example", "--nick", "ada", "--after", "m7"]).first)
    let other = try first.entering("dev")
    #expect(other.session.context.room == "dev" && other.session.context.nick == "ada")
    #expect(first.session.context.after == "m7" && other.session.context.after == nil)
  }
}
