/// Gathers the bytes of one bracketed paste up to its end marker, ESC [ 201 ~.
struct PasteCollector: Equatable, Sendable {
  /// A paste is kept up to this many bytes; the rest is thrown away up to the end marker.
  static let limit = 1_048_576
  private static let endMarker: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var bytes: [UInt8] = []
  /// How many bytes of the end marker have been seen in a row. They are held back from `bytes`.
  private var matched = 0
  private(set) var wasCut = false

  /// Takes one byte; true when it was the last of the end marker.
  mutating func take(_ byte: UInt8) -> Bool {
    if byte == Self.endMarker[matched] {
      matched += 1
      return matched == Self.endMarker.count
    }
    releaseMatched()
    // ESC stands only at the start of the marker, so a failed match can only begin anew with it.
    if byte == Self.endMarker[0] {
      matched = 1
    } else {
      keep(byte)
    }
    return false
  }

  /// The paste as text. Call it once, at the end marker or when the end did not come in time.
  mutating func finish() -> String {
    if matched < Self.endMarker.count { releaseMatched() }
    if wasCut { dropSplitScalar() }
    return typedText(from: String(decoding: bytes, as: UTF8.self))
  }

  private mutating func releaseMatched() {
    for index in 0..<matched { keep(Self.endMarker[index]) }
    matched = 0
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < Self.limit {
      bytes.append(byte)
    } else {
      wasCut = true
    }
  }

  /// The cut may have gone through the middle of a character.
  private mutating func dropSplitScalar() {
    var length = 0
    while length < 3, let last = bytes.last, last & 0xC0 == 0x80 {
      bytes.removeLast()
      length += 1
    }
    if let lead = bytes.last, lead >= 0xC0 {
      bytes.removeLast()
    }
  }
}
