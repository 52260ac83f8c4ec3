import Foundation
import Sockets
import TestKit
import Testing

/// Nothing grows without bound.
@Suite(.timeLimit(.minutes(2))) struct BackpressureTests {
  @Test func aSlowConsumerStopsThePeersSending() async throws {
    let server = try Server()
    // 64 MiB in all; what the two kernels and the peer hold on the way is some MiB.
    let channel = SocketChannel(url: try server.url("/count?n=65536&size=1024"))
    try await channel.open()
    let asking = SocketChannel(url: try server.url("/how-many"))
    try await asking.open()
    var stands: [String] = []
    while stands.count < 5 {
      try await asking.send("?")
      let count = try await asking.text()
      if stands.last != count { stands = [] }
      stands.append(count)
    }
    let sent = try #require(stands.last.flatMap { Int($0) })
    #expect(sent < 32_768, "the peer went on sending: \(sent)")

    var next = 0
    for await event in channel.events {
      guard case .text(let text) = event else { continue }
      if !text.hasPrefix("\(next) ") { Issue.record("\(text) came instead of \(next)") }
      next += 1
    }
    #expect(next == 65_536)
  }

  @Test func aSlowConsumerCostsLittleMemory() throws {
    let server = try Server()
    let folder = URL(filePath: Programs.parlour).deletingLastPathComponent().path()
    let probe = try Running(folder + "sockets-probe", ["memory", server.base])
    let result = try probe.finish(within: 100)
    #expect(result.status == 0, "\(result.output) \(result.errors)")
  }

  @Test func aSmallBufferLosesNothing() async throws {
    let server = try Server.shared.get()
    var configuration = SocketConfiguration()
    configuration.receiveBuffer = SocketBuffer(bytes: 1, messages: 1)
    configuration.sendBuffer = SocketBuffer(bytes: 1, messages: 1)
    let channel = SocketChannel(url: try server.url("/echo"), configuration: configuration)
    try await channel.open()
    async let sending: Void = { for number in 0..<2000 { try await channel.send("\(number)") } }()
    for number in 0..<2000 { #expect(try await channel.text() == "\(number)") }
    try await sending
    await channel.close()
  }

  @Test func aPeerThatReadsNothingSuspendsTheSender() async throws {
    let server = try Server()
    let channel = SocketChannel(url: try server.url("/stuck"))
    try await channel.open()
    let sent = Counter()
    let sending = Task {
      let data = Data(count: 64 << 10)
      // 256 MiB in all.
      for _ in 0..<4096 {
        try await channel.send(data)
        sent.add()
      }
    }
    // Another line's round trips stand for time.
    let clock = SocketChannel(url: try server.url("/how-many"))
    try await clock.open()
    var stands: [Int] = []
    while stands.count < 5 {
      try await clock.send("?")
      _ = try await clock.text()
      let count = sent.value
      if count == 0 || stands.last != count { stands = [] }
      stands.append(count)
    }
    #expect(sent.value < 2048, "\(sent.value) pieces of 64 KiB were taken")
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
  }

  @Test func breakingOffAFloodAndClosingDoesNotWaitForTheFlood() async throws {
    let server = try Server()
    let channel = SocketChannel(url: try server.url("/count?n=65536&size=1024"))
    channel.connect()
    for await event in channel.events {
      if case .text = event { break }
    }
    await channel.close()
    let last = await channel.allEvents().last
    guard case .closed? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
  }
}

/// Counts from any task.
final class Counter: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var count = 0

  func add() { lock.withLock { count += 1 } }
  var value: Int { lock.withLock { count } }
}
