/// The opcodes of RFC 6455 section 5.2; every other value is reserved.
enum Opcode: UInt8, Sendable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  var isControl: Bool { rawValue >= 0x8 }
}

/// What stands before the payload of a frame (RFC 6455 section 5.2).
struct FrameHeader: Sendable {
  static let largestControlPayload = 125

  var opcode: Opcode
  var isFinal: Bool
  /// RSV1 (RFC 7692 section 6): the first frame of a message that is compressed.
  var isCompressed = false
  /// Bytes of payload.
  var length: Int
  /// The mask key in memory order; nil where the payload is not masked.
  var key: UInt32?
  /// Bytes of the header itself, 2 to 14.
  var size: Int

  /// What the receiver knows before the frame: it decides which frames are in order.
  struct Context {
    var role: Role
    /// Whether a fragmented message is still without its last frame.
    var isInsideMessage: Bool
    /// Bytes that the message may still grow by.
    var room: Int
    /// The same for a message that begins compressed; nil where none may be.
    var compressedRoom: Int?
    var limit: Int
  }

  /// Reads the header at the beginning of `bytes`: nil where it is cut. The checks go from the front
  /// to the back, each as soon as its bytes are there, so that the way the bytes are cut up makes no
  /// difference to what is found.
  ///
  /// Inlined, as are its parts: for a flood of small frames the calls cost as much as their work.
  @inline(__always) static func read(
    _ bytes: UnsafeRawBufferPointer, in context: Context
  ) throws(ProtocolViolation) -> FrameHeader? {
    guard let start = bytes.baseAddress, bytes.count >= 1 else { return nil }
    let first = start.load(as: UInt8.self)
    let opcode = try readOpcode(first, in: context)

    guard bytes.count >= 2 else { return nil }
    let second = start.load(fromByteOffset: 1, as: UInt8.self)
    let isMasked = second & 0x80 != 0
    switch context.role {
    case .client where isMasked: throw .maskedByServer
    case .server where !isMasked: throw .unmaskedByClient
    default: break
    }
    let short = second & 0x7F
    if opcode.isControl, short > largestControlPayload { throw .oversizedControl }

    let lengthSize = short == 127 ? 8 : short == 126 ? 2 : 0
    guard bytes.count >= 2 + lengthSize else { return nil }
    let length = try readLength(start + 2, short: short)
    // Compared before anything is added up or allocated: an announced length is only a claim.
    let isCompressed = first & 0x40 != 0
    let room = isCompressed ? context.compressedRoom ?? 0 : context.room
    if !opcode.isControl, length > UInt64(room) { throw .messageTooBig(limit: context.limit) }

    let size = 2 + lengthSize + (isMasked ? 4 : 0)
    guard bytes.count >= size else { return nil }
    let key = isMasked ? start.loadUnaligned(fromByteOffset: size - 4, as: UInt32.self) : nil
    return FrameHeader(
      opcode: opcode, isFinal: first & 0x80 != 0, isCompressed: isCompressed, length: Int(length),
      key: key, size: size)
  }

  @inline(__always) private static func readOpcode(
    _ first: UInt8, in context: Context
  ) throws(ProtocolViolation) -> Opcode {
    guard first & 0x70 == 0 || (first & 0x70 == 0x40 && context.compressedRoom != nil) else {
      throw .reservedBits
    }
    guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .unknownOpcode(first & 0x0F) }
    switch opcode {
    case .continuation:
      guard first & 0x40 == 0 else { throw .reservedBits }
      guard context.isInsideMessage else { throw .unexpectedContinuation }
    case .text, .binary:
      guard !context.isInsideMessage else { throw .interruptedMessage }
    case .close, .ping, .pong:
      guard first & 0x40 == 0 else { throw .reservedBits }
      guard first & 0x80 != 0 else { throw .fragmentedControl }
    }
    return opcode
  }

  /// The payload length, in the shortest of the three forms that can hold it.
  @inline(__always) private static func readLength(
    _ start: UnsafeRawPointer, short: UInt8
  ) throws(ProtocolViolation) -> UInt64 {
    switch short {
    case 126:
      let length = UInt64(UInt16(bigEndian: start.loadUnaligned(as: UInt16.self)))
      guard length > 125 else { throw .nonMinimalLength }
      return length
    case 127:
      let length = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
      guard length >> 63 == 0 else { throw .lengthOverflow }
      guard length > 0xFFFF else { throw .nonMinimalLength }
      return length
    default:
      return UInt64(short)
    }
  }

  /// How many bytes the header of a frame to send takes.
  static func size(for length: Int, isMasked: Bool) -> Int {
    2 + (length > 0xFFFF ? 8 : length > 125 ? 2 : 0) + (isMasked ? 4 : 0)
  }

  /// Writes the header to `destination`, which has room for `size` bytes.
  func write(to destination: UnsafeMutableRawPointer) {
    let maskBit: UInt8 = key == nil ? 0 : 0x80
    let first = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
    destination.storeBytes(of: first, as: UInt8.self)
    let form: UInt8
    if length > 0xFFFF {
      form = 127
      destination.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
    } else if length > 125 {
      form = 126
      destination.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
    } else {
      form = UInt8(length)
    }
    destination.storeBytes(of: maskBit | form, toByteOffset: 1, as: UInt8.self)
    if let key { destination.storeBytes(of: key, toByteOffset: size - 4, as: UInt32.self) }
  }
}
