/// Goes through the messages of a netlink datagram (netlink(7)), never beyond its end.
struct NetlinkReader {
  struct Message {
    var type: UInt16
    /// The netlink port of who asked for it, or brought it about; 0 where nobody did.
    var port: UInt32
    /// What stands behind the header.
    var body: [UInt8]

    func byte(at offset: Int) -> UInt8? {
      body.indices.contains(offset) ? body[offset] : nil
    }

    func word(at offset: Int) -> UInt32? {
      guard offset + 4 <= body.count else { return nil }
      return body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    /// The value of the attribute of that type (struct rtattr), which stand behind `start`.
    func attribute(_ type: UInt16, behind start: Int) -> [UInt8]? {
      var position = start
      while position + 4 <= body.count {
        let (length, found) = body.withUnsafeBytes {
          (
            Int($0.loadUnaligned(fromByteOffset: position, as: UInt16.self)),
            $0.loadUnaligned(fromByteOffset: position + 2, as: UInt16.self)
          )
        }
        guard length >= 4, position + length <= body.count else { return nil }
        if found & 0x3FFF == type { return Array(body[position + 4..<position + length]) }
        position += (length + 3) & ~3
      }
      return nil
    }
  }

  private static let headerSize = 16
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func nextMessage() -> Message? {
    guard position + Self.headerSize <= bytes.count else { return nil }
    let start = position
    let (length, type, port) = bytes.withUnsafeBytes {
      (
        Int($0.loadUnaligned(fromByteOffset: start, as: UInt32.self)),
        $0.loadUnaligned(fromByteOffset: start + 4, as: UInt16.self),
        $0.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
      )
    }
    guard length >= Self.headerSize, length <= bytes.count - start else { return nil }
    position = start + (length + 3) & ~3
    return Message(
      type: type, port: port,
      body: Array(bytes[start + Self.headerSize..<start + length]))
  }
}
