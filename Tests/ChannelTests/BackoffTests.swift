import Channel
import Testing

struct BackoffTests {
  @Test(arguments: [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (8, 60), (10, 60), (Int.max, 60)])
  func theDelayDoublesUpToTheCap(attempt: Int, seconds: Int) {
    #expect(Backoff().delay(beforeAttempt: attempt, random: 0) == .seconds(seconds))
  }

  @Test func upToAQuarterIsAdded() {
    #expect(Backoff().delay(beforeAttempt: 3, random: 0.5) == .milliseconds(4500))
    #expect(Backoff().delay(beforeAttempt: 9, random: 1) == .seconds(75))
  }

  /// A lower bound, with jitter that does not grow beyond that of the longest delay.
  @Test(arguments: [
    (0, 0.0, 4000), (1, 1, 5000), (4, 0, 4000), (5, 0, 5000), (10, 1, 12_500), (90, 1, 105_000),
    (86_400, 1, 86_415_000), (-5, 0, 4000), (1 << 40, 0, 86_400_000),
  ])
  func aPauseThatTheServerAsksForIsALowerBound(
    seconds: Int64, random: Double, milliseconds: Int64
  ) {
    let delay = Backoff().delay(
      beforeAttempt: 3, notBefore: .seconds(seconds), random: random)
    #expect(delay == .milliseconds(milliseconds))
  }

  @Test(arguments: [0, -1, Int.min])
  func attemptsBeforeTheFirstCountAsTheFirst(attempt: Int) {
    #expect(Backoff().delay(beforeAttempt: attempt, random: 0) == .seconds(1))
  }

  @Test func enormousNumbersAreCutToADay() {
    let backoff = Backoff(first: .seconds(Int64.max), most: .seconds(Int64.max), jitter: 0)
    #expect(backoff.delay(beforeAttempt: Int.max, random: 0) == .seconds(86_400))
  }

  @Test func nonsenseIsNoDelay() {
    let negative = Backoff(first: .seconds(-1), most: .seconds(-5), jitter: .nan)
    #expect(negative.delay(beforeAttempt: 5, random: .infinity) == .zero)
    let none = Backoff(first: .zero, most: .seconds(60))
    #expect(none.delay(beforeAttempt: Int.max, random: 0.9) == .zero)
  }
}
