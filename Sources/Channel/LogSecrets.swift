import JSON
import WebSocket

/// What must not stand in a log: the token, the password of the URL, and what secret headers hold, in every form
/// in which they travel.
package struct LogSecrets: Sendable {
  /// Shorter ones would be found in any text.
  private static let shortest = 4
  private static let dots = Array("…".utf8)

  /// The longest first, since one may be part of another.
  private var forms: [[UInt8]] = []

  package init() {}

  package init(_ configuration: SessionConfiguration) {
    if let token = configuration.token { add(token) }
    if let token = configuration.context.token { add(token) }
    if let userinfo = configuration.endpoint.userinfo {
      add(userinfo)
      add(String(userinfo.drop { $0 != ":" }.dropFirst()))
      add(Base64.encoded(Array(userinfo.utf8)))
    }
    for header in configuration.headers where LogSecrets.isSecret(header.name) {
      add(header.value)
      if let words = LogSecrets.schemeAndRest(header.value) { add(words.rest) }
    }
    if let introduction = configuration.context.profile.authInit { add(secretsOf: introduction) }
  }

  /// Also a token that is known only later.
  package mutating func add(_ token: Bearer) {
    add(token.secret)
  }

  private mutating func add(_ secret: String) {
    guard secret.utf8.count >= LogSecrets.shortest else { return }
    let json = String(JSON.string(secret).text.dropFirst().dropLast())
    let texts = [
      secret, json, json.replacing("/", with: "\\/"), PercentEncoding.encodingValue(secret),
    ]
    for text in texts where !forms.contains(Array(text.utf8)) { forms.append(Array(text.utf8)) }
    forms.sort { $0.count > $1.count }
  }

  /// What a profile sends to introduce itself may be secret in itself.
  private mutating func add(secretsOf value: JSON) {
    guard case .object(let members) = value else { return }
    for member in members {
      if let text = member.value.string, LogSecrets.isSecret(member.key), !text.contains("{") {
        add(text)
      }
      add(secretsOf: member.value)
    }
  }

  /// How many bytes more than are to be shown have to be known, so that none is shown in part.
  var reach: Int { forms.first?.count ?? 0 }

  /// The bytes with dots in the places of secrets. A fragment may begin or end in the middle of one.
  func hiding(_ bytes: [UInt8], isFragment: Bool = false) -> [UInt8] {
    var result = bytes
    for form in forms { result = LogSecrets.replacing(form, in: result) }
    guard isFragment else { return result }
    for form in forms {
      hideBeginning(of: &result, form)
      hideEnd(of: &result, form)
    }
    return result
  }

  /// A text with dots in the places of these secrets, of `access_token` and of the userinfo of URLs.
  package func hiding(_ text: String) -> String {
    hidingTokens(in: String(decoding: hiding(Array(text.utf8)), as: UTF8.self))
  }

  /// A field of a head; what is in those that carry secrets is never shown, whoever wrote it.
  func hiding(field name: String, _ value: String) -> String {
    guard LogSecrets.isSecret(name) else { return hiding(value) }
    return LogSecrets.schemeAndRest(value).map { $0.scheme + " …" } ?? "…"
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
    guard bytes.count >= form.count else { return bytes }
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] == form[0], bytes[position...].starts(with: form) {
        result += dots
        position += form.count
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  private func hideBeginning(of bytes: inout [UInt8], _ form: [UInt8]) {
    let most = min(form.count - 1, bytes.count)
    guard most >= LogSecrets.shortest else { return }
    for count in (LogSecrets.shortest...most).reversed()
    where bytes.starts(with: form.suffix(count)) {
      return bytes.replaceSubrange(..<count, with: LogSecrets.dots)
    }
  }

  private func hideEnd(of bytes: inout [UInt8], _ form: [UInt8]) {
    let most = min(form.count - 1, bytes.count)
    guard most >= LogSecrets.shortest else { return }
    for count in (LogSecrets.shortest...most).reversed()
    where bytes.suffix(count).elementsEqual(form.prefix(count)) {
      return bytes.replaceSubrange((bytes.count - count)..., with: LogSecrets.dots)
    }
  }
}
