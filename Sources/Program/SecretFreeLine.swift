import Room

/// What is kept of a line that was typed: passwords and tokens in URLs are not.
enum SecretFreeLine {
  /// The line; of a command that goes to a server, URLs without what stands before the host and in the query.
  static func text(of line: String) -> String {
    guard line.hasPrefix("/"), line.contains("://") else { return line }
    switch SlashCommand.read(line) {
    case .command(.connect), .command(.server), .wrong: break
    case .command, .message: return line
    }
    return line.split(separator: " ", omittingEmptySubsequences: false).map(url)
      .joined(separator: " ")
  }

  private static func url(_ word: Substring) -> String {
    guard let scheme = word.firstRange(of: "://") else { return String(word) }
    let rest = word[scheme.upperBound...]
    let place = rest.prefix { !"?#".contains($0) }
    let authority = place.prefix { $0 != "/" }
    var shown = place
    if let sign = place.lastIndex(of: "@") {
      shown = place[place.index(after: sign)...]
    } else if rest.contains("@") {
      // A password with a character that it may not hold.
      shown = ""
    } else if let colon = authority.lastIndex(of: ":"), !authority.hasPrefix("["),
      !authority[authority.index(after: colon)...].allSatisfy({ $0.isASCII && $0.isNumber })
    {
      // Half of one that is still being typed.
      shown = authority[..<colon]
    }
    return String(word[..<scheme.upperBound]) + shown
  }
}
