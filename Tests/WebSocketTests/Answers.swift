import TestKit
import Testing
import WebSocket

/// The key that `sampleEntropy` makes, and the answer to it: the example of RFC 6455 section 1.3.
let sampleKey = "dGhlIHNhbXBsZSBub25jZQ=="
let sampleAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
func sampleEntropy() -> Entropy { .repeating(Array("the sample nonce".utf8)) }

/// A head: lines joined and ended as HTTP wants it.
func head(_ lines: [String]) -> [UInt8] {
  Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
}

func head(_ lines: String...) -> [UInt8] { head(lines) }

/// The lines of a right 101 to the sample key.
let rightLines = [
  "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
  "Sec-WebSocket-Accept: \(sampleAccept)",
]

/// The same with further fields.
func rightAnswer(_ further: String...) -> [UInt8] { head(rightLines + further) }

/// How an answer came out, with what followed its head.
struct Answered: Equatable {
  var progress: ClientHandshake.Progress
  var left: [UInt8] = []
}

/// What a fresh handshake makes of these pieces. Where it was accepted, `consumed` is set to zero and
/// all bytes behind the answer are in `left`.
func answer(
  pieces: [[UInt8]], subprotocols: [String], compression: DeflateParameters? = nil, atEnd: Bool
) -> Answered {
  var entropy = sampleEntropy()
  let request = HandshakeRequest(
    host: "h", target: "/", subprotocols: subprotocols, compression: compression)
  var handshake = ClientHandshake(request, entropy: &entropy)
  for (index, piece) in pieces.enumerated() {
    let progress = handshake.receive(piece.span.bytes)
    if progress == .incomplete { continue }
    guard case .accepted(var acceptance) = progress else { return Answered(progress: progress) }
    let rest = pieces[(index + 1)...].flatMap { $0 }
    let left = Array(piece.dropFirst(acceptance.consumed)) + rest
    acceptance.consumed = 0
    return Answered(progress: .accepted(acceptance), left: left)
  }
  return Answered(progress: atEnd ? handshake.endOfStream() : .incomplete)
}

/// What a fresh handshake makes of an answer, after making sure that it makes the same of it however
/// the bytes are cut up. `atEnd`: the server ends the stream behind it.
func answer(
  _ bytes: [UInt8], offering subprotocols: [String] = [], atEnd: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Answered {
  let whole = answer(pieces: [bytes], subprotocols: subprotocols, atEnd: atEnd)
  for pieces in splits(of: bytes, rounds: 4) {
    let cut = answer(pieces: pieces, subprotocols: subprotocols, atEnd: atEnd)
    #expect(cut == whole, "cut as \(pieces.map(\.count))", sourceLocation: sourceLocation)
  }
  return whole
}

extension Answered {
  var subprotocol: String?? {
    if case .accepted(let acceptance) = progress { acceptance.subprotocol } else { nil }
  }

  var isAccepted: Bool {
    if case .accepted = progress { true } else { false }
  }

  var error: HandshakeError? {
    if case .failed(let error) = progress { error } else { nil }
  }

  var refusal: Refusal? {
    if case .refused(let refusal) = progress { refusal } else { nil }
  }
}

func inPieces(_ bytes: [UInt8], of length: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0...].prefix(length)) }
}
