/// Base64 with the standard alphabet (RFC 4648 section 4).
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: [UInt8], to output: inout [UInt8]) {
    output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for index in 0..<3 {
        group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
      }
      for index in 0..<4 {
        let value = Int(group >> UInt32(18 - 6 * index) & 0x3F)
        output.append(index <= count ? alphabet[value] : padding)
      }
    }
  }

  /// Nil for anything outside of the alphabet, a wrong length, or bits set behind the end (RFC 4648 sections
  /// 3.3 and 3.5). Padding may be left out.
  static func decode(_ text: String) -> [UInt8]? {
    var letters = Array(text.utf8)[...]
    if letters.count % 4 == 0 {
      for _ in 0..<2 where letters.last == padding { letters.removeLast() }
    }
    guard letters.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(letters.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits = 0
    for letter in letters {
      guard let value = values[Int(letter)] else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
        group &= (1 << UInt32(bits)) - 1
      }
    }
    return group == 0 ? output : nil
  }
}
