/// What the terminal's input comes to, once decoded.
package enum Key: Hashable, Sendable {
  /// One grapheme cluster or part of one, printable.
  case character(Character)
  case enter, tab, backTab, backspace, delete, escape
  case up, down, left, right, home, end, pageUp, pageDown, insert
  case function(Int)
  /// Ctrl with a letter or one of @[\]^_ (lower case): .control("a").
  case control(Character)
  /// Alt (or Esc before) with a printable character: .alt("b"), .alt("<").
  case alt(Character)
  /// Alt and Ctrl with one of the characters of `control`.
  case altControl(Character)
  case altEnter, altBackspace
  /// With Ctrl or Alt: both move by words.
  case controlLeft, controlRight
  case controlHome, controlEnd
  case controlUp, controlDown, altUp, altDown
  case controlPageUp, controlPageDown
  /// Bracketed paste, as one piece; line ends are "\n".
  case paste(String)
  case focusIn, focusOut
  case wheelUp, wheelDown
  /// The terminal's answer to the question for its background (OSC 11): nobody pressed anything.
  case background(isLight: Bool)
  /// The left button of the mouse went down over a cell.
  case click(row: Int, column: Int)

  /// The keys that do where this one, with its modifiers, does nothing.
  package var plainer: [Key] {
    switch self {
    case .altControl(let letter): [.escape, .control(letter)]
    case .controlUp, .altUp: [.up]
    case .controlDown, .altDown: [.down]
    case .controlPageUp: [.pageUp]
    case .controlPageDown: [.pageDown]
    case .alt(let character):
      character.isUppercase && character.isASCII ? [.alt(Character(character.lowercased()))] : []
    default: []
    }
  }
}
