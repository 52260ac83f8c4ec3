/// A URI or a relative reference, taken apart into the five components of RFC 3986 section 3, and the
/// resolution of section 5.2. Nothing is decoded, normalised or checked: `Endpoint` does that with the result.
///
/// Works on bytes: a slash with a combining mark behind it is still a slash.
struct URIReference: Equatable, Sendable {
  var scheme: [UInt8]?
  var authority: [UInt8]?
  var path: [UInt8] = []
  var query: [UInt8]?
  var fragment: [UInt8]?

  /// Takes a text apart as the expression of appendix B does. What stands before the first colon is a
  /// scheme only where it is made like one (section 3.1).
  init(_ text: String) {
    var rest = Array(text.utf8)[...]
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = Array(rest[(hash + 1)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = Array(rest[(mark + 1)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = Array(rest[..<colon])
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: Self.slash) ?? rest.endIndex
      authority = Array(rest[..<end])
      rest = rest[end...]
    }
    path = Array(rest)
  }

  /// The reference as seen from `base`, which has a scheme (section 5.2.2, strictly: a scheme of the
  /// reference's own counts even where it is the base's).
  func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil || authority != nil {
      target.scheme = scheme ?? base.scheme
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else {
      target.path = Self.removingDotSegments(path.first == Self.slash ? path : merged(into: base))
    }
    return target
  }

  /// Put together again (section 5.3).
  var text: String {
    var result: [UInt8] = []
    if let scheme { result += scheme + ":".utf8 }
    if let authority { result += "//".utf8 + authority }
    result += path
    if let query { result += "?".utf8 + query }
    if let fragment { result += "#".utf8 + fragment }
    return String(decoding: result, as: UTF8.self)
  }

  /// Section 5.2.3: the path takes the place of what follows the base's last slash.
  private func merged(into base: URIReference) -> [UInt8] {
    if base.authority != nil, base.path.isEmpty { return [Self.slash] + path }
    let kept = base.path.lastIndex(of: Self.slash).map { base.path[...$0] } ?? []
    return kept + path
  }

  /// Section 5.2.4: "." and ".." are walked, and never above the root.
  static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
    var input = path[...]
    var output: [UInt8] = []
    while !input.isEmpty {
      if input.starts(with: "../".utf8) {
        input = input.dropFirst(3)
      } else if input.starts(with: "./".utf8) || input.starts(with: "/./".utf8) {
        input = input.dropFirst(2)
      } else if input.elementsEqual("/.".utf8) {
        input = [slash]
      } else if input.starts(with: "/../".utf8) {
        input = input.dropFirst(3)
        removeLastSegment(of: &output)
      } else if input.elementsEqual("/..".utf8) {
        input = [slash]
        removeLastSegment(of: &output)
      } else if input.elementsEqual(".".utf8) || input.elementsEqual("..".utf8) {
        input = []
      } else {
        let end = input.dropFirst().firstIndex(of: slash) ?? input.endIndex
        output += input[..<end]
        input = input[end...]
      }
    }
    return output
  }

  private static func removeLastSegment(of path: inout [UInt8]) {
    while let last = path.popLast(), last != slash {}
  }

  private static let slash = UInt8(ascii: "/")

  /// ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    else { return false }
    return bytes.allSatisfy {
      PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "_")
        || $0 == UInt8(ascii: "+")
    }
  }
}
