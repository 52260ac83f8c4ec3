package import JSON
package import Text

/// A message of a room, as every dialect reports it.
package struct ChatMessage: Equatable, Sendable {
  /// The server's id; where a server gives none, a hash of author, time and text.
  package var id: String
  /// Nil in dialects that know no authors.
  package var author: UntrustedText?
  package var text: UntrustedText
  package var time: Timestamp?
  /// What the client made up for the post that became this message, where the server gives it back.
  package var nonce: String?
  /// What to ask for the messages after this one; keeps its JSON type.
  package var cursor: JSON?
  /// Its number in the room, where the server counts.
  package var seq: Int64?
  /// Written by this client or under its nick.
  package var isMine: Bool
  /// See `marks`.
  var box: MarksBox?

  package init(
    id: String, author: UntrustedText?, text: UntrustedText, time: Timestamp? = nil,
    nonce: String? = nil, cursor: JSON? = nil, isMine: Bool = false
  ) {
    self.id = id
    self.author = author
    self.text = text
    self.time = time
    self.nonce = nonce
    self.cursor = cursor
    self.isMine = isMine
  }
}

/// Something typed that is to be sent. The nonce is made once, so that a repeat can be recognised.
package struct Post: Equatable, Sendable {
  package var nonce: String
  package var text: String
  /// The id of the message that it answers, as it is known here.
  package var replyTo: String?

  package init(nonce: String, text: String, replyTo: String? = nil) {
    self.nonce = nonce
    self.text = text
    self.replyTo = replyTo
  }
}
