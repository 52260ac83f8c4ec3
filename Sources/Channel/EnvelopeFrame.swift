import JSON

/// One message of the envelope: `{"kind": String, "payload": base64 of JSON}`, the way Swift's `Codable` writes
/// a structure with a `Data` in it. A payload that is a JSON object is understood too.
struct EnvelopeFrame: Equatable, Sendable {
  var kind: String
  /// Always an object.
  var payload: JSON

  init(_ kind: String, _ payload: JSON) {
    self.kind = kind
    self.payload = payload
  }

  /// Nil for anything that is no envelope.
  init?(_ bytes: RawSpan) {
    guard let outer = try? JSON.parse(bytes), let kind = outer["kind"]?.string else { return nil }
    switch outer["payload"] {
    case .some(.object(let members)):
      self.init(kind, .object(members))
    case .some(.string(let encoded)):
      guard let decoded = EnvelopeBase64.decoded(encoded),
        let inner = try? JSON.parse(decoded.span.bytes), inner.members != nil
      else { return nil }
      self.init(kind, inner)
    case nil, .null, .bool, .integer, .double, .bigInteger, .array:
      return nil
    }
  }

  var text: String {
    var bytes: [UInt8] = []
    payload.write(to: &bytes)
    return JSON.object([
      .init("kind", .string(kind)), .init("payload", .string(EnvelopeBase64.encoded(bytes))),
    ]).text
  }
}

/// RFC 4648 section 4.
enum EnvelopeBase64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
      }
      for place in 0..<4 {
        let digit = alphabet[Int(group >> (18 - 6 * UInt32(place))) & 63]
        result.append(place <= count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Nil for anything outside of the alphabet and for a wrong length; padding may be left out.
  static func decoded(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    if digits.count.isMultiple(of: 4) {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count / 4 * 3 + 3)
    var group: UInt32 = 0
    var bits = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      group = (group << 6 | value) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    return result
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
