/// The body of an answer that is no 101 (RFC 9112 section 6), in whatever pieces it comes. No more than
/// `limit` bytes are kept; it counts as complete then. Where its framing is broken, it ends there:
/// what came before is still worth showing.
struct RefusalBody: Sendable {
  static let largest = 65_536
  /// As many bytes are kept.
  private let limit: Int
  private static let longestChunkLine = 1024
  private static let mostTrailerBytes = 16_384

  private enum Framing {
    case length(Int)
    case untilEnd
    /// The line with the size of a chunk; `line` is what came of it.
    case chunkSize(line: [UInt8])
    case chunk(remaining: Int)
    /// The line break behind a chunk.
    case chunkEnd(line: [UInt8])
    /// The fields behind the last chunk; only counted.
    case trailer(line: [UInt8], size: Int)
    case complete
  }

  private(set) var bytes: [UInt8] = []
  /// The chunks are none.
  private var isBroken = false
  private var framing: Framing

  init(status: Int, headers: [Header], limit: Int = RefusalBody.largest) {
    self.limit = limit
    let codings = headers.elements(of: "Transfer-Encoding")
    if status == 204 || status == 304 {
      framing = .complete
    } else if let last = codings.last {
      // The length is that of the chunks, whatever Content-Length says.
      framing = last.equalsIgnoringCase("chunked") ? .chunkSize(line: []) : .untilEnd
    } else if let length = Self.contentLength(headers) {
      framing = length == 0 ? .complete : .length(length)
    } else {
      framing = .untilEnd
    }
  }

  var isComplete: Bool {
    if case .complete = framing { true } else { false }
  }

  /// Whether it is all there, should the connection end now.
  var isWholeAtEnd: Bool {
    switch framing {
    case .untilEnd: true
    case .complete: !isBroken
    case .length, .chunkSize, .chunk, .chunkEnd, .trailer: false
    }
  }

  mutating func receive(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    var position = start
    while position < bytes.count, !isComplete {
      switch framing {
      case .length(let remaining):
        let count = keep(bytes, at: &position, atMost: remaining)
        proceed(to: count == remaining ? .complete : .length(remaining - count))
      case .untilEnd:
        _ = keep(bytes, at: &position, atMost: bytes.count)
        proceed(to: .untilEnd)
      case .chunk(let remaining):
        let count = keep(bytes, at: &position, atMost: remaining)
        proceed(to: count == remaining ? .chunkEnd(line: []) : .chunk(remaining: remaining - count))
      case .chunkSize(let line), .chunkEnd(let line), .trailer(let line, _):
        takeLineByte(bytes[position], after: line)
        position += 1
      case .complete:
        return
      }
    }
  }

  /// The longest body is worth no more once its bytes are kept.
  private mutating func proceed(to next: Framing) {
    framing = bytes.count >= limit ? .complete : next
  }

  private mutating func keep(
    _ source: UnsafeRawBufferPointer, at position: inout Int, atMost limit: Int
  ) -> Int {
    let count = min(limit, source.count - position, self.limit - bytes.count)
    bytes.append(contentsOf: source[position..<(position + count)])
    position += count
    return count
  }

  private mutating func takeLineByte(_ byte: UInt8, after part: [UInt8]) {
    var line = part
    line.append(byte)
    let isWhole = byte == 0x0A
    if isWhole, !line.suffix(2).elementsEqual([0x0D, 0x0A]) { return breakOff() }
    switch framing {
    case .chunkSize:
      if !isWhole {
        guard line.count < Self.longestChunkLine else { return breakOff() }
        framing = .chunkSize(line: line)
      } else if let size = Self.chunkSize(line.dropLast(2)) {
        framing = size == 0 ? .trailer(line: [], size: 0) : .chunk(remaining: size)
      } else {
        breakOff()
      }
    case .chunkEnd:
      if isWhole {
        guard line.count == 2 else { return breakOff() }
        framing = .chunkSize(line: [])
      } else {
        guard line == [0x0D] else { return breakOff() }
        framing = .chunkEnd(line: line)
      }
    case .trailer(_, let size):
      let isLast = isWhole && line.count == 2
      let isTooLong = size + 1 >= Self.mostTrailerBytes
      // Of a trailer's line only its last bytes matter: whether it is empty.
      framing =
        isLast || isTooLong
        ? .complete : .trailer(line: isWhole ? [] : line.suffix(3), size: size + 1)
    case .length, .untilEnd, .chunk, .complete:
      return
    }
  }

  private mutating func breakOff() {
    framing = .complete
    isBroken = true
  }

  /// The size at the beginning of a chunk's first line; extensions behind it are passed over.
  private static func chunkSize(_ line: ArraySlice<UInt8>) -> Int? {
    let digits = line.prefix { $0 != UInt8(ascii: ";") }.trimmed
    guard !digits.isEmpty, digits.count <= 15 else { return nil }
    var size = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: size = size << 4 | Int(digit - 0x30)
      case 0x41...0x46: size = size << 4 | Int(digit - 0x41 + 10)
      case 0x61...0x66: size = size << 4 | Int(digit - 0x61 + 10)
      default: return nil
      }
    }
    return size
  }

  /// Nil where there is none, or none that makes sense: the body runs to the end then.
  private static func contentLength(_ headers: [Header]) -> Int? {
    let values = headers.elements(of: "Content-Length")
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    guard first.utf8.allSatisfy(\.isDigit) else { return nil }
    // More digits than an Int holds are far more bytes than are kept.
    return Int(first) ?? Int.max
  }
}
