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
  case altEnter, altBackspace
  case controlLeft, controlRight, controlHome, controlEnd
  /// Bracketed paste, as one piece; line ends are "\n".
  case paste(String)
  case focusIn, focusOut
  case wheelUp, wheelDown
  /// The terminal's answer to the question for its background (OSC 11): nobody pressed anything.
  case background(isLight: Bool)
}
