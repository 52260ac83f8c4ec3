import CLinux
import Glibc

/// What a descriptor is watched for.
package struct Interest: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let readable = Interest(rawValue: 1)
  package static let writable = Interest(rawValue: 2)

  var epollEvents: UInt32 {
    var events: UInt32 = 0
    if contains(.readable) { events |= EPOLLIN.rawValue }
    if contains(.writable) { events |= EPOLLOUT.rawValue }
    return events
  }
}

/// A descriptor has something to say, under the token that it was watched with.
package struct Ready: Equatable, Sendable {
  package var token: UInt64
  package var isReadable: Bool
  package var isWritable: Bool
  /// The other side is gone or the descriptor is in error; reading tells which. It is reported
  /// whatever the interest is.
  package var hasHungUp: Bool

  package init(
    token: UInt64, isReadable: Bool = false, isWritable: Bool = false, hasHungUp: Bool = false
  ) {
    self.token = token
    self.isReadable = isReadable
    self.isWritable = isWritable
    self.hasHungUp = hasHungUp
  }
}

/// Waits for descriptors, for one thread: level-triggered epoll.
///
/// It calls nobody: `wait` returns what is ready, and the caller hands each `Ready` to the owner of its
/// token. A token may stand for several descriptors. An owner that ends during a turn may still be named
/// by a later `Ready` of the same turn; tokens are therefore never used twice.
package final class Reactor {
  /// One buffer for everything that is read in this thread.
  package let readBuffer = ReadBuffer()

  private let epoll: Int32
  private let events: UnsafeMutableBufferPointer<epoll_event>
  private var ready: [Ready] = []
  /// Regular files and the like, which epoll refuses since they never make anyone wait.
  private var alwaysReady: [Int32: (token: UInt64, interest: Interest)] = [:]

  package init() throws(SystemFailure) {
    epoll = lx_epoll_create()
    guard epoll >= 0 else { throw SystemFailure("wait for descriptors (epoll)") }
    events = .allocate(capacity: 64)
  }

  deinit {
    close(epoll)
    events.deallocate()
  }

  /// Watches a descriptor that is not watched yet. One that epoll cannot watch since it is always
  /// ready (a regular file, `/dev/null`) is reported by every `wait` until it is forgotten: forget it at
  /// its end. The descriptor must be forgotten before it is closed.
  package func watch(
    _ descriptor: Int32, token: UInt64, for interest: Interest
  ) throws(SystemFailure) {
    if lx_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, interest.epollEvents, token) == 0 {
      return
    }
    guard errno == EPERM else { throw SystemFailure("watch descriptor \(descriptor)") }
    alwaysReady[descriptor] = (token, interest)
  }

  /// Changes the interest in a watched descriptor. With an empty one only a hang-up is reported.
  package func modify(_ descriptor: Int32, token: UInt64, for interest: Interest) {
    if alwaysReady[descriptor] != nil {
      alwaysReady[descriptor] = (token, interest)
    } else {
      _ = lx_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, interest.epollEvents, token)
    }
  }

  /// Stops watching; nothing happens when the descriptor is not watched.
  package func forget(_ descriptor: Int32) {
    if alwaysReady.removeValue(forKey: descriptor) == nil {
      _ = lx_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0)
    }
  }

  /// Waits until something is ready, at most `limit` (nil: for ever), rounded up to milliseconds.
  ///
  /// May return early with nothing, for example after the process was stopped and continued: the caller
  /// looks at its clock and its deadlines after every wait in any case. The array keeps its memory from
  /// turn to turn if the caller has let go of it by then.
  package func wait(atMost limit: Duration?) -> [Ready] {
    ready.removeAll(keepingCapacity: true)
    if !alwaysReady.isEmpty { addAlwaysReady() }
    let milliseconds = ready.isEmpty ? Self.milliseconds(limit) : 0
    let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)
    // The one expected failure is EINTR, and that is a wait which ended early.
    guard count > 0 else { return ready }
    for index in 0..<Int(count) {
      let bits = events[index].events
      ready.append(
        Ready(
          token: lx_epoll_token(&events[index]),
          isReadable: bits & EPOLLIN.rawValue != 0,
          isWritable: bits & EPOLLOUT.rawValue != 0,
          hasHungUp: bits & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
    }
    return ready
  }

  private func addAlwaysReady() {
    for (token, interest) in alwaysReady.values where !interest.isEmpty {
      ready.append(
        Ready(
          token: token, isReadable: interest.contains(.readable),
          isWritable: interest.contains(.writable)))
    }
  }

  /// Rounded up, since a wait that ends just before the deadline would be followed by one of 0 ms.
  private static func milliseconds(_ limit: Duration?) -> Int32 {
    guard let limit else { return -1 }
    guard limit > .zero else { return 0 }
    let (seconds, attoseconds) = limit.components
    guard seconds < 86_400 else { return 86_400_000 }
    return Int32(seconds) * 1000
      + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
