/// The payload of a Close frame (RFC 6455 section 5.5.1): nothing, or a code and a reason in UTF-8.
extension CloseReason {
  private static let longestText = FrameHeader.largestControlPayload - 2

  /// Reads a whole payload; one without a code is reported as 1005.
  static func read(_ payload: [UInt8]) throws(ProtocolViolation) -> CloseReason {
    if payload.isEmpty { return CloseReason(.noStatus) }
    guard payload.count >= 2 else { throw .invalidCloseFrame }
    let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.mayBeSent else { throw .invalidCloseFrame }
    let text = payload.dropFirst(2)
    guard text.withUnsafeBytes({ UTF8Validator.isValid($0) }) else { throw .invalidUTF8 }
    return CloseReason(code, String(decoding: text, as: UTF8.self))
  }

  /// What is written: no payload at all where the code is none that may be sent, such as 1005.
  var payload: [UInt8] {
    guard code.mayBeSent else { return [] }
    return [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(text.utf8)
  }

  /// As it fits into a Close frame: the text is cut at a character's border.
  var fitting: CloseReason {
    var size = 0
    var end = text.startIndex
    for index in text.indices {
      size += text[index].utf8.count
      guard size <= Self.longestText else { break }
      end = text.index(after: index)
    }
    return CloseReason(code, String(text[..<end]))
  }
}
