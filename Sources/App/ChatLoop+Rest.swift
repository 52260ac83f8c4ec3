import Channel
import Glibc
import Net
import Program

/// Where messages come one by one and faster than frames, each would wake the program for nothing: nobody sees it before
/// the next frame. Until that is due only the keys and signals are waited for, and what came meanwhile is read at once.
extension ChatLoop {
  /// As long as a frame: a stalled terminal keeps no line waiting for longer.
  private static let longestRest: Duration = .milliseconds(16)
  /// What was read in a turn at most: of more the next piece is there already, and would fill the buffers of the system.
  private static let mostHeard = 32 * 1_024

  /// Waits for the next frame, a key or a signal, if a turn is worth no more before that.
  func rest() {
    defer { heardBytes = 0 }
    guard isDirty, heardBytes > 0, heardBytes < Self.mostHeard, exitCode == nil,
      companion == nil, editor == nil, !workspace.awaitsAnswer
    else { return }
    let pause = min(waitLimit(at: Machine.now()) ?? Self.longestRest, Self.longestRest)
    // What is left of a millisecond is waited for in the turn.
    let milliseconds = Int32(pause / .milliseconds(1))
    guard milliseconds > 0 else { return }
    var entries = [STDIN_FILENO, signals.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(&entries, nfds_t(entries.count), milliseconds)
  }
}
