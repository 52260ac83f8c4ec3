import Foundation
import Sockets

/// Where the points find their servers.
struct CancelPlaces: Sendable {
  let echo: URL
  /// Reads nothing once a line is open.
  let stuck: URL
  /// Accepts TCP and answers nothing.
  let mute: URL
  /// Refuses connections.
  let nobody: URL
  /// A name that must be looked up.
  let unknown: URL
}

/// A place in a program where a task can have to wait.
enum CancelPoint: String, CaseIterable, Sendable {
  case openDuringUpgrade, openDuringLookUp, nextBeforeOpen, nextOnQuietLine, sendBeforeOpen
  case sendToStuckPeer, flushToStuckPeer, closeOfStuckPeer, dropOfOpenLine
  case openInWait, nextInWait, sendInWait, disconnectOfResilientLine

  /// Goes there and stays; tells the gate before every step.
  func run(_ places: CancelPlaces, _ gate: Gate) async throws {
    switch self {
    case .openDuringUpgrade: try await open(SocketChannel(url: places.mute), gate)
    case .openDuringLookUp: try await open(SocketChannel(url: places.unknown), gate)
    case .nextBeforeOpen: await consume(SocketChannel(url: places.mute), gate)
    case .nextOnQuietLine: await consume(Self.channel(places.echo), gate)
    case .sendBeforeOpen:
      let channel = SocketChannel(url: places.mute)
      channel.connect()
      gate.step()
      try await channel.send("x")
    case .sendToStuckPeer: try await send(Self.channel(places.stuck), gate) { _ in }
    case .flushToStuckPeer:
      try await send(Self.channel(places.stuck), gate) { try await $0.flush() }
    case .closeOfStuckPeer:
      let channel = Self.channel(places.stuck)
      try await channel.open()
      gate.step()
      await channel.close()
    case .dropOfOpenLine:
      let channel = Self.channel(places.echo)
      try await channel.open()
      gate.step()
      try await channel.send("x")
    case .openInWait:
      gate.step()
      try await Self.resilient(places.nobody).open()
    case .nextInWait:
      for await _ in Self.resilient(places.nobody).connect() { gate.step() }
    case .sendInWait:
      let channel = Self.resilient(places.nobody)
      channel.connect()
      gate.step()
      try await channel.send("x")
    case .disconnectOfResilientLine:
      let channel = Self.resilient(places.echo)
      try await channel.open()
      gate.step()
      await channel.disconnect()
    }
  }

  private func open(_ channel: SocketChannel, _ gate: Gate) async throws {
    gate.step()
    try await channel.open()
  }

  private func consume(_ channel: SocketChannel, _ gate: Gate) async {
    gate.step()
    for await _ in channel.connect() { gate.step() }
  }

  private func send(
    _ channel: SocketChannel, _ gate: Gate, _ then: (SocketChannel) async throws -> Void
  ) async throws {
    try await channel.open()
    while true {
      gate.step()
      try await channel.send(Data(count: 65_536))
      try await then(channel)
    }
  }

  static func channel(_ url: URL) -> SocketChannel {
    SocketChannel(url: url, configuration: quick)
  }

  private static func resilient(_ url: URL) -> ResilientChannel {
    var policy = ReconnectPolicy()
    policy.firstDelay = .seconds(3600)
    policy.longestDelay = .seconds(3600)
    return ResilientChannel(url: url, policy: policy, configuration: quick)
  }

  private static var quick: SocketConfiguration {
    var configuration = SocketConfiguration()
    configuration.closeTimeout = .milliseconds(20)
    configuration.sendBuffer = SocketBuffer(bytes: 65_536, messages: 16)
    return configuration
  }
}
