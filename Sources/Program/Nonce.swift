package import WebSocket

/// A random identifier in the form of a UUID of version 4 (RFC 9562 section 5.4), since servers may hold the
/// client's id of a post in a column of that type.
package func makeNonce(_ entropy: inout Entropy) -> String {
  var bytes = entropy.bytes(16)
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for (index, byte) in bytes.enumerated() {
    if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
