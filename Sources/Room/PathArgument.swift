/// A path as the argument of a command: as it stands, or in double quotes where it holds blanks; a backslash
/// takes the next character as it is.
package enum PathArgument {
  /// The path that was typed; the closing quote may be missing. "~" is left to whoever opens it.
  package static func read(_ typed: String) -> String {
    var path = ""
    var isQuoted = false
    var isEscaped = false
    for character in typed {
      if isEscaped {
        path.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else {
        path.append(character)
      }
    }
    return path
  }

  /// The path as it is to be typed. That of a folder stays open, since more follows.
  package static func write(_ path: String, isFolder: Bool = false) -> String {
    let needsQuotes = path.contains { $0.isWhitespace || $0 == "\"" || $0 == "\\" }
    guard needsQuotes else { return path }
    var text = "\""
    for character in path {
      if character == "\"" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return isFolder ? text : text + "\""
  }
}
