import Glibc

/// How characters go to the terminal. ncurses takes it from the locale.
package enum TextEncoding: Equatable, Sendable {
  case utf8
  /// The locale of the environment is missing or not UTF-8; C.UTF-8 stands in for it.
  case assumedUTF8
  /// No UTF-8 anywhere: everything beyond ASCII is shown as "?".
  case ascii

  /// Sets the locale of the process. Call it once, before the presenter is made.
  package static func adopt() -> TextEncoding {
    if setlocale(LC_CTYPE, "") != nil, isUTF8 { return .utf8 }
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] where setlocale(LC_CTYPE, name) != nil {
      if isUTF8 { return .assumedUTF8 }
    }
    return .ascii
  }

  /// What to tell the person, once.
  package var warning: String? {
    switch self {
    case .utf8: nil
    case .assumedUTF8:
      "The locale of the environment is not UTF-8, so UTF-8 is assumed; set LANG=C.UTF-8 if letters look wrong."
    case .ascii:
      "No UTF-8 locale is installed, so letters beyond ASCII are shown as \"?\"; set LANG to one such as C.UTF-8."
    }
  }

  private static var isUTF8: Bool {
    guard let name = nl_langinfo(nl_item(CODESET)) else { return false }
    return ["UTF-8", "utf8", "UTF8"].contains(String(cString: name))
  }
}
