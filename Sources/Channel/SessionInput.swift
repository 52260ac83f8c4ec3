package import JSON

/// Tells one line from another, so that late events of an old line are recognised and dropped.
package struct LinkID: Hashable, Sendable {
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

package enum SessionInput: Equatable, Sendable {
  /// Dial now. In the middle of a wait: end the wait.
  case connect
  /// Stop on purpose, at any moment; an open line is closed in an orderly way with 1000. A second one
  /// does not wait for the peer's Close.
  case disconnect
  /// The same where a signal ends the program: closed with 1001 (RFC 6455 section 7.4.1).
  case leave
  /// Close the line, if there is one, and dial at once.
  case reconnect
  case post(Post)
  /// Change a message that was said.
  case change(MessageChange)
  case join(room: String)
  case rename(nick: String)
  /// The person is writing something. Whoever calls this is brief with it.
  case typing
  /// Ask for messages that are older than the one with that cursor; see `Session.knowsEarlier`.
  case askEarlier(before: JSON)
  /// Another token, for the lines to come.
  case renewToken(Bearer)
  /// There is no fresh token, where one was asked for (`Session.wantsToken`): why, as the end of a sentence.
  case noFreshToken(String)
  /// A raw binary message (`parlour cat --binary`).
  case sendBinary([UInt8])
  /// The link went on to this stage: `tunnelling` or `securing`, after TCP is up.
  case linkStage(LinkID, SessionState.Stage)
  /// TCP and TLS are up: the upgrade can be written.
  case linkOpened(LinkID, peer: String, tls: String?)
  /// Bytes that had to wait have left.
  case linkTookBytes(LinkID)
  /// Much waits to leave, since the server does not read; or no longer.
  case linkIsBehind(LinkID, Bool)
  /// The link ended; nil is an end of stream in order.
  case linkEnded(LinkID, Failure?)
  /// The proxy did not open the way; the link has ended.
  case tunnelFailed(LinkID, Verdict)
  case timeReached
  /// A link, an address or a default route is new: an attempt that waits for its time may succeed sooner.
  case networkAppeared
  /// What the line stands on may be gone, or the machine may have slept: to be found out at once.
  case checkLine
}
