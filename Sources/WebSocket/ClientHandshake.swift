/// The client's side of the opening handshake as a value: bytes out, bytes in, an outcome.
package struct ClientHandshake: Sendable {
  package enum Progress: Equatable, Sendable {
    /// More bytes are needed; all that came so far were taken.
    case incomplete
    case accepted(Acceptance)
    case refused(Refusal)
    case failed(HandshakeError)
  }

  private enum Stage {
    case head
    /// A final answer other than 101: its body is on its way.
    case body(Refusal, RefusalBody)
    case over(Progress)
  }

  /// How many interim answers (RFC 9110 section 15.2) may come before the final one.
  private static let mostInterimAnswers = 16

  /// The request to write.
  package let request: [UInt8]

  private let expectedAccept: String
  private let subprotocols: [String]
  private let compression: DeflateParameters?
  private var reader = HeadReader(prefix: "HTTP/")
  private var interimAnswers = 0
  private var stage = Stage.head

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
    var position = 0
    do throws(HandshakeError) {
      while case .head = stage {
        guard let head = try readHead(bytes, at: &position) else { return .incomplete }
        try take(head, consumed: position)
      }
    } catch {
      stage = .over(.failed(error))
    }
    if case .body(let refusal, var body) = stage {
      // Lets go of the stage's own copy, so that the body grows in place.
      stage = .head
      body.receive(bytes, from: position)
      stage = body.isComplete ? .over(.refused(refusal.with(body))) : .body(refusal, body)
    }
    return progress
  }

  private mutating func readHead(
    _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) throws(HandshakeError) -> Head? {
    do {
      return try reader.receive(bytes, at: &position)
    } catch {
      switch error {
      case .foreign(let line): throw .notHTTP(line)
      case .malformed(let line): throw .malformedHeader(line)
      case .tooLarge: throw .headTooLarge
      }
    }
  }

  private mutating func take(_ head: Head, consumed: Int) throws(HandshakeError) {
    guard let status = StatusLine(head.startLine) else { throw .notHTTP(head.startLine) }
    switch status.code {
    case 101:
      guard status.version == "HTTP/1.1" else { throw .notHTTP(head.startLine) }
      try check(head.headers)
      stage = .over(
        .accepted(
          Acceptance(
            subprotocol: try subprotocol(head.headers), compression: try compression(head.headers),
            headers: head.headers, consumed: consumed)))
    case 100..<200:
      interimAnswers += 1
      guard interimAnswers <= Self.mostInterimAnswers else { throw .headTooLarge }
      reader = HeadReader(prefix: "HTTP/")
    default:
      let refusal = Refusal(
        status: status.code, reason: status.reason, headers: head.headers, body: [])
      stage = .body(refusal, RefusalBody(status: status.code, headers: head.headers))
    }
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

  /// The server ended the stream: a refusal whose body runs to the end is complete now.
  package mutating func endOfStream() -> Progress {
    switch stage {
    case .head:
      let error = reader.foreignLine.map(HandshakeError.notHTTP) ?? .endedEarly
      stage = .over(.failed(error))
    case .body(let refusal, let body):
      stage = .over(.refused(refusal.with(body)))
    case .over:
      break
    }
    return progress
  }

  /// The time for the answer is over: what is known of a refusal whose body has not ended, else nil.
  package func refusalSoFar() -> Refusal? {
    switch stage {
    case .body(let refusal, let body): refusal.with(body)
    case .over(.refused(let refusal)): refusal
    case .head, .over: nil
    }
  }

  private var progress: Progress {
    if case .over(let progress) = stage { progress } else { .incomplete }
  }
}

extension Refusal {
  fileprivate func with(_ body: RefusalBody) -> Refusal {
    var refusal = self
    refusal.body = body.bytes
    return refusal
  }
}
