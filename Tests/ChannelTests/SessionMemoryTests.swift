import Channel
import Deflate
import TestKit
import Testing
import WebSocket

/// What a server makes a session hold at once is bounded.
@Suite struct SessionMemoryTests {
  private static let message = [UInt8](repeating: 0x61, count: (1 << 20) - 1)

  /// A line that agreed on compression, and the frame of a message that a thousandth of its size stands for.
  private static func compressedLine() throws -> (SessionHarness, frame: [UInt8]) {
    var harness = try SessionHarness()
    var parameters = DeflateParameters()
    parameters.serverNoContextTakeover = true
    harness.handle(.connect)
    harness.linkOpened()
    harness.receive(
      ServerHandshake.accept(
        key: harness.server.request?.key ?? "", subprotocol: nil, compression: parameters))
    var entropy = Entropy.seeded(3)
    var machine = WebSocketMachine(
      role: .server, transform: PerMessageDeflate(parameters, role: .server))
    machine.send(.text, message.span.bytes, entropy: &entropy)
    return (harness, machine.takeOutput())
  }

  private static func rawBytes(_ actions: [SessionAction]) -> [Int] {
    actions.compactMap { if case .event(.raw(_, let bytes)) = $0 { bytes.count } else { nil } }
  }

  @Test func aReadFullOfCompressedMessagesIsHandedOverInPieces() throws {
    var (harness, frame) = try Self.compressedLine()
    let read = Array(repeatElement(frame, count: 200).joined())
    var position = 0
    var turns = 0
    var messages = 0
    while position < read.count {
      let actions = harness.session.receive(
        read.span.bytes.extracting(position...), from: harness.link, at: harness.now,
        entropy: &harness.entropy)
      position = read.count - harness.session.untaken
      let sizes = Self.rawBytes(actions)
      #expect(sizes.reduce(0, +) <= 2 << 20)
      #expect(sizes.allSatisfy { $0 == Self.message.count })
      messages += sizes.count
      turns += 1
    }
    #expect(messages == 200)
    #expect(turns >= 100)
  }

  @Test func whatFewBytesStandForIsNotHandedOverInPieces() throws {
    var (harness, _) = try Self.compressedLine()
    let read = Array(repeatElement(frame(0x1, Array("Hello".utf8)), count: 10_000).joined())
    let actions = harness.session.receive(
      read.span.bytes, from: harness.link, at: harness.now, entropy: &harness.entropy)
    #expect(harness.session.untaken == 0)
    #expect(Self.rawBytes(actions).count == 10_000)
  }

  @Test func aLineThatIsLeftInBetweenTakesNoMore() throws {
    var (harness, frame) = try Self.compressedLine()
    let read = Array(repeatElement(frame, count: 10).joined())
    _ = harness.session.receive(
      read.span.bytes, from: harness.link, at: harness.now, entropy: &harness.entropy)
    let left = harness.session.untaken
    #expect(left > 0)
    harness.handle(.reconnect)
    let rest = read.span.bytes.extracting((read.count - left)...)
    let actions = harness.session.receive(
      rest, from: LinkID(1), at: harness.now, entropy: &harness.entropy)
    #expect(actions.isEmpty)
    #expect(harness.session.untaken == 0)
  }

  /// RFC 6455 section 5.5.3.
  @Test func pingsOfAServerThatDoesNotReadWaitForNoMoreThanOneAnswer() throws {
    var harness = try SessionHarness()
    harness.open()
    let pongs = { (actions: [SessionAction]) in
      actions.compactMap { if case .write(_, let bytes) = $0 { bytes.count } else { nil } }
    }
    harness.actions = []
    let pings = Array(repeatElement([0x89, 0x01, 0x21] as [UInt8], count: 1000).joined())
    harness.receive(pings)
    #expect(pongs(harness.actions) == [7000])
    harness.actions = []
    harness.handle(.linkIsBehind(harness.link, true))
    harness.receive(pings)
    #expect(pongs(harness.actions) == [])
    harness.handle(.linkIsBehind(harness.link, false))
    #expect(pongs(harness.actions) == [7])
  }

  private func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0x80 | first, UInt8(payload.count)] + payload
  }
}
