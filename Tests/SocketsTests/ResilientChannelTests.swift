import Foundation
import Sockets
import TestKit
import Testing

/// Lines that are lost and come back, against a server that we did not write.
@Suite(.timeLimit(.minutes(2))) struct ResilientChannelTests {
  /// The usual numbers, a hundred times as fast.
  private var fast: ReconnectPolicy {
    var policy = ReconnectPolicy()
    policy.firstDelay = .milliseconds(10)
    policy.longestDelay = .milliseconds(100)
    policy.maximumAttempts = 1000
    return policy
  }

  @Test func aKilledServersChannelComesBackWithIt() async throws {
    let first = try Server()
    let port = first.port
    let channel = ResilientChannel(url: try first.url("/echo"), policy: fast)
    try await channel.open()
    try await channel.send("before")
    var iterator = channel.events.makeAsyncIterator()
    #expect(await iterator.next() == .opened(subprotocol: nil))
    #expect(await iterator.next() == .text("before"))
    try first.kill()
    guard case .lost? = await iterator.next(),
      case .waiting? = await iterator.next()
    else {
      Issue.record("the loss was not told")
      return
    }
    // Waits for the line of the new server.
    async let late: Void = channel.send("while it was down")
    let second = try Server(["--port", port])
    var texts: [String] = []
    while texts.isEmpty, let event = await iterator.next() {
      if case .text(let text) = event { texts.append(text) }
    }
    try await late
    #expect(texts == ["while it was down"])
    await channel.disconnect()
    var last: ResilientEvent?
    while let event = await iterator.next() { last = event }
    #expect(last == .closed(code: .normalClosure, reason: ""))
    try second.kill()
  }

  @Test func afterItsAttemptsAChannelGivesUp() async throws {
    var policy = fast
    policy.maximumAttempts = 3
    let channel = ResilientChannel(
      url: try #require(URL(string: "ws://127.0.0.1:1/")), policy: policy)
    var names: [String] = []
    for await event in channel.connect() {
      switch event {
      case .failed: names.append("failed")
      case .waiting(let attempt, _): names.append("waiting \(attempt)")
      case .gaveUp(let error):
        names.append("gave up")
        #expect(error.kind == .tcp)
      case .opened, .text, .binary, .lost, .closed: names.append("\(event)")
      }
    }
    #expect(
      names == ["failed", "waiting 2", "failed", "waiting 3", "failed", "gave up"])
    #expect(await socketError { try await channel.send("x") }?.kind == .tcp)
    // And another row, because it was asked for.
    #expect(await socketError { try await channel.open() }?.kind == .tcp)
  }

  @Test func aRefusalIsNotTriedAgain() async throws {
    let server = try Server.shared.get()
    let channel = ResilientChannel(url: try server.url("/refused"), policy: fast)
    var events: [ResilientEvent] = []
    for await event in channel.connect() { events.append(event) }
    guard case .failed(let error)? = events.first, events == [.failed(error), .gaveUp(error)] else {
      Issue.record("\(events)")
      return
    }
    #expect(error.status == 401)
  }

  @Test func disconnectingEndsAWaitAtOnce() async throws {
    var policy = ReconnectPolicy()
    policy.firstDelay = .seconds(3600)
    policy.longestDelay = .seconds(3600)
    let channel = ResilientChannel(
      url: try #require(URL(string: "ws://127.0.0.1:1/")), policy: policy)
    channel.connect()
    var last: ResilientEvent?
    for await event in channel.events {
      last = event
      if case .waiting = event { await channel.disconnect() }
    }
    #expect(last == .closed(code: .normalClosure, reason: ""))
  }

  @Test func aCancelledOpenEndsAWaitAtOnce() async throws {
    var policy = ReconnectPolicy()
    policy.firstDelay = .seconds(3600)
    policy.longestDelay = .seconds(3600)
    let channel = ResilientChannel(
      url: try #require(URL(string: "ws://127.0.0.1:1/")), policy: policy)
    let opening = Task { try await channel.open() }
    var last: ResilientEvent?
    for await event in channel.events {
      last = event
      if case .waiting = event { opening.cancel() }
    }
    await #expect(throws: CancellationError.self) { try await opening.value }
    guard case .closed? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
  }

  @Test func aServerThatAcceptsAndDropsIsGivenUpToo() async throws {
    let server = try Server.shared.get()
    var policy = fast
    policy.maximumAttempts = 3
    let channel = ResilientChannel(url: try server.url("/cut"), policy: policy)
    var lost = 0
    var last: ResilientEvent?
    for await event in channel.connect() {
      if case .lost = event { lost += 1 }
      last = event
    }
    #expect(lost == 3)
    guard case .gaveUp? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
  }

  @Test func offlineSendsFailWhereThatIsAskedFor() async throws {
    var policy = ReconnectPolicy()
    policy.firstDelay = .seconds(3600)
    policy.whenOffline = .fail
    let channel = ResilientChannel(
      url: try #require(URL(string: "ws://127.0.0.1:1/")), policy: policy)
    channel.connect()
    #expect(await socketError { try await channel.send("x") }?.kind == .notConnected)
    await channel.disconnect()
  }
}
