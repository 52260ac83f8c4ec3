package import Text
package import WebSocket

package enum SessionAction: Equatable, Sendable {
  case openLink(LinkID, Endpoint)
  case write(LinkID, [UInt8])
  /// End the link after what was written has left.
  case finishLink(LinkID)
  /// Drop the link at once.
  case dropLink(LinkID)
  case event(ChannelEvent)
}

/// What the session tells the room and the headless commands.
///
/// The end of a line is told in this order: what became of posts under way, then `closed` or `failed`
/// (both where a Close forbids another attempt), then the new state, then `waiting` or `gaveUp`.
package enum ChannelEvent: Equatable, Sendable {
  case stateChanged(SessionState)
  /// An attempt begins.
  case connecting(attempt: Int)
  /// The upgrade was accepted and the subprotocol agreed.
  case opened(
    subprotocol: String?, dialect: DialectName, isCompressed: Bool = false, peer: String,
    tls: String?)
  /// The dialect is ready for posts.
  case ready
  case raw(MessageKind, [UInt8])
  case messages([ChatMessage], MessageOrigin)
  case sent(nonce: String, ChatMessage?)
  case repeatable(nonce: String)
  case unsure(nonce: String)
  case rejected(nonce: String, reason: UntrustedText)
  case members([UntrustedText])
  /// Somebody else is writing something just now; nothing is said when they stop.
  case typing(UntrustedText)
  /// Messages that were said before, in the form that they have now.
  case changed([ChatMessage])
  /// The server has done what was asked for; with the message where it gave it back.
  case changeDone(MessageChange, ChatMessage?)
  case changeFailed(MessageChange, UntrustedText)
  case notice(UntrustedText)
  /// Of the one operation of `parlour subscribe`.
  case operation(GraphQLTaskEvent)
  case pong(roundTrip: Duration)
  /// An orderly end: the peer's code, 1005 where its Close held none. `clean` is false where we ended
  /// the line and the peer's Close did not come: then the code is 1006.
  case closed(CloseReason, clean: Bool)
  case failed(Failure)
  case waiting(attempt: Int, delay: Duration)
  case gaveUp(attempts: Int, Failure)
}
