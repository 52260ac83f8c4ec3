import COpenSSL

/// Base64 with the standard alphabet and padding (RFC 4648 section 4), by OpenSSL.
package enum Base64 {
  package static func encoded(_ bytes: [UInt8]) -> String {
    // EVP_EncodeBlock counts in Int32: whole groups of three that are far below it.
    let step = 3 << 20
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      let piece = Array(bytes[start..<min(start + step, bytes.count)])
      // It writes a zero byte behind the text.
      var block = [UInt8](repeating: 0, count: (piece.count + 2) / 3 * 4 + 1)
      let count = EVP_EncodeBlock(&block, piece, Int32(piece.count))
      text += block.prefix(Int(count))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for anything outside of the alphabet, a wrong length, or bits set behind the end (RFC 4648 sections
  /// 3.3 and 3.5). Padding may be left out.
  package static func decoded(_ text: String) -> [UInt8]? {
    var letters = Array(text.utf8)
    let missing = (4 - letters.count % 4) % 4
    guard missing == 0 || (missing < 3 && letters.last != padding) else { return nil }
    letters += [UInt8](repeating: padding, count: missing)
    let count = letters.count - letters.suffix(2).count { $0 == padding }
    guard letters.prefix(count).allSatisfy(isLetter) else { return nil }
    var bytes: [UInt8] = []
    let step = 4 << 20
    for start in stride(from: 0, to: letters.count, by: step) {
      let piece = Array(letters[start..<min(start + step, letters.count)])
      var block = [UInt8](repeating: 0, count: piece.count / 4 * 3)
      guard EVP_DecodeBlock(&block, piece, Int32(piece.count)) >= 0 else { return nil }
      bytes += block
    }
    // It decodes the padding to zero bytes.
    bytes.removeLast(letters.count - count)
    // Only bits that no byte holds can make a difference here.
    let rest = bytes.count % 3
    guard rest == 0 || encoded(Array(bytes.suffix(rest))).utf8.elementsEqual(letters.suffix(4))
    else { return nil }
    return bytes
  }

  private static let padding = UInt8(ascii: "=")

  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
    default: false
    }
  }
}
