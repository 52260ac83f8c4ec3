/// What of a URL lets somebody in: user and password, and those parts of the query that are called a token, a key, a
/// password, a signature and the like.
extension Endpoint {
  /// The URL as it may be shown and logged: no userinfo, and "…" for the values that may be secret.
  package var shown: String {
    guard queryItems.contains(where: Endpoint.isSecret) else { return origin + target }
    let hidden = queryItems.map { Endpoint.isSecret($0) ? $0.prefix { $0 != "=" } + "=…" : $0 }
    return origin + path + "?" + hidden.joined(separator: "&")
  }

  /// The endpoint without all of these.
  package var withoutSecrets: Endpoint {
    var result = self
    result.userinfo = nil
    let items = queryItems
    let open = items.filter { !Endpoint.isSecret($0) }
    guard open.count < items.count else { return result }
    result.target = path + (open.isEmpty ? "" : "?" + open.joined(separator: "&"))
    return result
  }

  /// The values of its query that may be secret, without their percent-escapes.
  package var secretValues: [String] {
    queryItems.filter(Endpoint.isSecret).map { item in
      let value = item.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst()
      return String(decoding: PercentEncoding.decoding(Array(value)[...]), as: UTF8.self)
    }
  }

  /// A part of the query that has a value and such a name.
  private static func isSecret(_ item: String) -> Bool {
    guard item.contains("=") else { return false }
    let name = name(of: item)
    return Secrets.isSecret(name) || shortNames.contains(name.lowercased())
      || ["signature", "_sig", "-sig"].contains(where: name.lowercased().hasSuffix)
  }

  /// Names that mean nothing secret as a part of longer ones.
  private static let shortNames: Set<String> = [
    "auth", "bearer", "code", "jwt", "key", "otp", "pass", "passwd", "pwd", "sid", "sig", "ticket",
  ]
}
