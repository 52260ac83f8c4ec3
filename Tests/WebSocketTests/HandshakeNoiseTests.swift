import TestKit
import Testing
import WebSocket

/// Heads with random damage: the outcome must not depend on how the bytes are cut up, and nothing may
/// trap.
@Suite struct HandshakeNoiseTests {
  private static func damaged(_ bytes: [UInt8], _ dice: inout Entropy) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<(1 + dice.below(3)) where !bytes.isEmpty {
      let place = dice.below(bytes.count)
      switch dice.below(4) {
      case 0: bytes[place] = UInt8(dice.below(256))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert([0x0D, 0x0A, 0x20, 0x3A, 0x2C, 0x00][dice.below(6)], at: place)
      default: bytes.removeLast(dice.below(min(bytes.count, 20)))
      }
    }
    return bytes
  }

  @Test func aDamagedAnswerHasOneOutcome() {
    var dice = Entropy.seeded(21)
    let chunks = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;x\r\nyou\r\n0\r\nT: x\r\n\r\n"
    let answers = [
      rightAnswer("Sec-WebSocket-Protocol: a") + hex("81 00"),
      Array(("HTTP/1.1 403 No\r\n" + chunks).utf8),
      Array("HTTP/1.1 403 No\r\nContent-Length: 5\r\n\r\nhello".utf8),
    ]
    for round in 0..<600 {
      let bytes = Self.damaged(answers[round % answers.count], &dice)
      let whole = answer(pieces: [bytes], subprotocols: ["a"], atEnd: true)
      #expect(whole.progress != .incomplete)
      for pieces in [bytes.map { [$0] }, inPieces(bytes, of: 7)] {
        #expect(answer(pieces: pieces, subprotocols: ["a"], atEnd: true) == whole, "\(bytes)")
      }
    }
  }

  @Test func aDamagedRequestHasOneOutcome() {
    var dice = Entropy.seeded(22)
    let request = head(
      "GET / HTTP/1.1", "Host: h", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(sampleKey)", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: a")
    for _ in 0..<600 {
      let bytes = Self.damaged(request, &dice)
      var whole = ServerHandshake()
      var dribbled = ServerHandshake()
      let expected = whole.receive(bytes.span.bytes)
      var last = ServerHandshake.Progress.incomplete
      for byte in bytes where last == .incomplete { last = dribbled.receive([byte].span.bytes) }
      switch (expected, last) {
      case (.request(var first), .request(var second)):
        #expect(second.consumed == 1)
        first.consumed = 0
        second.consumed = 0
        #expect(first == second)
      default:
        #expect(expected == last, "\(bytes)")
      }
    }
  }
}
