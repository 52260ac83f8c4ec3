import Testing
import WebSocket

@testable import Server

/// What happens to lines: time limits, cuts, latency and closing.
@Suite struct LineTests {
  @Test func aRequestThatTakesTenSecondsIsCut() {
    let bench = Bench()
    _ = bench.server.accepted(ConnectionID(1), at: .zero)
    #expect(bench.server.deadline == .seconds(10))
    var entropy = Entropy { _ in }
    #expect(bench.server.timeReached(at: .milliseconds(9_999), entropy: &entropy) == [])
    #expect(
      bench.server.timeReached(at: .seconds(10), entropy: &entropy) == [.drop(ConnectionID(1))])
    #expect(bench.server.deadline == nil)
  }

  @Test func everyLineIsCutThatLongAfterItOpened() {
    let bench = Bench { $0.dropEvery = .seconds(20) }
    let first = bench.connect("/?room=a")
    bench.advance(by: .seconds(5))
    let second = bench.connect("/?room=a")
    bench.advance(by: .milliseconds(14_999))
    #expect(!first.isDropped)
    bench.advance(by: .milliseconds(1))
    #expect(first.isDropped && !second.isDropped)
    #expect(first.closed == nil)
    #expect(bench.server.memberCount("a") == 1)
    bench.advance(by: .seconds(5))
    #expect(second.isDropped)
    #expect(bench.server.deadline == nil)
  }

  @Test func latencyDelaysAndKeepsTheOrder() {
    let bench = Bench { $0.latency = .milliseconds(300) }
    let ada = bench.connect("/?nick=ada")
    let bob = bench.connect("/?nick=bob")
    bench.advance(by: .milliseconds(300))
    bench.send("one", from: ada)
    bench.advance(by: .milliseconds(100))
    bench.send("two", from: ada)
    bench.advance(by: .milliseconds(199))
    #expect(bob.take() == [])
    bench.advance(by: .milliseconds(1))
    #expect(bob.take() == ["ada: one"])
    bench.advance(by: .milliseconds(100))
    #expect(bob.take() == ["ada: two"])
  }

  @Test func aRefusalComesLateTooAndStillEndsTheLine() {
    let bench = Bench {
      $0.latency = .seconds(1)
      $0.refuse = 1
    }
    let client = bench.connect()
    #expect(client.refusal == nil && !client.isFinished)
    bench.advance(by: .seconds(1))
    #expect(client.refusal?.status == 503)
    #expect(client.isFinished)
  }

  @Test func theClientsCloseIsAnsweredAndTheLineEnds() {
    let bench = Bench()
    let client = bench.connect("/?room=a")
    bench.close(client, CloseReason(.normal, "bye"))
    #expect(client.closed?.code == .normal)
    #expect(client.isFinished)
    #expect(bench.server.memberCount("a") == 0)
  }

  @Test func aBrokenFrameFailsTheLine() {
    let bench = Bench()
    let client = bench.connect()
    // An unmasked text frame: a client has to mask (RFC 6455 section 5.1).
    bench.send(raw: [0x81, 0x02, 0x68, 0x69], from: client)
    #expect(client.closed?.code == .protocolError)
    #expect(client.isFinished)
  }

  @Test func aMessageBeyondTheLimitIsTooBig() {
    let bench = Bench { $0.maxMessage = 10 }
    let client = bench.connect()
    bench.send("12345678901", from: client)
    #expect(client.closed?.code == .tooBig)
  }

  @Test func pingsAreAnswered() {
    let bench = Bench()
    let client = bench.connect()
    let answer = bench.server.connections[client.id]
    #expect(answer != nil)
    var entropy = Entropy { buffer in for index in buffer.indices { buffer[index] = 0 } }
    // A masked ping "hi" with the key 0: the pong comes back unmasked.
    let ping: [UInt8] = [0x89, 0x82, 0, 0, 0, 0, 0x68, 0x69]
    let actions = bench.server.receive(
      ping.span.bytes, from: client.id, at: .zero, wall: 0, entropy: &entropy)
    #expect(actions == [.write(client.id, [0x8A, 0x02, 0x68, 0x69])])
  }

  @Test func shutdownSaysGoingAwayToAll() {
    let bench = Bench { $0.latency = .seconds(1) }
    let ada = bench.connect()
    bench.advance(by: .seconds(1))
    _ = bench.server.accepted(ConnectionID(99), at: .zero)
    bench.closeAll("The server stops")
    #expect(ada.closed == CloseReason(.goingAway, "The server stops"))
    #expect(bench.server.connections[ConnectionID(99)] == nil)
    bench.advance(by: .seconds(1))
    #expect(ada.isFinished)
  }

  @Test func aClientThatNeverAnswersOurCloseIsCut() {
    let bench = Bench { $0.latency = .seconds(60) }
    let client = bench.connect("/", [Bench.transport])
    bench.advance(by: .seconds(14))
    #expect(!client.isDropped)
    bench.advance(by: .seconds(1))
    #expect(client.isDropped)
  }

  @Test func bytesForAForgottenConnectionAreIgnored() {
    let bench = Bench { $0.refuse = 1 }
    let client = bench.connect()
    bench.send(raw: [0x81, 0x80, 0, 0, 0, 0], from: client)
    bench.end(client)
    #expect(client.isFinished)
  }

  @Test func framesBehindTheRequestAreRead() {
    let bench = Bench()
    let bob = bench.connect("/?nick=bob")
    let id = ConnectionID(500)
    var entropy = Entropy { buffer in for index in buffer.indices { buffer[index] = 0 } }
    _ = bench.server.accepted(id, at: .zero)
    let request =
      "GET /?nick=ada HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    let bytes = Array(request.utf8) + [0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]
    let actions = bench.server.receive(
      bytes.span.bytes, from: id, at: .zero, wall: 0, entropy: &entropy)
    #expect(actions.count == 2)
    // The key and its answer of RFC 6455 section 1.3.
    if case .write(id, let answer) = actions.first {
      #expect(
        String(decoding: answer, as: UTF8.self)
          .contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    }
    #expect(actions.last == .write(bob.id, [0x81, 0x07] + Array("ada: hi".utf8)))
  }
}
