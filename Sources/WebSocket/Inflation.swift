/// Compressed messages on their way in: restored piece by piece as they come, so that the limit holds
/// before the memory is used, and a wrong byte of text fails inside its message.
struct Inflation: Sendable {
  let transform: any MessageTransform
  /// The messages since the turn began, one behind the other, and the one that is not whole yet.
  private(set) var output: [UInt8] = []
  /// Where the message that is not whole yet begins.
  private(set) var start = 0
  /// Its bytes so far as they came off the line.
  private(set) var wireBytes = 0
  /// A piece without its mask. Kept for its memory.
  private var unmasked: [UInt8] = []

  /// How much is restored at a time, and how much memory is kept for the next turn.
  private static let step = 32_768
  private static let mostKept = 262_144

  init(_ transform: any MessageTransform) {
    self.transform = transform
  }

  /// How many more bytes the message may take on the line. What cannot be compressed grows by little; a
  /// payload beyond this restores to nothing or to too much.
  func room(limit: Int) -> Int {
    let (most, isBeyond) = limit.addingReportingOverflow(limit / 8 + 1024)
    return max(0, (isBeyond ? .max : most) - wireBytes)
  }

  /// Lets go of the messages that were handed over.
  mutating func beginTurn() {
    if start > 0 { output.removeSubrange(..<start) }
    start = 0
    if output.isEmpty, output.capacity > Self.mostKept { output = [] }
    if unmasked.capacity > Self.mostKept { unmasked = [] }
  }

  /// Takes a piece of the payload off the line; `text` checks what it restores to.
  mutating func take(
    _ piece: UnsafeRawBufferPointer, key: UInt32?, at offset: Int, isText: Bool,
    text: inout UTF8Validator, limit: Int
  ) throws(ProtocolViolation) {
    wireBytes += piece.count
    guard let key else { return try restore(piece, isText: isText, text: &text, limit: limit) }
    var scratch: [UInt8] = []
    swap(&scratch, &unmasked)
    defer { swap(&scratch, &unmasked) }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(masked: piece, key: key, at: offset)
    try scratch.span.bytes.withUnsafeBytes { bytes throws(ProtocolViolation) in
      try restore(bytes, isText: isText, text: &text, limit: limit)
    }
  }

  /// The message has ended: where it stands in `output`. One without a single byte is the empty message,
  /// which the transform must not see: to it, it would be one that is cut short.
  mutating func endMessage() throws(ProtocolViolation) -> Range<Int> {
    guard wireBytes == 0 || transform.endMessage() else { throw .invalidCompression }
    let range = start..<output.count
    start = output.count
    wireBytes = 0
    return range
  }

  private mutating func restore(
    _ piece: UnsafeRawBufferPointer, isText: Bool, text: inout UTF8Validator, limit: Int
  ) throws(ProtocolViolation) {
    var piece = piece
    var isFilled = false
    repeat {
      let before = output.count
      // One more than may be is enough to know.
      let room = min(Self.step - 1, limit - (before - start)) + 1
      var isSound = true
      output.append(addingCapacity: room) { span in
        span.withUnsafeMutableBufferPointer { buffer, initializedCount in
          let memory = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<room])
          let count = transform.restore(&piece, into: memory)
          isSound = count != nil
          initializedCount = count ?? 0
        }
      }
      guard isSound else { throw .invalidCompression }
      guard output.count - start <= limit else { throw .messageTooBig(limit: limit) }
      isFilled = output.count - before == room
      if isText {
        let isValid = output.withUnsafeBytes {
          text.receive(UnsafeRawBufferPointer(rebasing: $0[before...]))
        }
        guard isValid else { throw .invalidUTF8 }
      }
    } while !piece.isEmpty || isFilled
  }
}
