/// A colour as a theme names it; the presenter takes the form that the terminal can show.
package enum Color: Hashable, Sendable {
  /// The terminal's own foreground or background.
  case standard
  /// One of the 16 ANSI colours.
  case ansi(UInt8)
  /// 24 bits, with what stands for it in 256 and in 16 colours.
  case rgb(UInt32, indexed: UInt8, ansi: UInt8)
}

package struct Attributes: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let bold = Attributes(rawValue: 1)
  package static let dim = Attributes(rawValue: 2)
  package static let italic = Attributes(rawValue: 4)
  package static let underline = Attributes(rawValue: 8)
  package static let reverse = Attributes(rawValue: 16)
}

package struct Style: Hashable, Sendable {
  package var foreground: Color
  package var background: Color
  package var attributes: Attributes

  package init(
    _ foreground: Color = .standard, on background: Color = .standard,
    _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  package static let plain = Style()
}
