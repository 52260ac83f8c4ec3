import Text

/// What tells a message apart from another one of the same id: a server that lost its store begins to count its ids
/// anew. Small, whatever the length of the texts: hashes of author and text stand for them.
package struct MessageTraits: Equatable, Sendable {
  /// Two messages of one id whose times differ by more are different messages; in milliseconds. The answer to a post
  /// may have another time than its echo.
  private static let sameTime: UInt64 = 2_000

  let time: Timestamp?
  var nonce: String?
  private let author: Int?
  let text: Int

  package init(_ message: ChatMessage) {
    time = message.time
    nonce = message.nonce
    author = message.author?.raw.hashValue
    text = message.text.raw.hashValue
  }

  /// Whether a message of the same id that the server did not call a change of this one is another message.
  package func differ(from other: MessageTraits) -> Bool {
    if let nonce, nonce == other.nonce { return false }
    if let time, let otherTime = other.time {
      let (distance, overflow) = time.milliseconds.subtractingReportingOverflow(
        otherTime.milliseconds)
      if overflow || distance.magnitude > Self.sameTime { return true }
      // Of one moment and one text: its author is called otherwise now.
      if distance == 0, text == other.text { return false }
    }
    if let author, let otherAuthor = other.author, author != otherAuthor { return true }
    return nonce != nil && other.nonce != nil
  }
}
