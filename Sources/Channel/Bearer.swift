/// A bearer token (RFC 6750). Its description never shows it.
package struct Bearer: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The token itself, for the one place that writes it to the wire.
  package let secret: String

  /// Takes the first line, without white space around it. Nil where it is empty or holds characters that
  /// no header may carry.
  package init?(firstLineOf text: String) {
    fatalError("interface only")
  }

  package var description: String { "<bearer>" }
  package var debugDescription: String { "<bearer>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
