import Glibc
import Text

/// What stands between the scheme and the path of a URL (RFC 3986 section 3.2): user and password, host, port.
/// Taken apart by hand and on bytes, so that every refusal can say which part is wrong; none shows user or
/// password.
struct Authority {
  /// As it is written, with its percent-escapes; nil where it is empty.
  var userinfo: ArraySlice<UInt8>?
  /// Without the brackets of an IPv6 address; names in the form of `HostName.ascii`.
  var host: String
  /// Nil where it is left out or empty, which stands for the scheme's own (RFC 3986, 3.2.3).
  var port: UInt16?

  /// `subject` begins the sentences, such as "The URL wss://chat.example/", and `example` ends one of them.
  /// `mayHoldSecret`: an "@" follows behind the authority, so that what looks like a port may be the beginning
  /// of a password.
  init(
    _ bytes: ArraySlice<UInt8>, of subject: String, example: String, mayHoldSecret: Bool
  ) throws(EndpointError) {
    var rest = bytes
    if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
      userinfo = at == bytes.startIndex ? nil : bytes[..<at]
      rest = bytes[(at + 1)...]
    }
    let digits: ArraySlice<UInt8>?
    (host, digits) = try Self.parts(of: rest, subject, example: example, mayHoldSecret)
    port = try Self.number(ofPort: digits, subject, host: host, mayHoldSecret)
  }

  /// User or password as text, without their escapes.
  static func decoded(
    _ raw: ArraySlice<UInt8>, of subject: String
  ) throws(EndpointError) -> String {
    let decoded = PercentEncoding.decoding(raw)
    // RFC 7617 section 2: neither user nor password holds control characters.
    guard !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let text = String(validating: decoded, as: UTF8.self)
    else {
      throw EndpointError(
        message:
          "User or password in \(EndpointError(message: subject).clause) is not readable text: "
          + "check its percent-escapes")
    }
    return text
  }

  /// The host without brackets, and the digits after its colon, if there is one.
  private static func parts(
    of part: ArraySlice<UInt8>, _ subject: String, example: String, _ mayHoldSecret: Bool
  ) throws(EndpointError) -> (host: String, port: ArraySlice<UInt8>?) {
    if part.first == UInt8(ascii: "[") { return try bracketed(part, subject) }
    let colon = part.firstIndex(of: UInt8(ascii: ":"))
    let host = part[..<(colon ?? part.endIndex)]
    let port = colon.map { part[($0 + 1)...] }
    if let port, port.contains(UInt8(ascii: ":")) {
      guard !mayHoldSecret else { throw secretInTheWay(subject) }
      throw EndpointError(
        message: "\(safe(part)) has more than one colon: write IPv6 addresses in brackets, [::1]:80"
      )
    }
    guard !host.isEmpty else {
      throw EndpointError(message: "\(subject) names no host: write one such as \(example)")
    }
    if mayHoldSecret, port.map({ !isNumber($0) }) ?? false { throw secretInTheWay(subject) }
    return (try HostName.ascii(String(decoding: host, as: UTF8.self)), port)
  }

  private static func bracketed(
    _ part: ArraySlice<UInt8>, _ subject: String
  ) throws(EndpointError) -> (host: String, port: ArraySlice<UInt8>?) {
    guard let bracket = part.firstIndex(of: UInt8(ascii: "]")) else {
      throw EndpointError(message: "\(subject) opens a bracket and never closes it: add ]")
    }
    let after = part[(bracket + 1)...]
    guard after.isEmpty || after.first == UInt8(ascii: ":") else {
      throw EndpointError(
        message: "\(subject) has something between ] and the port: write [ADDRESS]:PORT")
    }
    let address = String(decoding: part[(part.startIndex + 1)..<bracket], as: UTF8.self)
    guard isIPv6(address) else {
      throw EndpointError(
        message: "[\(safe(address))] is no IPv6 address: write one such as [::1]")
    }
    return (address.lowercased(), after.isEmpty ? nil : after.dropFirst())
  }

  private static func isIPv6(_ address: String) -> Bool {
    guard address.utf8.allSatisfy({ $0 < 0x80 }), address.utf8.count < 64 else { return false }
    var parsed = in6_addr()
    return inet_pton(AF_INET6, address, &parsed) == 1
  }

  private static func number(
    ofPort digits: ArraySlice<UInt8>?, _ subject: String, host: String, _ mayHoldSecret: Bool
  ) throws(EndpointError) -> UInt16? {
    guard let digits, !digits.isEmpty else { return nil }
    guard isNumber(digits), let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else {
      if mayHoldSecret { throw secretInTheWay(subject) }
      throw EndpointError(
        message: "\(safe(digits)) is no port for \(safe(host)): use a number from 1 to 65535")
    }
    return port
  }

  private static func secretInTheWay(_ subject: String) -> EndpointError {
    EndpointError(
      message: "\(subject) cannot be read: a / or ? in user or password is written %2F or %3F")
  }

  private static func isNumber(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func safe(_ part: ArraySlice<UInt8>) -> String {
    safe(String(decoding: part, as: UTF8.self))
  }

  private static func safe(_ part: String) -> String {
    UntrustedText(part).safe(for: .line, limit: 100)
  }
}
