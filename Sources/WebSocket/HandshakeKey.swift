import COpenSSL

/// Sec-WebSocket-Key and the answer to it (RFC 6455 sections 4.1 and 4.2.2).
enum HandshakeKey {
  private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// 16 fresh random bytes in base64.
  static func make(entropy: inout Entropy) -> String {
    base64(entropy.bytes(16))
  }

  /// The value of Sec-WebSocket-Accept that answers `key`.
  static func accept(_ key: String) -> String {
    let text = Array((key + identifier).utf8)
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    SHA1(text, text.count, &digest)
    return base64(digest)
  }

  /// Whether `key` is 16 bytes in base64.
  static func isValid(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    return bytes.count == 24 && bytes.hasSuffix("==")
      && bytes.dropLast(2).allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
      }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    // EVP_EncodeBlock writes a zero byte behind the text.
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
