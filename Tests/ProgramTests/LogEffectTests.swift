import Channel
import Program
import Screen
import TestKit
import Testing
import WebSocket

/// Events are given out for a log where one is kept, and cost nothing where none is.
struct LogEffectTests {
  private func configuration(isLogged: Bool) throws -> SessionConfiguration {
    var configuration = SessionConfiguration(
      endpoint: try Endpoint(parsing: "ws://chat.example/"), subprotocols: [],
      context: DialectContext(room: "lobby", nick: "ada"))
    configuration.isLogged = isLogged
    return configuration
  }

  @Test(arguments: [true, false])
  func catGivesOutEventsForTheLog(isLogged: Bool) throws {
    var entropy = Entropy.seeded()
    var client = CatClient(
      try configuration(isLogged: isLogged), CatOptions(url: "ws://chat.example/"))
    let effects = client.handle(
      .start, at: Instant(), wall: Timestamp(milliseconds: 0), entropy: &entropy)
    let events = effects.compactMap { if case .log(let event) = $0 { event } else { nil } }
    #expect(events.contains(.connecting(attempt: 1)) == isLogged)
    #expect(events.isEmpty != isLogged)
  }

  @Test(arguments: [true, false])
  func theChatGivesOutEventsForTheLog(isLogged: Bool) throws {
    var entropy = Entropy.seeded()
    var program = Program(
      try configuration(isLogged: isLogged), theme: .fallback, width: 80, height: 24)
    let effects = program.handle(
      .start, at: Instant(), wall: Timestamp(milliseconds: 0), entropy: &entropy)
    let events = effects.compactMap { if case .log(let event) = $0 { event } else { nil } }
    #expect(events.contains(.connecting(attempt: 1)) == isLogged)
    #expect(events.isEmpty != isLogged)
  }
}
