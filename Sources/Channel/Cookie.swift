import WebSocket

/// One cookie as a server set it (RFC 6265 section 5.2, with the prefixes and bounds of its successor draft).
struct Cookie: Equatable, Sendable {
  /// Name and value together (RFC 6265 section 6.1).
  static let longest = 4096
  private static let longestAttribute = 1024
  /// No cookie is kept longer, whatever it says.
  private static let longestLife: Int64 = 400 * 86_400
  /// A date before this one is over without looking at a clock: 2026-01-01T00:00:00Z.
  private static let longAgo: Int64 = 1_767_225_600

  let name: String
  let value: String
  /// A host or a domain, in small letters, without a dot before it.
  let domain: String
  /// Goes to that very host, and to none below it.
  let isHostOnly: Bool
  let path: String
  let isSecure: Bool
  /// From when on it is over; nil: it lasts as long as the session.
  let end: Instant?

  /// Reads a Set-Cookie field of an answer from `endpoint`. Nil for one that is malformed, too long, or not the
  /// server's to set. `date` is the answer's Date in seconds since 1970: an Expires is measured by it, so that the
  /// clocks need not agree.
  init?(parsing field: String, from endpoint: Endpoint, date: Int64?, at now: Instant) {
    let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
      return nil
    }
    name = Self.trimmed(pair[..<equals])
    value = Self.trimmed(pair[pair.index(after: equals)...])
    guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.longest else { return nil }
    var attributes = Attributes()
    for part in parts.dropFirst() { attributes.take(part, date: date, at: now) }

    let isTrusted = endpoint.isSecure || endpoint.isLoopback
    guard isTrusted || !attributes.isSecure else { return nil }
    isSecure = attributes.isSecure
    path = attributes.path ?? endpoint.defaultCookiePath
    end = attributes.lifeTime ?? attributes.expires
    if let wanted = attributes.domain, wanted != endpoint.host || endpoint.mayHaveSubdomains {
      // A single label, such as "com", is nobody's own. That "co.uk" is not either, only a list could tell; a session
      // goes to one host alone, so that no other gets such a cookie.
      guard endpoint.belongs(to: wanted), wanted.utf8.contains(UInt8(ascii: ".")) else {
        return nil
      }
      domain = wanted
      isHostOnly = false
    } else {
      domain = endpoint.host
      isHostOnly = true
    }
    let small = name.lowercased()
    if small.hasPrefix("__secure-"), !isSecure { return nil }
    if small.hasPrefix("__host-"),
      !isSecure || attributes.domain != nil || attributes.path != "/"
    {
      return nil
    }
  }

  func isOver(at now: Instant) -> Bool {
    end.map { $0 <= now } ?? false
  }

  /// Whether it goes along with a request (RFC 6265 section 5.4).
  func goes(to endpoint: Endpoint, at now: Instant) -> Bool {
    covers(endpoint) && (!isSecure || endpoint.isSecure || endpoint.isLoopback) && !isOver(at: now)
  }

  /// Whether host and path are its own, with TLS or without.
  func covers(_ endpoint: Endpoint) -> Bool {
    (isHostOnly ? endpoint.host == domain : endpoint.belongs(to: domain))
      && endpoint.isBelow(path: path)
  }

  /// Takes the place of another one.
  func replaces(_ other: Cookie) -> Bool {
    name == other.name && domain == other.domain && isHostOnly == other.isHostOnly
      && path == other.path
  }

  private static func trimmed(_ bytes: Substring.UTF8View) -> String {
    var rest = bytes
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return String(Substring(rest))
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// What stands behind name and value; of repeated ones the last counts, unknown ones do not.
  private struct Attributes {
    var domain: String?
    var path: String?
    var isSecure = false
    /// From Max-Age, which counts more than Expires.
    var lifeTime: Instant?
    var expires: Instant?

    mutating func take(_ part: Substring.UTF8View, date: Int64?, at now: Instant) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let value = equals.map { trimmed(part[part.index(after: $0)...]) } ?? ""
      guard value.utf8.count <= longestAttribute else { return }
      switch trimmed(part[..<(equals ?? part.endIndex)]).lowercased() {
      case "domain":
        let name = (value.hasPrefix(".") ? value.dropFirst() : value[...]).lowercased()
        domain = name.isEmpty ? nil : name
      case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
      case "secure": isSecure = true
      case "max-age":
        if let seconds = Self.seconds(of: value) {
          lifeTime = now + .seconds(min(max(seconds, 0), longestLife))
        }
      case "expires":
        if let seconds = CookieDate.seconds(of: value) {
          expires = Self.end(seconds, date: date, at: now)
        }
      default: break
      }
    }

    /// Digits, perhaps behind a minus (RFC 6265 section 5.2.2).
    private static func seconds(of text: String) -> Int64? {
      let isNegative = text.utf8.first == UInt8(ascii: "-")
      let digits = isNegative ? text.dropFirst() : text[...]
      guard !digits.isEmpty,
        digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      // More digits than fit are a long time too.
      return isNegative ? 0 : Int64(digits) ?? .max
    }

    /// Without the server's clock only what is over for sure is told from what is not.
    private static func end(_ seconds: Int64, date: Int64?, at now: Instant) -> Instant? {
      guard let date else { return seconds < longAgo ? now : nil }
      return now + .seconds(min(max(seconds - date, 0), longestLife))
    }
  }
}

extension Endpoint {
  /// RFC 6265 section 5.1.3. An address has no domain above it.
  fileprivate func belongs(to domain: String) -> Bool {
    host == domain || (mayHaveSubdomains && host.hasSuffix("." + domain))
  }

  /// A name of several parts, and no address.
  fileprivate var mayHaveSubdomains: Bool {
    !host.utf8.contains(UInt8(ascii: ":")) && host.utf8.contains(UInt8(ascii: "."))
      && !host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= 0x30 && $0 <= 0x39) }
  }

  /// What is sent here stays on the machine, with TLS or without.
  fileprivate var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || (host.hasPrefix("127.") && !mayHaveSubdomains)
  }

  private var cookiePath: Substring { target.prefix { $0 != "?" } }

  /// RFC 6265 section 5.1.4: up to the last slash.
  fileprivate var defaultCookiePath: String {
    let path = cookiePath
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  fileprivate func isBelow(path: String) -> Bool {
    let own = cookiePath
    return own == path
      || (own.hasPrefix(path) && (path.hasSuffix("/") || own.dropFirst(path.count).first == "/"))
  }
}
