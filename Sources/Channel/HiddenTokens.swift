/// Text of a server without what it may have of the request: the values of `access_token`, and user and password
/// before the host of a URL. A redirect and many an error page repeat the URL that was asked for.
func hidingTokens(in text: String) -> String {
  hidingUserinfo(in: hidingValues(in: text[...]))
}

/// The values behind `access_token=`, in whatever way the name is escaped, and behind `"access_token":`.
private func hidingValues(in text: Substring) -> String {
  var rest = text
  var result = ""
  while let found = rest.firstIndex(where: { $0 == "=" || $0 == ":" }) {
    let isJSON = rest[found] == ":"
    result += rest[...found]
    rest = rest[rest.index(after: found)...]
    guard isAccessToken(result.dropLast(), isJSON: isJSON) else { continue }
    if isJSON {
      let opening = rest.prefix { $0.isWhitespace || $0 == "\\" || $0 == "\"" }
      result += opening
      rest = rest[opening.endIndex...]
    }
    result += "…"
    rest = rest.drop { !$0.isWhitespace && !"&#\"'<>;\\".contains($0) }
  }
  return result + rest
}

/// Whether the name ends the text; in JSON it stands in quotes, which may be escaped themselves.
private func isAccessToken(_ text: Substring, isJSON: Bool) -> Bool {
  var bytes = text.utf8.suffix(64)
  if isJSON {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    guard bytes.popLast() == UInt8(ascii: "\"") else { return false }
    if bytes.last == UInt8(ascii: "\\") { bytes.removeLast() }
  }
  let name = String(decoding: PercentEncoding.decoding(Array(bytes)[...]), as: UTF8.self)
  return name.lowercased().hasSuffix("access_token")
}

private func hidingUserinfo(in text: String) -> String {
  let pieces = text.split(separator: "://", omittingEmptySubsequences: false)
  guard let first = pieces.first else { return text }
  return pieces.dropFirst().reduce(into: String(first)) { result, piece in
    result += "://"
    let authority = piece.prefix { !$0.isWhitespace && !"/?#\"'<>".contains($0) }
    result += authority.lastIndex(of: "@").map { piece[piece.index(after: $0)...] } ?? piece
  }
}
