/// What an agreed extension does to messages: it makes them smaller on the way out and restores them on
/// the way in (RFC 7692 section 6). A machine is handed one when it is made; copies of that machine share
/// it, so only one of them may go on. Frames that are not compressed never call it.
package protocol MessageTransform: AnyObject, Sendable {
  /// Messages of fewer bytes go out as they are.
  var threshold: Int { get }

  /// The payload that stands for a whole message, until the next call; nil where it cannot be made, and
  /// the message goes out as it is.
  func compress(_ message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?

  /// Takes from the front of a message's payload what fits into `room` when it is restored, and says how
  /// many bytes that makes; nil where the payload is broken. The payload of a message comes in as many
  /// pieces as it likes: a piece is done once it is empty and `room` was not filled.
  func restore(
    _ piece: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int?

  /// The payload of the message has ended: false where it is cut short.
  func endMessage() -> Bool
}
