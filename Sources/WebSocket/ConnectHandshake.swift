/// The client's side of a CONNECT request (RFC 9110 section 9.3.6) as a value: bytes out, bytes in, an outcome.
///
/// HTTP proxies open a tunnel by it. Any status of the 2xx accepts, and what comes behind its head belongs to the
/// tunnel, whatever its Content-Length or Transfer-Encoding says.
package struct ConnectHandshake: Sendable {
  package enum Progress: Equatable, Sendable {
    /// More bytes are needed; all that came so far were taken.
    case incomplete
    /// How many of the bytes handed over last belong to the answer; the rest came through the tunnel.
    case accepted(consumed: Int)
    case refused(Refusal)
    case failed(HandshakeError)
  }

  /// The request to write.
  package let request: [UInt8]
  private var answer = AnswerReader(accepting: 200...299)

  /// `authority` is HOST:PORT, an IPv6 address in brackets. `authorization` is the value of the
  /// Proxy-Authorization field.
  package init(to authority: String, authorization: String? = nil) {
    var writer = HeadWriter("CONNECT \(authority) HTTP/1.1")
    writer.field("Host", authority)
    if let authorization { writer.field("Proxy-Authorization", authorization) }
    writer.endLine()
    request = writer.bytes
  }

  /// Takes what came from the proxy. To be called until the answer is not `incomplete`.
  package mutating func receive(_ bytes: RawSpan) -> Progress {
    progress(bytes.withUnsafeBytes { answer.receive($0) })
  }

  /// The proxy ended the stream: a refusal whose body runs to the end is complete now.
  package mutating func endOfStream() -> Progress {
    progress(answer.endOfStream())
  }

  /// It is known that the proxy refuses; only the rest of the body is missing.
  package var isRefused: Bool { answer.refusalSoFar != nil }

  private func progress(_ read: AnswerReader.Progress) -> Progress {
    switch read {
    case .incomplete: .incomplete
    case .accepted(_, _, let consumed): .accepted(consumed: consumed)
    case .refused(let refusal): .refused(refusal)
    case .failed(let error): .failed(error)
    }
  }
}
