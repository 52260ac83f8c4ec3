import Channel
import Room
import Testing
import Text
import WebSocket

@testable import Screen

@Suite struct WordsTests {
  @Test(arguments: [
    (Duration.zero, "<1 ms", "00 s"), (.microseconds(400), "<1 ms", "00 s"),
    (.milliseconds(38), "38 ms", "01 s"), (.milliseconds(1240), "1.2 s", "02 s"),
    (.seconds(7), "7.0 s", "07 s"), (.milliseconds(6300), "6.3 s", "07 s"),
    (.seconds(59), "59 s", "59 s"), (.milliseconds(59_001), "59 s", "1 min 00 s"),
    (.seconds(67), "1 min 07 s", "1 min 07 s"), (.seconds(7380), "2 h 03 min", "2 h 03 min"),
    (.seconds(-5), "<1 ms", "00 s"),
    (.seconds(Int64.max), "2562047788015 h 12 min", "2562047788015 h 12 min"),
  ]) func aDurationIsSaidInWords(duration: Duration, measured: String, countdown: String) {
    #expect(duration.measured == measured)
    #expect(duration.countdown == countdown)
  }

  @Test(arguments: [
    (Int64(0), 0, "Thu 1 January 1970", "00:00"), (-1, 0, "Wed 31 December 1969", "23:59"),
    (951_782_400_000, 0, "Tue 29 February 2000", "00:00"),
    (1_772_528_520_000, 0, "Tue 3 March 2026", "09:02"),
    (1_772_528_520_000, 15 * 3600, "Wed 4 March 2026", "00:02"),
    (1_772_528_520_000, -10 * 3600, "Mon 2 March 2026", "23:02"),
    (4_107_542_400_000, 0, "Mon 1 March 2100", "00:00"),
  ]) func aTimestampIsALocalDate(milliseconds: Int64, offset: Int, date: String, clock: String) {
    let time = LocalTime(Timestamp(milliseconds: milliseconds), offset: { _ in offset })
    #expect(time.date == date)
    #expect(time.clock == clock)
  }

  @Test func noTimestampTraps() {
    for milliseconds in [Int64.min, .max] {
      let time = LocalTime(Timestamp(milliseconds: milliseconds), offset: { _ in .max })
      #expect(!time.date.isEmpty)
    }
  }

  private static func status(_ state: SessionState, width: Int) -> String {
    var room = Fixture.lobby
    room.connection = state
    return Fixture.screen(room).grid(width: width, height: 8).text
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[6]
  }

  @Test(arguments: [
    (20, " ◐ connecting 2/4"), (40, " ◐ connecting 2/4 · ^C cancel"),
    (60, " ◐ connecting 2/4 securing the line by TLS… 1.2 s"),
    (64, " ◐ connecting 2/4 securing the line by TLS… 1.2 s │ ^C cancel"),
  ]) func theStageIsNamed(width: Int, text: String) {
    let state = SessionState.connecting(
      .init(attempt: 1, phase: .dialling(.securing, since: Instant(.milliseconds(998_760)))))
    #expect(Self.status(state, width: width) == text)
  }

  @Test func askingTheProxyIsPartOfTheFirstStage() {
    let state = SessionState.connecting(
      .init(attempt: 3, phase: .dialling(.tunnelling, since: Instant(.milliseconds(998_760)))))
    #expect(
      Self.status(state, width: 80)
        == " ◐ connecting 1/4 asking the proxy… 1.2 s · try 3 │ ^C cancel")
  }

  @Test(arguments: [
    (20, " ◌ try 2 in 03 s"), (40, " ◌ no connection · try 2 in 03 s"),
    (80, " ◌ no connection (connection refused) · try 2 in 03 s │ Enter now  ^C stop"),
  ]) func aFirstAttemptThatFailedIsNoLoss(width: Int, text: String) {
    let failure = Failure(kind: .tcp, message: "Nobody listens.", short: "connection refused")
    let state = SessionState.connecting(
      .init(
        attempt: 2, phase: .waiting(until: Instant(.milliseconds(1_002_500))),
        lastFailure: failure))
    #expect(Self.status(state, width: width) == text)
  }

  @Test func theMomentOfALossIsWorkedOutFromTheMonotonicClock() {
    // 970 s of the monotonic clock were 30 s before 09:22:30.
    let state = SessionState.connecting(
      .init(
        attempt: 1, phase: .waiting(until: Instant(.seconds(1067))),
        lostAt: Instant(.seconds(970))))
    #expect(Self.status(state, width: 80).hasPrefix(" ◌ lost 09:22 · try 1 in 1 min 07 s │"))
  }

  @Test func hostileWordsOfTheServerAreMadeSafe() {
    let reason = CloseReason(CloseCode(rawValue: 4000), "\u{1B}]0;x\u{7}\u{202E}bye")
    #expect(
      Self.status(.offline(.closed(reason)), width: 80)
        == " ○ closed by the server: ␛]0;x␇bye (4000) │ /connect or Enter")
  }

  @Test func aLongFailureIsCutToTheWidth() {
    let failure = Failure(kind: .tls, message: "m", short: String(repeating: "long ", count: 60))
    #expect(Self.status(.offline(.refused(failure)), width: 80) == " ✕ refused")
  }
}
