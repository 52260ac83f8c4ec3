import Channel
import Sockets
import Testing

/// When the next attempt begins, with time passed by hand.
@Suite struct ReconnectionTests {
  private let retry = Verdict.Course.retry(after: nil)

  private func at(_ seconds: Double) -> Instant { Instant(.milliseconds(Int(seconds * 1000))) }

  private func delays(_ policy: ReconnectPolicy, random: Double) -> [Duration] {
    var reconnection = Reconnection(policy)
    var delays: [Duration] = []
    while case .wait(_, let delay) = reconnection.ended(retry, at: at(0), random: random) {
      delays.append(delay)
    }
    return delays
  }

  @Test func delaysDoubleUpToAMinuteAndTenAttemptsAreMade() {
    // The first attempt has no delay: nine follow.
    let seconds = delays(ReconnectPolicy(), random: 0).map(\.components.seconds)
    #expect(seconds == [2, 4, 8, 16, 32, 60, 60, 60, 60])
  }

  @Test func jitterAddsUpToAQuarter() {
    #expect(delays(ReconnectPolicy(), random: 1).first == .milliseconds(2500))
    #expect(delays(ReconnectPolicy(), random: 1).last == .seconds(75))
  }

  @Test func theCountBeginsAnewOnlyOnceALineHasStood() {
    var reconnection = Reconnection(ReconnectPolicy())
    reconnection.opened(at: at(0))
    #expect(
      reconnection.ended(retry, at: at(4.9), random: 0) == .wait(attempt: 2, delay: .seconds(2)))
    reconnection.opened(at: at(10))
    #expect(
      reconnection.ended(retry, at: at(15), random: 0) == .wait(attempt: 1, delay: .seconds(1)))
    #expect(
      reconnection.ended(retry, at: at(16), random: 0) == .wait(attempt: 2, delay: .seconds(2)))
  }

  @Test func withZeroEveryLineThatOpensResetsTheCount() {
    var policy = ReconnectPolicy()
    policy.stableAfter = .zero
    var reconnection = Reconnection(policy)
    for second in 0..<100 {
      reconnection.opened(at: at(Double(second)))
      #expect(
        reconnection.ended(retry, at: at(Double(second)), random: 0)
          == .wait(attempt: 1, delay: .seconds(1)))
    }
  }

  @Test func whatAnotherAttemptCannotMendEndsAtOnce() {
    for course in [Verdict.Course.giveUp, .refused] {
      var reconnection = Reconnection(ReconnectPolicy())
      #expect(reconnection.ended(course, at: at(0), random: 0) == .giveUp)
    }
  }

  @Test func aServersRetryAfterIsALowerBound() {
    var reconnection = Reconnection(ReconnectPolicy())
    #expect(
      reconnection.ended(.retry(after: .seconds(120)), at: at(0), random: 0)
        == .wait(attempt: 2, delay: .seconds(120)))
    #expect(
      reconnection.ended(.retry(after: .seconds(1)), at: at(0), random: 0)
        == .wait(attempt: 3, delay: .seconds(4)))
  }

  @Test func atLeastOneAttemptIsMade() {
    var policy = ReconnectPolicy()
    policy.maximumAttempts = 0
    #expect(delays(policy, random: 0).isEmpty)
  }
}
