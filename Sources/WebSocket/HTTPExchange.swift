/// One POST over HTTP/1.1 (RFC 9112) on a connection of its own: the request, and the answer to it.
package struct HTTPExchange: Sendable {
  package enum Progress: Equatable, Sendable {
    case incomplete
    /// The body may have been cut at the limit.
    case answered(status: Int, body: [UInt8])
    /// It is no answer of HTTP, or one that was cut in the middle.
    case failed
  }

  /// What is to be written first of all.
  package let request: [UInt8]
  private let limit: Int
  private var reader = HeadReader(prefix: "HTTP/")
  private var answer: (status: Int, body: RefusalBody)?

  private static let ownNames: Set<String> = HandshakeRequest.ownNames.union([
    "Content-Type", "Accept",
  ])

  /// `limit` is the most bytes of the body that are kept.
  package init(
    post body: [UInt8], type: String, accept: String, host: String, target: String,
    headers: [Header], limit: Int
  ) {
    var writer = HeadWriter("POST \(HandshakeRequest.requestTarget(target)) HTTP/1.1")
    writer.field("Host", host)
    writer.field("Content-Type", type)
    writer.field("Accept", accept)
    writer.field("Content-Length", String(body.count))
    writer.field("Connection", "close")
    writer.fields(headers, except: Self.ownNames)
    writer.endLine()
    request = writer.bytes + body
    self.limit = limit
  }

  package mutating func receive(_ bytes: RawSpan) -> Progress {
    bytes.withUnsafeBytes { receive($0) }
  }

  private mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Progress {
    var position = 0
    while answer == nil {
      let head: Head?
      do {
        head = try reader.receive(bytes, at: &position)
      } catch {
        return .failed
      }
      guard let head else { return .incomplete }
      guard let status = StatusLine(head.startLine) else { return .failed }
      // Interim answers (RFC 9110 section 15.2) go before the real one.
      if (100...199).contains(status.code) {
        reader = HeadReader(prefix: "HTTP/")
        continue
      }
      answer = (
        status.code, RefusalBody(status: status.code, headers: head.headers, limit: limit)
      )
    }
    answer?.body.receive(bytes, from: position)
    return answer?.body.isComplete == true ? endOfStream() : .incomplete
  }

  /// The connection has ended; a body without a length is whole with that (RFC 9112 section 6.3), one with a length or
  /// in chunks that did not come to its end is not (section 8).
  package func endOfStream() -> Progress {
    guard let answer, answer.body.isWholeAtEnd else { return .failed }
    return .answered(status: answer.status, body: answer.body.bytes)
  }
}
