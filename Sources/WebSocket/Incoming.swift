/// What the machine keeps of the frame and of the message that are not whole yet.
struct Incoming: Sendable {
  /// The beginning of a frame header that was cut by the end of the bytes.
  var headerPart: [UInt8] = []
  /// The frame whose payload is on its way; meaningful while `remaining` is above zero.
  var frame = FrameHeader(opcode: .binary, isFinal: true, length: 0, key: nil, size: 0)
  /// Bytes of that payload yet to come.
  var remaining = 0
  /// The payload of a control frame so far. Apart from the message, for it may stand between fragments.
  var control: [UInt8] = []

  /// The kind of the message that has begun, nil between messages.
  var kind: MessageKind?
  /// Whether that message is compressed: then its bytes are in the machine's `inflation`.
  var isCompressed = false
  /// Its bytes so far, unmasked.
  var message: [UInt8] = []
  /// Memory for the next message that comes in pieces; empty.
  var spare: [UInt8] = []
  var fragments = 0
  var text = UTF8Validator()

  mutating func begin(_ kind: MessageKind, isCompressed: Bool) {
    self.kind = kind
    self.isCompressed = isCompressed
    fragments = 0
    text = UTF8Validator()
  }

  /// Takes a piece of the current frame's payload off the wire.
  mutating func take(_ piece: UnsafeRawBufferPointer, limit: Int) throws(ProtocolViolation) {
    let offset = frame.length - remaining
    if frame.opcode.isControl {
      Self.append(piece, key: frame.key, at: offset, to: &control)
    } else {
      reserve(piece.count, limit: limit)
      let start = message.count
      Self.append(piece, key: frame.key, at: offset, to: &message)
      try check(from: start)
    }
    remaining -= piece.count
  }

  /// Takes an unmasked piece of a data frame that `read` writes into the memory of the message itself.
  mutating func take(
    upTo room: Int, limit: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(ProtocolViolation) {
    reserve(room, limit: limit)
    let start = message.count
    message.append(addingCapacity: room) { span in
      span.withUnsafeMutableBufferPointer { buffer, initializedCount in
        let memory = UnsafeMutableRawBufferPointer(buffer)
        initializedCount = read(UnsafeMutableRawBufferPointer(rebasing: memory[..<room]))
      }
    }
    remaining -= message.count - start
    try check(from: start)
  }

  /// Whether what the message has from `start` on can go on as its text.
  private mutating func check(from start: Int) throws(ProtocolViolation) {
    guard kind == .text else { return }
    let isValid = message.withUnsafeBytes {
      text.receive(UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    guard isValid else { throw .invalidUTF8 }
  }

  /// The finished message, handed over.
  mutating func endMessage() throws(ProtocolViolation) -> [UInt8] {
    guard kind != .text || text.isAtBorder else { throw .invalidUTF8 }
    kind = nil
    var whole: [UInt8] = []
    swap(&whole, &message)
    swap(&message, &spare)
    return whole
  }

  private static func append(
    _ piece: UnsafeRawBufferPointer, key: UInt32?, at offset: Int, to bytes: inout [UInt8]
  ) {
    if let key {
      bytes.append(masked: piece, key: key, at: offset)
    } else {
      bytes.append(contentsOf: piece)
    }
  }

  /// Makes room by what has come rather than by what was announced: at most twice the message so far
  /// or 64 KiB ahead of it, and in the last frame no more than its end.
  private mutating func reserve(_ count: Int, limit: Int) {
    let needed = message.count + count
    guard needed > message.capacity else { return }
    let announced = message.count + remaining
    let doubled = message.count * 2
    let ahead = min(announced, needed + 65_536)
    let wanted = frame.isFinal ? min(announced, max(doubled, ahead)) : max(doubled, ahead)
    message.reserveCapacity(max(needed, min(wanted, limit)))
  }
}
