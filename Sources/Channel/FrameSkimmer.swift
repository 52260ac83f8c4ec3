/// Finds the frames of one direction of a line by their heads, and hands them to a `FrameRecord`. It judges
/// nothing, and passes over payloads without looking at them.
package struct FrameSkimmer: Sendable {
  struct Head: Equatable, Sendable {
    var opcode: UInt8
    var isFinal: Bool
    /// RSV1 to RSV3, from the left.
    var reservedBits: UInt8
    var length: UInt64
  }

  let direction: FrameRecord.Direction
  let line: Int
  /// Compression was agreed on: what messages say is handed in by `restored`.
  let isCompressed: Bool
  /// The beginning of a head that was cut.
  private var part: [UInt8] = []
  /// The frame under way, and how much of it is still to come.
  private var number = 0
  private var left: UInt64 = 0
  private var offset: UInt64 = 0
  private var key: [UInt8] = []
  private var keepsPayload = true
  /// The message that has begun is compressed.
  private var isMessageCompressed = false
  /// The frames that ended messages whose text has not been handed in: 0 for those that were not compressed.
  private var ended: [Int] = []
  private var firstEnded = 0

  package init(_ direction: FrameRecord.Direction, line: Int, isCompressed: Bool) {
    self.direction = direction
    self.line = line
    self.isCompressed = isCompressed
  }

  package mutating func skim(
    _ bytes: UnsafeRawBufferPointer, into record: inout FrameRecord, at now: Instant
  ) {
    var position = 0
    while position < bytes.count {
      if left > 0 {
        let count = Int(min(left, UInt64(bytes.count - position)))
        take(
          UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]), into: &record)
        position += count
        continue
      }
      guard let size = headSize(bytes, at: position) else {
        part.append(bytes[position])
        position += 1
        if part.count == FrameTap.headSize(part) {
          let head = part
          part.removeAll(keepingCapacity: true)
          head.withUnsafeBytes { begin($0, into: &record, at: now) }
        }
        continue
      }
      begin(
        UnsafeRawBufferPointer(rebasing: bytes[position..<position + size]), into: &record, at: now)
      position += size
    }
  }

  /// The text of the next message that ended, where the line is compressed; messages come in their order.
  mutating func restored(_ bytes: RawSpan, length: Int, into record: inout FrameRecord) {
    guard firstEnded < ended.count else { return }
    let number = ended[firstEnded]
    firstEnded += 1
    if firstEnded == ended.count {
      ended.removeAll(keepingCapacity: true)
      firstEnded = 0
    }
    if number > 0 { record.restore(number, bytes, length: length) }
  }

  /// The size of the head that begins there; nil where it is cut.
  private func headSize(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
    guard part.isEmpty, bytes.count - position >= 2 else { return nil }
    let second = bytes[position + 1]
    let extended = second & 0x7F == 127 ? 8 : second & 0x7F == 126 ? 2 : 0
    let size = 2 + extended + (second & 0x80 != 0 ? 4 : 0)
    return bytes.count - position >= size ? size : nil
  }

  private mutating func begin(
    _ bytes: UnsafeRawBufferPointer, into record: inout FrameRecord, at now: Instant
  ) {
    let isMasked = bytes[1] & 0x80 != 0
    let numbers = bytes[2..<bytes.count - (isMasked ? 4 : 0)]
    var length = UInt64(bytes[1] & 0x7F)
    if !numbers.isEmpty { length = numbers.reduce(0) { $0 << 8 | UInt64($1) } }
    let head = Head(
      opcode: bytes[0] & 0x0F, isFinal: bytes[0] & 0x80 != 0, reservedBits: bytes[0] >> 4 & 7,
      length: length)
    if head.opcode == 1 || head.opcode == 2 {
      isMessageCompressed = isCompressed && head.reservedBits & 4 != 0
    }
    let isPart = isMessageCompressed && head.opcode < 8
    number = record.begin(direction, line: line, at: now, head, isCompressed: isPart)
    if isCompressed, head.isFinal, head.opcode < 8 { ended.append(isPart ? number : 0) }
    keepsPayload = !isPart
    key = isMasked ? Array(bytes.suffix(4)) : []
    left = length
    offset = 0
  }

  private mutating func take(_ piece: UnsafeRawBufferPointer, into record: inout FrameRecord) {
    if keepsPayload, offset < UInt64(FrameRecord.mostPayload) {
      if key.isEmpty {
        record.append(piece, to: number)
      } else {
        record.append(masked: piece, key: key, at: offset, to: number)
      }
    }
    offset += UInt64(piece.count)
    left -= UInt64(piece.count)
  }
}
