import JSON
package import WebSocket

/// What must be shown nowhere, neither in a log nor in a sentence, though a peer repeats it: tokens, passwords, and
/// the values of secret header fields, in every form in which they travel.
package struct Secrets: Sendable {
  /// Shorter ones would be found in any text.
  private static let shortest = 4
  private static let dots = Array("…".utf8)

  /// The longest first, since one may be part of another.
  private var forms: [[UInt8]] = []

  package init() {}

  package init(_ configuration: SessionConfiguration) {
    if let token = configuration.token { add(token) }
    if let token = configuration.context.token { add(token) }
    if let userinfo = configuration.endpoint.userinfo { add(userinfo: userinfo) }
    for token in configuration.endpoint.secretValues { add(token) }
    for header in configuration.headers { add(field: header.name, header.value) }
    if let credentials = configuration.proxy?.credentials {
      add(userinfo: "\(credentials.user):\(credentials.password)")
    }
    if let introduction = configuration.context.profile.authInit { add(secretsOf: introduction) }
  }

  /// Also a token that is known only later.
  package mutating func add(_ token: Bearer) {
    add(token.secret)
  }

  /// `USER` or `USER:PASSWORD`, without percent-escapes: the password, and both as Basic writes them (RFC 7617).
  package mutating func add(userinfo: String) {
    let colon = userinfo.utf8.firstIndex(of: UInt8(ascii: ":"))
    if let colon { add(String(userinfo[userinfo.utf8.index(after: colon)...])) }
    add(userinfo)
    add(Base64.encoded(Array((colon == nil ? userinfo + ":" : userinfo).utf8)))
  }

  /// What a header field holds, where its name says that it is secret.
  package mutating func add(field name: String, _ value: String) {
    guard Self.isSecret(name) else { return }
    switch name.lowercased() {
    case "cookie": return add(cookies: CookieJar.pairs(in: [value]))
    // Behind the pair stand path, domain and the like.
    case "set-cookie": return add(cookies: Array(CookieJar.pairs(in: [value]).prefix(1)))
    default: add(value)
    }
    if let space = value.utf8.firstIndex(of: UInt8(ascii: " ")) {
      // Of Authorization the first word is the scheme, whichever it is.
      let hasScheme =
        name.lowercased().contains("authorization") || Self.schemeAndRest(value) != nil
      if hasScheme { add(String(value[space...].drop { $0 == " " })) }
    }
  }

  private mutating func add(cookies pairs: [Substring]) {
    for value in CookieJar.secrets(in: pairs) { add(value) }
  }

  package mutating func add(_ secret: String) {
    guard secret.utf8.count >= Self.shortest else { return }
    let json = String(JSON.string(secret).text.dropFirst().dropLast())
    for text in [secret, json, json.replacing("/", with: "\\/")] + Self.inPages(secret) {
      let form = Array(text.utf8)
      if !forms.contains(form) { forms.append(form) }
    }
    forms.sort { $0.count > $1.count }
  }

  /// As pages write it, in the two ways that are usual for quotes.
  private static func inPages(_ secret: String) -> [String] {
    guard secret.contains(where: { "&<>\"'".contains($0) }) else { return [] }
    return [("&quot;", "&#39;"), ("&quot;", "&#x27;"), ("&#34;", "&#39;")].map { double, single in
      secret.reduce(into: "") { text, character in
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += double
        case "'": text += single
        default: text.append(character)
        }
      }
    }
  }

  /// What a profile sends to introduce itself may be secret in itself.
  private mutating func add(secretsOf value: JSON) {
    guard case .object(let members) = value else { return }
    for member in members {
      if let text = member.value.string, Self.isSecret(member.key), !text.contains("{") {
        add(text)
      }
      add(secretsOf: member.value)
    }
  }

  /// How many bytes more than are to be shown have to be known, so that none is shown in part.
  var reach: Int { SecretForm.mostBytes(of: forms.first ?? []) }

  /// The bytes with dots in the places of secrets. A fragment may begin or end in the middle of one, or lie in it.
  func hiding(_ bytes: [UInt8], isFragment: Bool = false) -> [UInt8] {
    var result = bytes
    for form in forms { result = Self.replacing(form, in: result) }
    guard isFragment else { return result }
    for form in forms {
      Self.hideBeginning(of: &result, form)
      Self.hideEnd(of: &result, form)
    }
    return result
  }

  /// The text with dots in the places of these secrets, and of these alone.
  package func hiding(onlyTheseIn text: String) -> String {
    forms.isEmpty ? text : String(decoding: hiding(Array(text.utf8)), as: UTF8.self)
  }

  /// A text with dots in the places of these secrets, of `access_token` and of the userinfo of URLs.
  package func hiding(_ text: String) -> String {
    hidingTokens(in: hiding(onlyTheseIn: text))
  }

  /// A refusal as it may be told: many a server repeats the request on its pages.
  package func hiding(in refusal: Refusal) -> Refusal {
    var refusal = refusal
    refusal.reason = hiding(onlyTheseIn: refusal.reason)
    refusal.body = hiding(refusal.body)
    refusal.headers = refusal.headers.map { Header($0.name, hiding(onlyTheseIn: $0.value)) }
    return refusal
  }

  /// A field of a head; what is in those that carry secrets is never shown, whoever wrote it.
  func hiding(field name: String, _ value: String) -> String {
    guard Self.isSecret(name) else { return hiding(value) }
    return Self.schemeAndRest(value).map { $0.scheme + " …" } ?? "…"
  }

  /// Cookies, and whatever is called a token, a key or a password.
  static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    // It is made for one connection, and is no secret.
    if name.hasPrefix("sec-websocket-") { return false }
    return [
      "authorization", "cookie", "token", "secret", "password", "apikey", "api-key", "api_key",
      "session", "credential", "authentication-info",
    ].contains { name.contains($0) }
  }

  private static func schemeAndRest(_ value: String) -> (scheme: String, rest: String)? {
    guard let space = value.firstIndex(of: " ") else { return nil }
    let scheme = value[..<space]
    guard ["bearer", "basic", "digest", "token", "negotiate"].contains(scheme.lowercased()) else {
      return nil
    }
    return (String(scheme), String(value[space...].drop { $0 == " " }))
  }

  private static func replacing(_ form: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if case .whole(let end) = SecretForm.match(form, in: bytes, at: position) {
        result += dots
        position = end
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  private static func hideBeginning(of bytes: inout [UInt8], _ form: [UInt8]) {
    for start in form.indices.dropFirst() {
      switch SecretForm.match(form[start...], in: bytes, at: 0) {
      case .whole(let end) where form.count - start >= shortest:
        return bytes.replaceSubrange(..<end, with: dots)
      // However short it is: the ones before and behind it tell the rest.
      case .cut(let count) where count > 0:
        bytes = dots
        return
      case .whole, .cut, .none: break
      }
    }
  }

  private static func hideEnd(of bytes: inout [UInt8], _ form: [UInt8]) {
    for start in bytes.indices.suffix(SecretForm.mostBytes(of: form)) {
      if case .cut(let count) = SecretForm.match(form, in: bytes, at: start), count >= shortest {
        return bytes.replaceSubrange(start..., with: dots)
      }
    }
  }
}

/// A secret as it may stand among other bytes: as it is, or with any of its bytes percent-encoded, in capitals or not.
private enum SecretForm {
  enum Match {
    case none
    /// It ends there.
    case whole(end: Int)
    /// The bytes end inside of it, behind so many of its own.
    case cut(count: Int)
  }

  static func mostBytes(of form: [UInt8]) -> Int { 3 * form.count }

  static func match(_ form: some Collection<UInt8>, in bytes: [UInt8], at start: Int) -> Match {
    let plain = match(form, in: bytes, at: start, isEncoded: false)
    if case .none = plain { return match(form, in: bytes, at: start, isEncoded: true) }
    return plain
  }

  private static func match(
    _ form: some Collection<UInt8>, in bytes: [UInt8], at start: Int, isEncoded: Bool
  ) -> Match {
    var position = start
    var count = 0
    for wanted in form {
      guard position < bytes.count else { return .cut(count: count) }
      if isEncoded, bytes[position] == UInt8(ascii: "%") {
        guard position + 2 < bytes.count else { return .cut(count: count) }
        guard let high = PercentEncoding.hexValue(bytes[position + 1]),
          let low = PercentEncoding.hexValue(bytes[position + 2]), high << 4 | low == wanted
        else { return .none }
        position += 3
      } else {
        guard bytes[position] == wanted else { return .none }
        position += 1
      }
      count += 1
    }
    return .whole(end: position)
  }
}
