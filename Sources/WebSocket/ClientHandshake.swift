/// The client's side of the opening handshake as a value: bytes out, bytes in, an outcome.
package struct ClientHandshake: Sendable {
  package enum Progress: Equatable, Sendable {
    /// More bytes are needed; all that came so far were taken.
    case incomplete
    case accepted(Acceptance)
    case refused(Refusal)
    case failed(HandshakeError)
  }

  /// The request to write.
  package let request: [UInt8]

  private let expectedAccept: String
  private let subprotocols: [String]
  private let compression: DeflateParameters?
  private var answer = AnswerReader(accepting: 101...101)
  /// What came of the answer, once it is whole.
  private var outcome: Progress?

  /// A fresh key is drawn for every handshake. Fields that `problem(with:)` names are left out.
  package init(_ request: HandshakeRequest, entropy: inout Entropy) {
    let key = HandshakeKey.make(entropy: &entropy)
    expectedAccept = HandshakeKey.accept(key)
    subprotocols = request.subprotocols.filter(\.isToken)
    compression = request.compression
    self.request = request.bytes(key: key)
  }

  /// Takes what came from the server. To be called until the answer is not `incomplete`.
  package mutating func receive(_ bytes: RawSpan) -> Progress {
    bytes.withUnsafeBytes { receive($0) }
  }

  private mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Progress {
    if let outcome { return outcome }
    return conclude(answer.receive(bytes))
  }

  private mutating func conclude(_ read: AnswerReader.Progress) -> Progress {
    let progress: Progress
    switch read {
    case .incomplete: return .incomplete
    case .refused(let refusal): progress = .refused(refusal)
    case .failed(let error): progress = .failed(error)
    case .accepted(let status, let headers, let consumed):
      do {
        progress = .accepted(try acceptance(status, headers, consumed: consumed))
      } catch {
        progress = .failed(error)
      }
    }
    outcome = progress
    return progress
  }

  private func acceptance(
    _ status: StatusLine, _ headers: [Header], consumed: Int
  ) throws(HandshakeError) -> Acceptance {
    guard status.version == "HTTP/1.1" else { throw .notHTTP(status.line) }
    try check(headers)
    return Acceptance(
      subprotocol: try subprotocol(headers), compression: try compression(headers),
      headers: headers, consumed: consumed)
  }

  /// The checks of RFC 6455 section 4.1 on a 101.
  private func check(_ headers: [Header]) throws(HandshakeError) {
    guard headers.hasElement("websocket", of: "Upgrade") else { throw .missingUpgrade }
    guard headers.hasElement("upgrade", of: "Connection") else { throw .missingConnection }
    guard headers.values(of: "Sec-WebSocket-Accept") == [expectedAccept] else {
      throw .wrongAccept
    }
  }

  /// permessage-deflate as the server answered it; any other extension was not offered.
  private func compression(_ headers: [Header]) throws(HandshakeError) -> DeflateParameters? {
    let values = headers.values(of: ExtensionElement.fieldName)
    if values.isEmpty { return nil }
    let text = values.joined(separator: ", ")
    guard let elements = ExtensionElement.list(values) else {
      throw .wrongExtensionParameters(text)
    }
    guard let compression, elements.allSatisfy(\.isDeflate) else { throw .unofferedExtension(text) }
    guard elements.count == 1, let agreed = compression.agreed(by: elements[0]) else {
      throw .wrongExtensionParameters(text)
    }
    return agreed
  }

  /// The subprotocol that was agreed on.
  private func subprotocol(_ headers: [Header]) throws(HandshakeError) -> String? {
    let selected = headers.values(of: "Sec-WebSocket-Protocol")
    guard let subprotocol = selected.first else { return nil }
    guard selected.count == 1, subprotocols.contains(subprotocol) else {
      throw .unofferedSubprotocol(selected.joined(separator: ", "))
    }
    return subprotocol
  }

  /// Whether anything of an answer has come.
  package var hasAnswerBegun: Bool { answer.hasBegun }

  /// The server ended the stream: a refusal whose body runs to the end is complete now.
  package mutating func endOfStream() -> Progress {
    outcome ?? conclude(answer.endOfStream())
  }

  /// The time for the answer is over: what is known of a refusal whose body has not ended, else nil.
  package func refusalSoFar() -> Refusal? { answer.refusalSoFar }
}
