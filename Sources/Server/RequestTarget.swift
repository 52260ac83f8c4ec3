/// The target of a request (RFC 9112 section 3.2.1), with the items of its query decoded.
struct RequestTarget: Equatable {
  var path: String
  private var items: [String: String] = [:]

  init(_ target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? "/"
    guard parts.count == 2 else { return }
    let query = parts[1].prefix { $0 != "#" }
    for item in query.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      items[Self.decoded(pair[0])] = pair.count == 2 ? Self.decoded(pair[1]) : ""
    }
  }

  /// An item of the query, the last one where it stands twice.
  subscript(name: String) -> String? { items[name] }

  /// Percent-decoding, "+" for a space. A "%" without two digits stands for itself; what is no UTF-8 is repaired.
  private static func decoded(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = Character(UnicodeScalar(bytes[index + 1])).hexDigitValue,
        let low = Character(UnicodeScalar(bytes[index + 2])).hexDigitValue
      {
        output.append(UInt8(high << 4 | low))
        index += 3
      } else {
        output.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
