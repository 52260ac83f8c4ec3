/// Bounds on what a peer may send.
package struct Limits: Equatable, Sendable {
  /// The largest message in bytes; a larger one fails the connection with 1009.
  package var message: Int
  /// The most fragments that a message may come in (Autobahn needs more than 65 536).
  package var fragments: Int

  package init(message: Int = 16 << 20, fragments: Int = 131_072) {
    self.message = message
    self.fragments = fragments
  }
}
