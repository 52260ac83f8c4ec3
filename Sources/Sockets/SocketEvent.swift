public import FoundationEssentials

/// What happens to a ``SocketChannel``, in this order: `opened`, any number of messages, and then either
/// `closed` or `failed`, after which the sequence of events is at its end. A line that never opens says only
/// how it ended.
public enum SocketEvent: Equatable, Sendable {
  /// The upgrade was accepted and the subprotocol agreed on; nil where none was asked for or selected.
  case opened(subprotocol: String?)
  case text(String)
  case binary(Data)
  /// The line was ended by a Close frame; 1005 where it held no code. A line that was closed by this side
  /// before it was open ends with the code and reason of that.
  case closed(code: SocketCloseCode, reason: String)
  /// The line ended without a Close frame, or never came about.
  case failed(SocketError)
}

/// What happens to a ``ResilientChannel``.
///
/// `opened` begins a line; `lost` ends one that nobody here wanted to end, `failed` an attempt that came to
/// nothing. Behind both comes `waiting`, or `gaveUp`, which is the last. `closed` or `failed` is the last one
/// behind ``ResilientChannel/disconnect()``.
public enum ResilientEvent: Equatable, Sendable {
  /// The upgrade was accepted and the subprotocol agreed on; nil where none was asked for or selected.
  case opened(subprotocol: String?)
  case text(String)
  case binary(Data)
  /// The line that stood has ended. Where a Close ended it, the error's `closeCode` says with which code.
  case lost(SocketError)
  /// An attempt came to nothing, or the line broke while this side was closing it.
  case failed(SocketError)
  /// The next attempt begins after `delay`; attempts are counted from 1 in a row.
  case waiting(attempt: Int, delay: Duration)
  /// The line was closed on purpose.
  case closed(code: SocketCloseCode, reason: String)
  /// There will be no other attempt: there were enough of them, or another could not help.
  case gaveUp(SocketError)
}

extension SocketEvent {
  /// Nil for what only a channel that reconnects has to tell.
  init?(_ event: ResilientEvent) {
    switch event {
    case .opened(let subprotocol): self = .opened(subprotocol: subprotocol)
    case .text(let text): self = .text(text)
    case .binary(let data): self = .binary(data)
    case .closed(let code, let reason): self = .closed(code: code, reason: reason)
    case .failed(let error): self = .failed(error)
    case .lost, .waiting, .gaveUp: return nil
    }
  }
}
