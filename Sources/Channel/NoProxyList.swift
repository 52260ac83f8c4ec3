import Glibc

/// The hosts that are reached without a proxy: a list as curl's `--noproxy` and the variable `no_proxy` have it.
///
/// Elements are separated by commas or blanks: `*` for every host; a name, with or without a dot before it, for
/// that host and all below it; an address; a block of addresses such as `10.0.0.0/8`. Each but `*` may end in
/// `:PORT`, IPv6 addresses then in brackets. What is none of these matches nothing.
struct NoProxyList {
  private let elements: [Substring]

  init(_ text: String) {
    elements = text.split { $0 == "," || $0.isWhitespace }
  }

  /// `host` in the form of an `Endpoint`.
  func contains(_ host: String, port: UInt16) -> Bool {
    let address = Self.address(host)
    let name = Self.undotted(host[...])
    return elements.contains { element in
      if element == "*" { return true }
      guard let place = Self.place(element, port: port) else { return false }
      guard let address else { return Self.isName(place, of: name) }
      return Self.isBlock(place, of: address)
    }
  }

  /// The element without its port; nil where that is another one.
  private static func place(_ element: Substring, port: UInt16) -> Substring? {
    var place = element
    if let colon = element.lastIndex(of: ":"),
      element.hasPrefix("[") || element.firstIndex(of: ":") == colon
    {
      let behind = element[element.index(after: colon)...]
      // The last colon of a bracketed address may be one of its own.
      if !behind.contains("]") {
        guard UInt16(behind) == port else { return nil }
        place = element[..<colon]
      }
    }
    return place
  }

  private static func isName(_ place: Substring, of name: Substring) -> Bool {
    guard let wanted = try? HostName.ascii(undotted(place)) else { return false }
    return name == wanted || name.hasSuffix("." + wanted)
  }

  private static func undotted(_ name: Substring) -> Substring {
    var name = name
    if name.hasPrefix(".") { name.removeFirst() }
    if name.hasSuffix(".") { name.removeLast() }
    return name
  }

  private static func isBlock(_ place: Substring, of address: [UInt8]) -> Bool {
    let parts = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var text = parts[0]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    guard let block = Self.address(String(text)), block.count == address.count else {
      return false
    }
    var bits = 8 * block.count
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...bits).contains(number) else { return false }
      bits = number
    }
    return zip(block, address).enumerated().allSatisfy { index, bytes in
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - 8 * index)))
      return (bytes.0 ^ bytes.1) & mask == 0
    }
  }

  /// 4 or 16 bytes; nil where the text is no address in digits.
  private static func address(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
