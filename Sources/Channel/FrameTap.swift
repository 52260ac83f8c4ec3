import Deflate
import WebSocket

/// Reads the frames of one direction off the wire for the log: it understands what it can, and judges nothing.
struct FrameTap: Sendable {
  struct Frame: Equatable, Sendable {
    var opcode: UInt8
    var isFinal: Bool
    /// RSV1 to RSV3, from the left.
    var reservedBits: UInt8
    /// Bytes of payload on the wire.
    var length: UInt64
    /// The beginning of the payload, unmasked, and restored where it is compressed.
    var payload: [UInt8] = []
    /// How many bytes it has when it is restored; nil where it was not compressed, or could not be restored.
    var restoredLength: Int?
    var isCompressed = false

    /// It holds a message that is not whole in it.
    var isFragment: Bool { opcode == 0 || (!isFinal && opcode < 8) }
    /// What is shown is not all.
    func isCut(at count: Int) -> Bool {
      restoredLength.map { $0 > count } ?? (length > UInt64(count))
    }
  }

  private static let step = 16_384

  /// How much of a payload is kept.
  let most: Int
  /// Restores what is compressed, where compression was agreed on.
  var transform: (any MessageTransform)?
  private var head: [UInt8] = []
  private var frame: Frame?
  private var key: [UInt8] = []
  private var received: UInt64 = 0
  /// The message that has begun is compressed.
  private var isMessageCompressed = false
  private var messageBytes = 0

  init(most: Int) {
    self.most = most
  }

  /// The frames that end in these bytes.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> [Frame] {
    var frames: [Frame] = []
    var position = 0
    while position < bytes.count {
      if frame == nil {
        head.append(bytes[position])
        position += 1
        guard head.count == Self.headSize(head) else { continue }
        begin()
      }
      guard var current = frame else { continue }
      let left = current.length - received
      let count = Int(min(left, UInt64(bytes.count - position)))
      frame = nil
      take(
        UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]), into: &current)
      position += count
      received += UInt64(count)
      if received == current.length {
        end(&current)
        frames.append(current)
      } else {
        frame = current
      }
    }
    return frames
  }

  /// How long the head is, as far as can be told.
  static func headSize(_ head: [UInt8]) -> Int {
    guard head.count >= 2 else { return 2 }
    let extended = head[1] & 0x7F == 127 ? 8 : head[1] & 0x7F == 126 ? 2 : 0
    return 2 + extended + (head[1] & 0x80 != 0 ? 4 : 0)
  }

  private mutating func begin() {
    let isMasked = head[1] & 0x80 != 0
    let numbers = head[2..<(head.count - (isMasked ? 4 : 0))]
    let length = numbers.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var new = Frame(
      opcode: head[0] & 0x0F, isFinal: head[0] & 0x80 != 0, reservedBits: head[0] >> 4 & 7,
      length: numbers.isEmpty ? UInt64(head[1] & 0x7F) : length)
    if new.opcode == 1 || new.opcode == 2 {
      isMessageCompressed = new.reservedBits & 4 != 0
      messageBytes = 0
    }
    new.isCompressed = isMessageCompressed && new.opcode < 8
    if new.isCompressed, transform != nil { new.restoredLength = 0 }
    key = isMasked ? Array(head.suffix(4)) : []
    head = []
    received = 0
    frame = new
  }

  private mutating func take(_ piece: UnsafeRawBufferPointer, into frame: inout Frame) {
    guard !piece.isEmpty else { return }
    guard frame.isCompressed, transform != nil else {
      guard frame.payload.count < most else { return }
      frame.payload += unmasked(piece.prefix(most - frame.payload.count))
      return
    }
    messageBytes += piece.count
    restore(unmasked(piece[...]), into: &frame)
  }

  private func unmasked(_ piece: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    guard !key.isEmpty else { return Array(piece) }
    let start = Int(received % 4)
    return piece.enumerated().map { $1 ^ key[(start + $0) % 4] }
  }

  private mutating func restore(_ bytes: [UInt8], into frame: inout Frame) {
    guard let transform else { return }
    var kept = frame.payload
    var total = frame.restoredLength ?? 0
    var isSound = true
    let most = most
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      withUnsafeTemporaryAllocation(byteCount: Self.step, alignment: 16) { room in
        var isFilled = false
        repeat {
          guard let count = transform.restore(&rest, into: room) else {
            isSound = false
            return
          }
          kept += room.prefix(min(count, most - kept.count))
          total += count
          isFilled = count == room.count
        } while !rest.isEmpty || isFilled
      }
    }
    frame.payload = kept
    frame.restoredLength = isSound ? total : nil
    // What follows refers to what could not be read.
    if !isSound { self.transform = nil }
  }

  private mutating func end(_ frame: inout Frame) {
    guard frame.isCompressed, frame.isFinal else { return }
    if messageBytes > 0, transform?.endMessage() == false { transform = nil }
    isMessageCompressed = false
  }
}
