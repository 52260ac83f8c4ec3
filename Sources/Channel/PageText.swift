/// What a page of HTML says, without its tags, comments, styles and scripts; any other text as it is. Good enough for
/// the few words that are shown of an error page: nothing of it is obeyed.
func withoutMarkup(_ page: String) -> String {
  guard page.first(where: { !$0.isWhitespace }) == "<" else { return page }
  var text = ""
  var rest = page[...]
  while let start = rest.firstIndex(of: "<") {
    text += rest[..<start]
    let tag = rest[start...]
    guard let found = tag.firstRange(of: closing(of: tag)) else {
      rest = ""
      break
    }
    rest = tag[found.upperBound...]
  }
  return decodingEntities(in: text + rest)
}

/// The character references that error pages hold: those of HTML itself and numbers. Any other stays as it is, as do
/// numbers that stand for no character.
private func decodingEntities(in text: String) -> String {
  var result = ""
  var rest = text[...]
  while let ampersand = rest.firstIndex(of: "&") {
    result += rest[..<ampersand]
    rest = rest[ampersand...]
    let name = rest.dropFirst().prefix(10).prefix { $0 != ";" && $0 != "&" }
    guard rest[name.endIndex...].first == ";", let character = character(named: name) else {
      result += "&"
      rest = rest.dropFirst()
      continue
    }
    result.unicodeScalars.append(character)
    rest = rest[name.endIndex...].dropFirst()
  }
  return result + rest
}

private func character(named name: Substring) -> Unicode.Scalar? {
  switch name {
  case "amp": return "&"
  case "lt": return "<"
  case "gt": return ">"
  case "quot": return "\""
  case "apos": return "'"
  case "nbsp": return " "
  default: break
  }
  guard name.first == "#" else { return nil }
  let digits = name.dropFirst()
  let isHexadecimal = digits.first == "x" || digits.first == "X"
  // Of a sign, which Int would take, a number has none.
  guard digits.last?.isHexDigit == true, !digits.contains("+"), !digits.contains("-") else {
    return nil
  }
  let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
  return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
}

/// What ends that which a tag begins: more than the tag where its content is no text.
private func closing(of tag: Substring) -> String {
  if tag.hasPrefix("<!--") { return "-->" }
  let name = tag.dropFirst().prefix { $0.isLetter }
  return switch name.lowercased() {
  case "style", "script": "</" + name + ">"
  default: ">"
  }
}
