/// Text of a server without what it may have of the request: the values of `access_token`, and user and password
/// before the host of a URL. A redirect and many an error page repeat the URL that was asked for.
func hidingTokens(in text: String) -> String {
  hidingUserinfo(in: hidingValues(in: text[...]))
}

private func hidingValues(in text: Substring) -> String {
  let name = "access_token="
  var rest = text
  var result = ""
  while let found = rest.firstIndex(where: { $0 == "a" || $0 == "A" }) {
    let isName = rest[found...].prefix(name.count).lowercased() == name
    let next = rest.index(found, offsetBy: isName ? name.count : 1)
    result += rest[..<next]
    rest = rest[next...]
    if isName {
      result += "…"
      rest = rest.drop { !$0.isWhitespace && !"&#\"'<>;".contains($0) }
    }
  }
  return result + rest
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
