import Testing
import WebSocket

@testable import Channel

/// How a line fared, as `/connection` tells it.
struct ConnectionRecordTests {
  private func seconds(_ count: Int) -> Instant { Instant(.seconds(count)) }

  private func online(since: Int, roundTrip: Duration? = nil) -> SessionState {
    .online(
      SessionState.Online(
        since: seconds(since), subprotocol: nil, dialect: .plain, peer: "p", roundTrip: roundTrip))
  }

  private func waiting(_ attempt: Int) -> SessionState {
    .connecting(.init(attempt: attempt, phase: .waiting(until: seconds(1_000))))
  }

  private func dialling(_ attempt: Int) -> SessionState {
    .connecting(.init(attempt: attempt, phase: .dialling(.connecting, since: seconds(0))))
  }

  private let cut = Failure(kind: .tcp, message: "The line was cut.", short: "line cut")

  /// Up at 1, lost at 61, tried twice in vain at 70 and 80, up again at 90.
  private var story: ConnectionRecord {
    var record = ConnectionRecord()
    func attempt(_ number: Int, at second: Int) {
      record.hear(.stateChanged(dialling(number)), at: seconds(second))
      record.hear(.connecting(attempt: number), at: seconds(second))
    }
    attempt(1, at: 0)
    record.hear(.stateChanged(online(since: 1)), at: seconds(1))
    record.hear(.ready, at: seconds(1))
    record.hear(.stateChanged(online(since: 1, roundTrip: .milliseconds(30))), at: seconds(2))
    record.hear(.stateChanged(online(since: 1, roundTrip: .milliseconds(90))), at: seconds(32))
    record.hear(.failed(cut), at: seconds(61))
    record.hear(.stateChanged(waiting(1)), at: seconds(61))
    for (number, second) in [(1, 70), (2, 80)] {
      attempt(number, at: second)
      record.hear(
        .failed(Failure(kind: .tcp, message: "m", short: "connection refused")), at: seconds(second)
      )
      record.hear(.stateChanged(waiting(number + 1)), at: seconds(second))
    }
    attempt(3, at: 90)
    record.hear(.stateChanged(online(since: 90, roundTrip: .milliseconds(40))), at: seconds(90))
    record.hear(.ready, at: seconds(90))
    return record
  }

  @Test func lossesAreToldWithTheirReasonAndHowLongTheLineHadStood() {
    let losses = story.losses
    #expect(losses.map(\.reason) == ["line cut", "connection refused"])
    #expect(losses.map(\.held) == [.seconds(60), nil])
    #expect(losses.map(\.count) == [1, 2])
    #expect(losses.map(\.at) == [seconds(61), seconds(80)])
    #expect(story.attempts == 4 && story.lines == 2)
  }

  @Test func theStripShowsTheWorstOfEachPiece() {
    let record = story
    #expect(record.worst(from: seconds(10), to: seconds(20)) == .online)
    #expect(record.worst(from: seconds(50), to: seconds(65)) == .waiting)
    #expect(record.worst(from: seconds(95), to: seconds(100)) == .online)
    #expect(record.worst(from: Instant(.seconds(-20)), to: Instant(.seconds(-10))) == nil)
    #expect(record.availability(at: seconds(100)) == 0.7)
  }

  @Test func roundTripsAreSummedUp() {
    #expect(story.roundTrips == [.milliseconds(30), .milliseconds(90), .milliseconds(40)])
    let summary = story.roundTripSummary
    #expect(summary?.median == .milliseconds(40) && summary?.worst == .milliseconds(90))
  }

  @Test func closeCodesAreToldInWords() {
    var record = ConnectionRecord()
    record.hear(.stateChanged(online(since: 0)), at: seconds(0))
    record.hear(
      .closed(CloseReason(.serviceRestart, "back\u{1B}soon"), clean: true), at: seconds(5))
    record.hear(.failed(cut), at: seconds(5))
    record.hear(.stateChanged(waiting(1)), at: seconds(5))
    #expect(
      record.losses.map(\.reason) == ["closed by the server: it restarts (1012, “back␛soon”)"])
    record.hear(.stateChanged(online(since: 6)), at: seconds(6))
    record.hear(.stateChanged(.offline(.stopped)), at: seconds(9))
    #expect(record.losses.last?.reason == "disconnected by you")
  }

  /// `/reconnect` closes the line here: nobody waits for the server's Close.
  @Test func whatThePersonClosedIsNotPutDownToTheServer() {
    var record = ConnectionRecord()
    record.hear(.stateChanged(online(since: 0)), at: seconds(0))
    record.hear(.closed(CloseReason(.abnormal), clean: false), at: seconds(5))
    record.hear(.stateChanged(waiting(1)), at: seconds(5))
    #expect(record.losses.map(\.reason) == ["closed by you"])
  }

  @Test func nothingGrowsWithoutBound() {
    var record = ConnectionRecord()
    for step in 0..<5_000 {
      record.hear(
        .stateChanged(online(since: step, roundTrip: .microseconds(step + 1))), at: seconds(step))
      record.hear(
        .failed(Failure(kind: .tcp, message: "m", short: "reason \(step)")), at: seconds(step))
      record.hear(.stateChanged(waiting(1)), at: seconds(step))
    }
    #expect(record.spans.count == ConnectionRecord.mostSpans)
    #expect(record.losses.count == ConnectionRecord.mostLosses)
    #expect(record.roundTrips.count == ConnectionRecord.mostRoundTrips)
  }

  @Test func ratesAreThoseOfTheLastWholeSeconds() {
    var rate = TrafficRate()
    rate.note(bytes: 300, messages: 3, at: seconds(10))
    rate.note(bytes: 300, messages: 6, at: seconds(11))
    rate.note(bytes: 300, messages: 9, at: Instant(.milliseconds(12_900)))
    rate.note(bytes: 9_000, messages: 99, at: seconds(13))
    let now = rate.perSecond(at: Instant(.milliseconds(13_500)))
    #expect(now.bytes == 300 && now.messages == 3)
    #expect(rate.bytes == 9_900 && rate.messages == 99)
    #expect(rate.history(at: seconds(13), count: 4) == [0, 300, 300, 300])
    #expect(rate.perSecond(at: seconds(200)).bytes == 0)
    #expect(TrafficRate().history(at: seconds(1), count: 3) == [0, 0, 0])
  }
}

/// A ping that waits is said long before the line is given up.
struct SilenceTests {
  private func silence(_ harness: SessionHarness) -> Instant? {
    guard case .online(let online) = harness.session.state else { return nil }
    return online.silentSince
  }

  @Test func aLateAnswerIsSaidAfterASecondAndForgottenWhenItComes() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.receive(harness.server.pong(harness.server.pings[0]))
    harness.advance(.seconds(30))
    let asked = harness.now
    #expect(silence(harness) == nil)
    #expect(harness.session.silenceDeadline == asked + .seconds(1))
    harness.jump(.milliseconds(999))
    #expect(silence(harness) == nil)
    harness.jump(.milliseconds(1))
    #expect(silence(harness) == asked)
    #expect(harness.session.silenceDeadline == nil)
    harness.jump(.seconds(2))
    #expect(silence(harness) == asked)
    harness.receive(harness.server.pong(harness.server.pings[1]))
    #expect(silence(harness) == nil)
    guard case .online(let online) = harness.session.state else { return }
    #expect(online.roundTrip == .seconds(3))
  }

  @Test func aSilentLineIsStillGivenUpInItsTime() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.advance(.seconds(10))
    #expect(harness.session.lostAt == harness.now)
  }
}
