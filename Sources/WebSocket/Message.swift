/// Text or binary (RFC 6455 section 5.6).
package enum MessageKind: Sendable {
  case text, binary
}

/// Where the bytes of a message are: in the bytes that were just handed to `receive`; in memory of their
/// own when they came in several pieces or had to be unmasked; or among the restored messages of the
/// machine, until its next `receive`. Text has been checked as UTF-8.
package enum Payload: Equatable, Sendable {
  case range(Range<Int>)
  case owned([UInt8])
  case restored(Range<Int>)
}
