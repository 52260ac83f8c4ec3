import TestKit
import Testing
import WebSocket

/// What arrives in order, in both roles; FrameReports has what other clients got wrong.
@Suite struct ReceivingTests {
  /// The same frames for a client and, masked, for a server.
  private func both(
    _ frames: String..., expect seen: [Seen], output: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let atClient = feed(frames.flatMap { hex($0) }, to: .client)
    #expect(atClient.seen == seen, sourceLocation: sourceLocation)
    #expect(atClient.output == hex(output), sourceLocation: sourceLocation)
    #expect(atClient.state == .open, sourceLocation: sourceLocation)
    let atServer = feed(frames.flatMap { masked(hex($0)) }, to: .server)
    #expect(atServer.seen == seen, sourceLocation: sourceLocation)
    #expect(atServer.state == .open, sourceLocation: sourceLocation)
  }

  @Test func aTextIsDelivered() {
    both("81 05 48656c6c6f", expect: [.text("Hello")])
  }

  @Test func theMaskedExampleOfTheRFCIsDeliveredToAServer() {
    #expect(feed(hex("81 85 37fa213d 7f9f4d5158"), to: .server).seen == [.text("Hello")])
  }

  @Test func anEmptyMessageIsDelivered() {
    both("81 00", "82 00", expect: [.text(""), .binary([])])
  }

  @Test func aWholeUnmaskedMessageIsLentWithoutACopy() {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client)
    _ = machine.receive(hex("8a 00 82 03 010203 81 02 6869").span.bytes, entropy: &entropy)
    let expected: [WebSocketMachine.Event] = [
      .pong([]), .message(.binary, .range(4..<7)), .message(.text, .range(9..<11)),
    ]
    #expect(Array(machine.events) == expected)
  }

  @Test func eventsOfTheCallBeforeAreForgotten() {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client)
    #expect(machine.take(hex("81 01 61"), entropy: &entropy) == [.text("a")])
    #expect(machine.take([], entropy: &entropy) == [])
    #expect(machine.take(hex("81 01 62"), entropy: &entropy) == [.text("b")])
  }

  @Test(arguments: [0, 1, 125, 126, 127, 255, 256, 32_768, 40_000, 65_535, 65_536, 70_000])
  func everyFormOfTheLengthIsRead(_ length: Int) {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for (role, key) in [(Role.client, nil), (.server, [9, 8, 7, 6] as [UInt8]?)] {
      let bytes = frame(0x2, payload, key: key) + frame(0x1, Array("end".utf8), key: key)
      var ways = [[bytes], [Array(bytes.prefix(5)), Array(bytes.dropFirst(5))]]
      if length < 1000 { ways = splits(of: bytes) }
      for pieces in ways {
        #expect(feed(pieces: pieces, to: role).seen == [.binary(payload), .text("end")])
      }
    }
  }

  @Test func pingsAreAnsweredWithTheirPayloadInOrder() {
    both(
      "89 02 6869", "89 00", "89 01 21",
      expect: [.ping(hex("6869")), .ping([]), .ping(hex("21"))],
      output: "8a 82 00000000 6869 8a 80 00000000 8a 81 00000000 21")
    let largest = [UInt8](repeating: 0x70, count: 125)
    #expect(feed(frame(0x9, largest)).output == hex("8a fd 00000000") + largest)
  }

  @Test func aServerAnswersAPingUnmasked() {
    #expect(feed(masked(hex("89 02 6869")), to: .server).output == hex("8a 02 6869"))
  }

  /// RFC 6455 section 5.5.3: of pings that wait for their answers, the newest alone has to be answered.
  @Test func ofPingsThatComeWhileNothingLeavesTheNewestIsAnsweredOnceItDoes() {
    var machine = WebSocketMachine(role: .client)
    var entropy = zeroKeys()
    machine.holdPongs(true, entropy: &entropy)
    for number in 0..<1000 {
      let ping = frame(0x9, [UInt8(truncatingIfNeeded: number)])
      #expect(machine.take(ping, entropy: &entropy).count == 1)
    }
    machine.sendText("a", entropy: &entropy)
    #expect(machine.takeOutput() == hex("81 81 00000000 61"))
    machine.holdPongs(false, entropy: &entropy)
    #expect(machine.takeOutput() == hex("8a 81 00000000 e7"))
    machine.holdPongs(false, entropy: &entropy)
    #expect(!machine.hasOutput)
    _ = machine.take(hex("89 01 21"), entropy: &entropy)
    #expect(machine.takeOutput() == hex("8a 81 00000000 21"))
  }

  @Test func aHeldPongDoesNotFollowOurClose() {
    var machine = WebSocketMachine(role: .client)
    var entropy = zeroKeys()
    machine.holdPongs(true, entropy: &entropy)
    _ = machine.take(hex("89 01 21"), entropy: &entropy)
    machine.close(CloseReason(.normal), entropy: &entropy)
    _ = machine.takeOutput()
    machine.holdPongs(false, entropy: &entropy)
    #expect(!machine.hasOutput)
  }

  @Test func aPongNobodyAskedForIsReportedAndNotAnswered() {
    both("8a 02 6869", expect: [.pong(hex("6869"))])
  }

  @Test func whatComesBetweenOurCloseAndThePeersIsDelivered() {
    let outcome = feed(hex("81 01 61 89 01 62 88 02 03e8")) { machine, entropy in
      machine.close(CloseReason(.normal), entropy: &entropy)
      _ = machine.takeOutput()
    }
    #expect(outcome.seen == [.text("a"), .ping(hex("62")), .closed(CloseReason(.normal))])
    #expect(outcome.output == [])
  }

  /// More messages than are taken note of at once, with others in between.
  @Test func aLongRunOfMessagesArrivesInOrder() {
    var stream: [UInt8] = []
    var expected: [Seen] = []
    for number in 0..<2000 {
      let text = String(repeating: "é", count: number % 90) + "\(number)"
      stream += frame(0x1, Array(text.utf8))
      expected.append(.text(text))
      if number % 700 == 0 {
        stream += frame(0x9, [1]) + frame(0x1, [0x61], isFinal: false) + frame(0x0, [0x62])
        expected += [.ping([1]), .text("ab")]
      }
    }
    stream += frame(0x1, [0x61, 0xFF]) + frame(0x1, [0x61])
    expected.append(.failed(.invalidUTF8))
    #expect(feed(pieces: [stream]).seen == expected)
  }

  /// The memory of a message that came in pieces is used again, but not while somebody holds it.
  @Test func aMessageThatIsKeptStaysAsItIs() throws {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client)
    var kept: [[UInt8]] = []
    for letter in UInt8(0x61)...0x66 {
      let bytes = frame(0x1, [UInt8](repeating: letter, count: 70_000))
      for piece in [Array(bytes[..<40_000]), Array(bytes[40_000...])] {
        _ = machine.receive(piece.span.bytes, entropy: &entropy)
      }
      let event = try #require(Array(machine.events).first)
      guard case .message(.text, .owned(let message)) = event else {
        Issue.record("\(event)")
        continue
      }
      kept.append(message)
    }
    #expect(kept == (UInt8(0x61)...0x66).map { [UInt8](repeating: $0, count: 70_000) })
  }
}
