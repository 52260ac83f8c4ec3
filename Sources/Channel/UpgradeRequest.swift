import WebSocket

extension SessionConfiguration {
  /// The opening handshake's request with credentials where they were asked for: the token as header or
  /// in the query, else user and password of the URL as Basic (RFC 7617). An Authorization field among
  /// the extra headers is the person's own choice and takes the place of both.
  ///
  /// `cookies` is the one Cookie field, the person's own among them.
  func upgradeRequest(
    to endpoint: Endpoint, cookies: String?, speaksGraphQL: Bool
  ) -> HandshakeRequest {
    var target = endpoint.target
    var fields: [Header] = []
    if !headers.contains(where: { $0.name.lowercased() == "authorization" }) {
      if let token, auth == .header {
        fields.append(Header("Authorization", authorization(token, speaksGraphQL: speaksGraphQL)))
      } else if let userinfo = endpoint.userinfo {
        fields.append(Header("Authorization", "Basic " + basic(userinfo)))
      }
    }
    if let token, auth == .query {
      target = endpoint.withAccessToken(token).target
    }
    fields += headers.filter { !$0.isCookie }
    if let cookies { fields.append(Header("Cookie", cookies)) }
    return HandshakeRequest(
      host: endpoint.hostField, target: target, headers: fields,
      subprotocols: subprotocols, compression: compresses ? .usualOffer : nil)
  }

  /// Whether the request carries anything that a 401 could be about.
  var sendsCredentials: Bool {
    (token != nil && auth != .`init`) || endpoint.userinfo != nil
      || headers.contains { ["authorization", "cookie"].contains($0.name.lowercased()) }
  }

  /// The values of the person's own Cookie fields.
  var ownCookies: [String] { headers.filter(\.isCookie).map(\.value) }

  /// Whether the request has nothing in it that another server must not see: no token, no user, and no further
  /// field but those that say nothing about the person.
  var isBare: Bool {
    token == nil && endpoint.userinfo == nil
      && headers.allSatisfy { ["origin", "user-agent"].contains($0.name.lowercased()) }
  }

  /// What the dialect is told: the token only where it travels in the dialect.
  var dialectContext: DialectContext {
    var context = context
    if auth == .`init`, let token { context.token = token }
    return context
  }

  /// What no message may show, though a server repeats it: the token, the password, and what the person wrote into
  /// Authorization. One of a few letters would be found in any text.
  var secrets: [String] {
    var secrets = [token?.secret].compactMap { $0 }
    if let userinfo = endpoint.userinfo {
      secrets.append(basic(userinfo))
      if let colon = userinfo.firstIndex(of: ":") {
        secrets.append(String(userinfo[userinfo.index(after: colon)...]))
      }
    }
    for header in headers where header.name.lowercased() == "authorization" {
      // Without the scheme before it.
      secrets += [header.value] + header.value.split(separator: " ").dropFirst().map(String.init)
    }
    return secrets.filter { $0.utf8.count >= 4 }
  }

  /// The credentials of RFC 7617 section 2.
  private func basic(_ userinfo: String) -> String {
    let credentials = userinfo.utf8.contains(UInt8(ascii: ":")) ? userinfo : userinfo + ":"
    return Base64.encoded(Array(credentials.utf8))
  }

  private func authorization(_ token: Bearer, speaksGraphQL: Bool) -> String {
    guard speaksGraphQL, let template = context.profile.authHeader else {
      return "Bearer \(token.secret)"
    }
    return template.replacing("{token}", with: token.secret)
  }
}

extension Header {
  fileprivate var isCookie: Bool { name.lowercased() == "cookie" }
}
