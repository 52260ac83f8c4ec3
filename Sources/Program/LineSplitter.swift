/// Lines out of bytes that come in pieces. A line ends with LF or CR LF; the last one counts without an end
/// too. One that is too long is passed over to its end, in memory that does not grow.
package struct LineSplitter: Sendable {
  package enum Line: Equatable {
    case line([UInt8])
    case tooLong
  }

  /// The most bytes of a line, its end not counted.
  let limit: Int
  private var buffer: [UInt8] = []
  /// Where the next line begins, and how far it was looked through for its end.
  private var start = 0
  private var searched = 0
  private var isSkipping = false
  private var hasEnded = false

  package init(limit: Int) {
    self.limit = limit
  }

  /// Bytes that no line was made of yet.
  var waiting: Int { buffer.count - start }

  package mutating func append(_ bytes: [UInt8]) {
    if start > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// No more bytes come: what is left is a line.
  package mutating func end() {
    hasEnded = true
  }

  /// Nil until another line is whole, or for good after the last one.
  package mutating func next() -> Line? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = take(upTo: end, next: end + 1)
        if let line { return line }
        continue
      }
      searched = buffer.count
      // One byte more may be the CR of the line's end.
      if waiting > limit + 1 {
        let wasSkipping = isSkipping
        isSkipping = true
        start = buffer.count
        if !wasSkipping { return .tooLong }
      }
      guard hasEnded, waiting > 0 || isSkipping else { return nil }
      let line = waiting > 0 ? take(upTo: buffer.count, next: buffer.count) : nil
      isSkipping = false
      return line
    }
  }

  /// Nil for the rest of a line that was refused.
  private mutating func take(upTo end: Int, next: Int) -> Line? {
    defer {
      start = next
      searched = next
      isSkipping = false
    }
    guard !isSkipping else { return nil }
    var end = end
    if end > start, next > end, buffer[end - 1] == 0x0D { end -= 1 }
    guard end - start <= limit else { return .tooLong }
    return .line(Array(buffer[start..<end]))
  }
}
