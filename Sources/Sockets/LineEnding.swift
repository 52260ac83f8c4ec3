import Channel
import WebSocket

/// How one line, or an attempt at one, came to its end.
struct LineEnding: Sendable {
  enum News: Equatable, Sendable {
    /// A Close frame ended it.
    case closed(CloseReason)
    case failed(SocketError)
  }

  /// What is to be done about the link.
  enum Disposal: Sendable {
    /// Everything leaves first, then both sides end their stream.
    case finish
    case drop
    /// It is gone already.
    case none
  }

  var news: News
  var course: Verdict.Course
  var disposal: Disposal
}
