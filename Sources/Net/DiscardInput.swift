import Glibc

/// What came of throwing away what a socket received.
enum Discarded {
  /// There may be more later.
  case more
  /// The peer has ended its side.
  case ended
  case failed
}

/// Throws away what came in, a bounded amount, without copying it (MSG_TRUNC, tcp(7)).
func discardInput(of descriptor: Int32) -> Discarded {
  for _ in 0..<16 {
    let count = recv(descriptor, nil, 1 << 20, Int32(MSG_TRUNC))
    if count == 0 { return .ended }
    if count < 0 { return isMomentary(errno) ? .more : .failed }
  }
  return .more
}

/// The call would have waited or was interrupted: try again when the reactor says so.
func isMomentary(_ errorNumber: Int32) -> Bool {
  errorNumber == EAGAIN || errorNumber == EWOULDBLOCK || errorNumber == EINTR
}
