/// One POST over HTTP/1.1 (RFC 9112) on a connection of its own: the request, and the answer to it.
package struct HTTPExchange: Sendable {
  package enum Progress: Equatable, Sendable {
    case incomplete
    /// The body may have been cut at the limit. It comes without a byte order mark, which RFC 8259 section 8.1 lets
    /// a reader pass over.
    case answered(status: Int, headers: [Header], body: [UInt8])
    /// It is no answer of HTTP, or one that was cut in the middle.
    case failed
  }

  /// What is to be written first of all.
  package let request: [UInt8]
  private let limit: Int
  private var reader = HeadReader(prefix: "HTTP/")
  private var answer: (status: Int, headers: [Header], body: RefusalBody)?

  private static let ownNames: Set<String> = HandshakeRequest.ownNames.union([
    "Content-Type", "Accept", "Accept-Encoding",
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
    // Without the field any coding would be acceptable (RFC 9110 section 12.5.3).
    writer.field("Accept-Encoding", "identity")
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
        status.code, head.headers,
        RefusalBody(status: status.code, headers: head.headers, limit: limit)
      )
    }
    answer?.body.receive(bytes, from: position)
    return answer?.body.isComplete == true ? endOfStream() : .incomplete
  }

  /// The connection has ended; a body without a length is whole with that (RFC 9112 section 6.3), one with a length or
  /// in chunks that did not come to its end is not (section 8).
  package func endOfStream() -> Progress {
    guard let answer, answer.body.isWholeAtEnd else { return .failed }
    var body = answer.body.bytes
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { body.removeFirst(3) }
    return .answered(status: answer.status, headers: answer.headers, body: body)
  }
}
