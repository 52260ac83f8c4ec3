import WebSocket

/// What an answer that points to another URL (RFC 9110 section 15.4) leads to.
///
/// It is followed where it stays with the same scheme, host and port, and from ws to wss of the same host on
/// their usual ports where nothing goes along that must not be spread. Anything else would send the person's
/// token, cookies and words to somebody they did not name: they are told the URL instead.
enum Redirect: Equatable {
  case follow(Endpoint)
  /// Not followed; what to tell the person.
  case stay(advice: String)
}

/// The URLs of one attempt, the one that was configured first.
struct RedirectRoute: Equatable {
  /// Fewer than browsers and curl follow; RFC 9110 section 15.4 leaves the number open.
  static let mostRedirects = 10

  struct Stop: Equatable {
    var endpoint: Endpoint
    /// A server may set a cookie and point to the same URL again: that is no circle.
    var cookies: String?
  }

  private(set) var endpoint: Endpoint
  private var visited: [Stop] = []

  init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
  }

  /// The request for `endpoint` goes out with these cookies.
  mutating func leave(with cookies: String?) {
    visited.append(Stop(endpoint: endpoint, cookies: cookies))
  }

  mutating func go(on target: Endpoint) {
    endpoint = target
  }

  /// Nil where the answer is no redirect that can be followed at all. `cookies` gives those that would go
  /// to an endpoint; `isBare` says that the request carries nothing of the person's.
  func redirect(
    by refusal: Refusal, isBare: Bool, cookies: (Endpoint) -> String?
  ) -> Redirect? {
    guard [301, 302, 303, 307, 308].contains(refusal.status),
      let location = refusal.headers.first(where: { $0.name.lowercased() == "location" })?.value
    else { return nil }
    guard let target = endpoint.target(ofLocation: location) else {
      let shown = madeSafe(hidingTokens(in: location))
      return .stay(advice: "it points to “\(shown)”, which is no URL of a WebSocket: check the URL")
    }
    let url = madeSafe(hidingTokens(in: target.shown))
    if endpoint.isSecure, !target.isSecure {
      return .stay(
        advice: "it points to \(url), where nothing is encrypted: "
          + "call parlour with that URL if that is what you want")
    }
    guard isSameOrigin(target) || (isBare && cookies(target) == nil && isSecured(target)) else {
      return .stay(
        advice: "it points to \(url), which is another server, and was not followed: "
          + "call parlour with that URL if you trust it")
    }
    if visited.contains(Stop(endpoint: target, cookies: cookies(target))) {
      return .stay(advice: "it points back to \(url), in a circle: check the URL")
    }
    guard visited.count <= Self.mostRedirects else {
      return .stay(
        advice: "it points to \(url) after \(Self.mostRedirects) redirects, which is enough: "
          + "call parlour with that URL")
    }
    return .follow(target)
  }

  private func isSameOrigin(_ target: Endpoint) -> Bool {
    target.isSecure == endpoint.isSecure && target.host == endpoint.host
      && target.port == endpoint.port
  }

  /// The same host with TLS, on the usual ports.
  private func isSecured(_ target: Endpoint) -> Bool {
    !endpoint.isSecure && target.isSecure && target.host == endpoint.host
      && endpoint.port == Endpoint.defaultPort(isSecure: false)
      && target.port == Endpoint.defaultPort(isSecure: true)
  }
}

extension Endpoint {
  /// Where a Location field points to as seen from here (RFC 9110 section 10.2.2), without a fragment, and with
  /// user and password of this endpoint where the host stays: those in the field are the server's invention.
  /// Nil for what is no URL of a WebSocket.
  fileprivate func target(ofLocation location: String) -> Endpoint? {
    let base = URIReference(origin + target)
    var resolved = URIReference(location).resolved(against: base)
    resolved.fragment = nil
    if let at = resolved.authority?.lastIndex(of: UInt8(ascii: "@")) {
      resolved.authority?.removeSubrange(...at)
    }
    guard var endpoint = try? Endpoint(parsing: resolved.text) else { return nil }
    endpoint.userinfo = endpoint.host == host ? userinfo : nil
    return endpoint
  }
}
