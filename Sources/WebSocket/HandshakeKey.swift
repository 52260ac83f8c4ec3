import COpenSSL

/// Sec-WebSocket-Key and the answer to it (RFC 6455 sections 4.1 and 4.2.2).
enum HandshakeKey {
  private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// 16 fresh random bytes in base64.
  static func make(entropy: inout Entropy) -> String {
    Base64.encoded(entropy.bytes(16))
  }

  /// The value of Sec-WebSocket-Accept that answers `key`.
  static func accept(_ key: String) -> String {
    let text = Array((key + identifier).utf8)
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    co_sha1(text, text.count, &digest)
    return Base64.encoded(digest)
  }

  /// Whether `key` is 16 bytes in base64.
  static func isValid(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    return bytes.count == 24 && bytes.hasSuffix("==")
      && bytes.dropLast(2).allSatisfy(Base64.isLetter)
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
