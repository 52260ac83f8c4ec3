/// Reads the answer to an HTTP request that asks for another use of the connection: interim heads, which are
/// passed over, the final head, and the body of a refusal.
struct AnswerReader: Sendable {
  enum Progress: Equatable {
    /// More bytes are needed; all that came so far were taken.
    case incomplete
    /// The head of an answer that accepts, and how many of the bytes handed over last belong to it.
    case accepted(StatusLine, [Header], consumed: Int)
    case refused(Refusal)
    case failed(HandshakeError)
  }

  private enum Stage {
    case head
    /// A final answer that does not accept: its body is on its way.
    case body(Refusal, RefusalBody)
    case over(Progress)
  }

  /// How many interim answers (RFC 9110 section 15.2) may come before the final one.
  private static let mostInterimAnswers = 16

  /// The statuses that accept.
  private let accepted: ClosedRange<Int>
  private var reader = HeadReader(prefix: "HTTP/")
  private var interimAnswers = 0
  private var stage = Stage.head
  /// Something has come.
  private(set) var hasBegun = false

  init(accepting accepted: ClosedRange<Int>) {
    self.accepted = accepted
  }

  /// To be called until the answer is not `incomplete`.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Progress {
    if !bytes.isEmpty { hasBegun = true }
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
      // The first byte of an alert, or of a handshake: no text begins so.
      case .foreign("") where [0x15, 0x16].contains(bytes[position - 1]): throw .tls
      case .foreign(let line): throw .notHTTP(line)
      case .malformed(let line): throw .malformedHeader(line)
      case .tooLarge: throw .headTooLarge
      }
    }
  }

  private mutating func take(_ head: Head, consumed: Int) throws(HandshakeError) {
    guard let status = StatusLine(head.startLine) else { throw .notHTTP(head.startLine) }
    if accepted.contains(status.code) {
      stage = .over(.accepted(status, head.headers, consumed: consumed))
    } else if status.code < 200 {
      interimAnswers += 1
      guard interimAnswers <= Self.mostInterimAnswers else { throw .headTooLarge }
      reader = HeadReader(prefix: "HTTP/")
    } else {
      let refusal = Refusal(
        status: status.code, reason: status.reason, headers: head.headers, body: [])
      stage = .body(refusal, RefusalBody(status: status.code, headers: head.headers))
    }
  }

  /// The peer ended the stream: a refusal whose body runs to the end is complete now.
  mutating func endOfStream() -> Progress {
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
  var refusalSoFar: Refusal? {
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
