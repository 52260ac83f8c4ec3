package import Channel
package import Text

/// One row of what was said or happened.
package struct TimelineEntry: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case message(ChatMessage)
    /// A word of the program or the server: "mira joined", "connected", an error.
    case notice(UntrustedText, isError: Bool)
  }

  package var kind: Kind
  /// The server's time of a message where it gave one, else when it was seen here.
  package var time: Timestamp
  /// Grows from row to row and never changes: the anchor of the reading position.
  package var serial: Int

  package init(kind: Kind, time: Timestamp, serial: Int) {
    self.kind = kind
    self.time = time
    self.serial = serial
  }

  /// Nil for a notice.
  package var message: ChatMessage? {
    if case .message(let message) = kind { message } else { nil }
  }
}
