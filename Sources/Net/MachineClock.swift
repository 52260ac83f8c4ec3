import Glibc

/// The two clocks of the machine, for the module that hands times in to everything else.
package enum MachineClock {
  /// The distance from the first question about the time.
  ///
  /// CLOCK_BOOTTIME: unlike CLOCK_MONOTONIC it goes on while the machine is suspended, so a watchdog
  /// that ran out during the sleep of a laptop is seen at once after it, and not half a minute later.
  package static func now() -> Duration {
    // The origin first: it is read by whoever asks for it first.
    let origin = origin
    return reading() - origin
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  package static func wallMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static let origin = reading()

  private static func reading() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }
}
