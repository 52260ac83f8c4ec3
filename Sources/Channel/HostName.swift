import CIdn2
import Text

/// Names of hosts as they are looked up, sent and checked: in ASCII and lower case.
package enum HostName {
  private static let longest = 253

  /// The ASCII form: `bücher.example` becomes `xn--bcher-kva.example` (IDNA 2008 by UTS 46, not transitional, as
  /// browsers and curl do), any other name its lower case. That form is also the one which is shown, since two
  /// names may look alike. Checks the characters, and the length of the parts (RFC 1035 section 2.3.4).
  package static func ascii(_ name: some StringProtocol) throws(EndpointError) -> String {
    let text = String(name)
    // So long a name is none, and need not be mapped to know that.
    guard text.utf8.count <= 4 * longest else { throw noName(text) }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let mapped = isASCII ? text.lowercased() : try mappedToASCII(text)
    let bytes = mapped.utf8
    // Some characters outside of ASCII stand for a slash or a colon.
    guard bytes.allSatisfy({ PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }) else {
      throw EndpointError(
        message: "The host \(shown(text)) holds characters that no host name has: "
          + "use letters, digits, dots and hyphens")
    }
    var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // One dot at the end says that the name is complete.
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard bytes.count <= longest + 1, labels.allSatisfy({ (1...63).contains($0.count) }) else {
      throw noName(text)
    }
    return mapped
  }

  private static func mappedToASCII(_ text: String) throws(EndpointError) -> String {
    var result: UnsafeMutablePointer<CChar>?
    let status = ci_ascii(text, &result)
    defer { idn2_free(result) }
    guard status == 0, let result else {
      let reason = String(cString: idn2_strerror(status))
      throw EndpointError(
        message: "The host \(shown(text)) is no international host name (\(reason)): "
          + "check the spelling")
    }
    return String(cString: result).lowercased()
  }

  private static func noName(_ text: String) -> EndpointError {
    EndpointError(
      message: "The host \(shown(text)) is no host name: "
        + "its parts must have 1 to 63 characters, 253 in all")
  }

  private static func shown(_ text: String) -> String {
    UntrustedText(text).safe(for: .line, limit: 100)
  }
}
