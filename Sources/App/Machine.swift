import Channel
import Glibc
import Net
import WebSocket

/// What the machine gives to the values that decide: time, the calendar, randomness.
enum Machine {
  static func now() -> Instant {
    Instant(MachineClock.now())
  }

  static func wall() -> Timestamp {
    Timestamp(milliseconds: MachineClock.wallMilliseconds())
  }

  static func entropy() -> Entropy {
    Entropy { fillRandom($0) }
  }

  /// Seconds east of UTC at a moment, by the time zone of the environment.
  nonisolated static let zoneOffset: @Sendable (Timestamp) -> Int = { timestamp in
    var seconds = time_t(timestamp.milliseconds / 1000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return 0 }
    return parts.tm_gmtoff
  }

  static func reactor() throws(CommandFailure) -> Reactor {
    do {
      return try Reactor()
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
  }

  static func signals(_ numbers: [Int32]) throws(CommandFailure) -> SignalSource {
    do {
      let source = try SignalSource(numbers)
      Outlet.signalDescriptor = source.descriptor
      return source
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
  }
}
