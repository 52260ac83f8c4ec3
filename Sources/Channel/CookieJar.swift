package import WebSocket

/// The cookies that answers to the upgrade have set, in memory for the attempts to come (RFC 6265 section 5.3): many a
/// load balancer knows by one to which of its servers a client belongs. Its description shows none.
package struct CookieJar: Equatable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible,
  CustomReflectable
{
  private static let mostCookies = 50
  /// Of names and values together; as much as curl sends.
  private static let mostBytes = 8190
  static let shortestSecret = 4
  /// Values that say how things are set: they would be found in any text.
  private static let settings: Set<String> = [
    "true", "false", "null", "none", "auto", "dark", "light", "guest", "deleted",
  ]

  /// In the order in which they were first set.
  private var cookies: [Cookie] = []

  package init() {}

  /// Takes the Set-Cookie fields of an answer from `endpoint`, a refusal as well as a 101.
  package mutating func take(_ headers: [Header], from endpoint: Endpoint, at now: Instant) {
    cookies.removeAll { $0.isOver(at: now) }
    let date = headers.first { $0.name.lowercased() == "date" }
      .flatMap { HTTPDate.seconds(of: $0.value) }
    for header in headers where header.name.lowercased() == "set-cookie" {
      guard
        let cookie = Cookie(parsing: header.value, from: endpoint, date: date, at: now)
      else { continue }
      take(cookie, from: endpoint, at: now)
    }
  }

  private mutating func take(_ cookie: Cookie, from endpoint: Endpoint, at now: Instant) {
    // What came over TLS is not to be overwritten by whoever sits on a line without.
    if !endpoint.isSecure, !cookie.isSecure,
      cookies.contains(where: { $0.isSecure && $0.name == cookie.name && $0.covers(endpoint) })
    {
      return
    }
    let place = cookies.firstIndex { cookie.replaces($0) }
    switch (place, cookie.isOver(at: now)) {
    case (let place?, true): cookies.remove(at: place)
    case (let place?, false): cookies[place] = cookie
    case (nil, true): break
    case (nil, false):
      cookies.append(cookie)
    }
    // The oldest go: a server refuses a request whose head is too large, and would for ever.
    while cookies.count > Self.mostCookies || bytes > Self.mostBytes { cookies.removeFirst() }
  }

  private var bytes: Int {
    cookies.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 }
  }

  /// The value of the one Cookie field of a request to `endpoint`: first the person's own cookies, as they stand
  /// in the Cookie fields `own`, then the kept ones of other names, those of longer paths first (section 5.4). Nil
  /// where there is none.
  package func field(for endpoint: Endpoint, at now: Instant, beside own: [String]) -> String? {
    let ownPairs = Self.pairs(in: own)
    let ownNames = Set(ownPairs.map { String($0.prefix { $0 != "=" }) })
    let going = cookies.filter { $0.goes(to: endpoint, at: now) && !ownNames.contains($0.name) }
    // A sort that keeps the order of equals is not promised: the place decides.
    let sorted = going.enumerated().sorted {
      let (left, right) = ($0.element.path.utf8.count, $1.element.path.utf8.count)
      return left == right ? $0.offset < $1.offset : left > right
    }
    let pairs = ownPairs.map(String.init) + sorted.map { "\($0.element.name)=\($0.element.value)" }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }

  /// The values that no message may show, those of the Cookie fields `own` among them. Short ones are settings rather
  /// than secrets, and would be found in any text.
  func secrets(beside own: [String]) -> [String] {
    cookies.map(\.value).filter(Self.isSecret) + Self.secrets(in: Self.pairs(in: own))
  }

  static func secrets(in pairs: [Substring]) -> [String] {
    pairs.map { String($0.drop { $0 != "=" }.dropFirst()) }.filter(isSecret)
  }

  private static func isSecret(_ value: String) -> Bool {
    value.utf8.count >= shortestSecret && !settings.contains(value.lowercased())
  }

  static func pairs(in fields: [String]) -> [Substring] {
    fields.flatMap { (field: String) -> [Substring] in
      field.split(separator: ";").map { $0.drop { $0 == " " || $0 == "\t" } }.filter { !$0.isEmpty }
    }
  }

  package var description: String { "<\(cookies.count) cookies>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
