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
  return text + rest
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
