import Channel
import Room
import Testing
import Text
import WebSocket

@Suite struct ConnectionTests {
  private static let unreachable = Failure(
    kind: .tcp, message: "chat.example port 80 refused the connection.", short: "refused")

  @Test func anOutageIsOneRow() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(.messages([message("1", "hi")], .live))
    bench.lose()
    #expect(bench.shown.last == "[! line lost: No pong came within 30 s.]")
    bench.channel(.connecting(attempt: 1))
    bench.channel(.failed(Self.unreachable))
    #expect(
      bench.shown.last == "[! not connected: chat.example port 80 refused the connection.]")
    bench.goOnline()
    #expect(
      bench.shown == [
        "[connected to ws://chat.example/]", "hi", "[connected again to ws://chat.example/]",
      ])
  }

  @Test func aLineThatFlapsDoesNotFillTheScreen() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(.messages([message("1", "hi")], .live))
    for _ in 0..<50 {
      bench.lose()
      bench.goOnline()
    }
    #expect(
      bench.shown == [
        "[connected to ws://chat.example/]", "hi",
        "[connected again to ws://chat.example/, after 50 losses]",
      ])
  }

  @Test func whatANewLineFetchesStandsBelowTheWordAboutIt() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(.messages([message("1", "hi")], .live))
    for number in 2..<4 {
      bench.lose()
      // A dialect that fetches before it is ready.
      bench.channel(.connecting(attempt: 1))
      bench.channel(.messages([message("\(number)", "missed \(number)")], .missed))
      bench.goOnline()
    }
    #expect(
      bench.shown == [
        "[connected to ws://chat.example/]", "hi", "[connected again to ws://chat.example/]",
        "missed 2", "[connected again to ws://chat.example/]", "missed 3",
      ])
  }

  @Test func aCommandDuringAnOutageStandsBetweenItsRows() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(.messages([message("1", "hi")], .live))
    bench.lose()
    bench.enter("/nick ko")
    bench.goOnline()
    #expect(
      bench.shown.dropFirst(2) == [
        "[! line lost: No pong came within 30 s.]", "[You are called ko now.]",
        "[connected again to ws://chat.example/]",
      ])
  }

  @Test func lossesWithMessagesBetweenHaveRowsOfTheirOwn() {
    var bench = Bench()
    bench.goOnline()
    for number in 0..<2 {
      bench.channel(.messages([message("\(number)", "hi \(number)")], .live))
      bench.lose()
      bench.goOnline()
    }
    #expect(
      bench.shown == [
        "[connected to ws://chat.example/]", "hi 0", "[connected again to ws://chat.example/]",
        "hi 1", "[connected again to ws://chat.example/]",
      ])
  }

  @Test func aRefusalSaysThatItIsNotTriedAgain() {
    var bench = Bench()
    let failure = Failure(
      kind: .refused, status: 401, message: "The server rejected the token (401).",
      short: "401 token rejected")
    bench.channel(.connecting(attempt: 1))
    bench.channel(.failed(failure))
    bench.channel(.stateChanged(.offline(.refused(failure))))
    let row =
      "[! refused: the server rejected the token (401). It is not tried again until you say "
      + "/connect.]"
    #expect(bench.shown == [row])
    #expect(bench.room.connection == .offline(.refused(failure)))
  }

  @Test func theOrderOfStateAndFailureDoesNotMatter() {
    var bench = Bench()
    bench.channel(.stateChanged(.offline(.gaveUp(attempts: 10, Self.unreachable))))
    bench.channel(.failed(Self.unreachable))
    bench.channel(.gaveUp(attempts: 10, Self.unreachable))
    #expect(
      bench.shown == [
        "[! gave up after 10 attempts: chat.example port 80 refused the connection. "
          + "/connect tries again.]"
      ])
  }

  @Test(arguments: [
    ("No route.", "no connection", "No route."), ("Is it there?", "", "Is it there?"),
    ("The line was cut", "", "the line was cut."),
  ])
  func aReasonIsASentenceOfItsOwn(message: String, short: String, shown: String) {
    var bench = Bench()
    let failure = Failure(kind: .tcp, message: message, short: short)
    bench.channel(.stateChanged(.offline(.gaveUp(attempts: 1, failure))))
    #expect(bench.shown == ["[! gave up after 1 attempt: \(shown) /connect tries again.]"])
  }

  @Test func whoStopsAnAttemptWasNeverConnected() {
    var bench = Bench()
    bench.channel(
      .stateChanged(
        .connecting(
          SessionState.Connecting(attempt: 2, phase: .waiting(until: Instant(.seconds(9)))))))
    bench.channel(.stateChanged(.offline(.stopped)))
    #expect(
      bench.shown == ["[stopped trying to reach ws://chat.example/; /connect tries again]"])
  }

  @Test func anEndOnPurposeIsNoLoss() {
    var bench = Bench()
    bench.goOnline()
    #expect(bench.enter("/disconnect") == [.disconnect])
    bench.channel(.closed(CloseReason(.normal), clean: true))
    bench.channel(.stateChanged(.offline(.stopped)))
    #expect(bench.room.lostAt == nil)
    #expect(
      bench.shown == ["[disconnected from ws://chat.example/; /connect connects again]"])
  }

  @Test func aReconnectOnPurposeIsNoLoss() {
    var bench = Bench()
    bench.goOnline()
    #expect(bench.enter("/reconnect") == [.reconnect])
    bench.channel(
      .stateChanged(
        .connecting(
          SessionState.Connecting(attempt: 1, phase: .dialling(.connecting, since: Instant())))))
    #expect(bench.room.lostAt == nil)
    bench.goOnline()
    bench.wall = Timestamp(milliseconds: 9_000_000)
    bench.lose()
    #expect(bench.room.lostAt == Timestamp(milliseconds: 9_000_000))
  }

  @Test func aReconnectOnPurposeThatFailsIsTold() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("/reconnect")
    bench.channel(.closed(CloseReason(.abnormal), clean: false))
    bench.channel(
      .stateChanged(
        .connecting(
          SessionState.Connecting(attempt: 1, phase: .dialling(.connecting, since: Instant())))))
    bench.channel(.failed(Self.unreachable))
    #expect(
      bench.shown == ["[! not connected: chat.example port 80 refused the connection.]"])
  }

  @Test func aPongDuringAnIntendedEndMakesItNoLoss() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("/disconnect")
    var online = SessionState.Online(
      since: Instant(), subprotocol: nil, dialect: .graphql, peer: "192.0.2.1:80")
    online.roundTrip = .milliseconds(38)
    bench.channel(.stateChanged(.online(online)))
    bench.channel(.closed(CloseReason(.normal), clean: true))
    bench.channel(.stateChanged(.offline(.stopped)))
    #expect(bench.shown == ["[disconnected from ws://chat.example/; /connect connects again]"])
  }

  @Test func theMomentOfTheLossStaysWhileItLasts() {
    var bench = Bench()
    bench.goOnline()
    bench.lose()
    #expect(bench.room.lostAt == Timestamp(milliseconds: 1_000_000))
    bench.wall = Timestamp(milliseconds: 2_000_000)
    bench.channel(
      .stateChanged(
        .connecting(
          SessionState.Connecting(attempt: 2, phase: .dialling(.connecting, since: Instant())))))
    #expect(bench.room.lostAt == Timestamp(milliseconds: 1_000_000))
  }

  @Test func anOrderlyCloseByTheServerIsToldWithItsCodeAndReason() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(.closed(CloseReason(.serviceRestart, "back soon"), clean: true))
    #expect(
      bench.shown.last == "[! the server closed the line: it restarts (1012 back soon)]")
  }

  @Test func theRoundTripChangesNothingButItself() {
    var bench = Bench()
    bench.goOnline()
    var online = SessionState.Online(
      since: Instant(), subprotocol: nil, dialect: .graphql, peer: "192.0.2.1:80")
    online.roundTrip = .milliseconds(38)
    bench.channel(.stateChanged(.online(online)))
    #expect(bench.shown == ["[connected to ws://chat.example/]"])
    #expect(bench.room.connection == .online(online))
    #expect(bench.enter("hi") == [post("n1", "hi")])
  }

  @Test func enterAsksForTheLineOnlyWhereThereIsNone() {
    var bench = Bench()
    #expect(bench.handle(.connectNow) == [.connect])
    bench.channel(
      .stateChanged(
        .connecting(
          SessionState.Connecting(attempt: 1, phase: .dialling(.upgrading, since: Instant())))))
    #expect(bench.handle(.connectNow).isEmpty)
    bench.goOnline()
    #expect(bench.handle(.connectNow).isEmpty)
    bench.lose()
    #expect(bench.handle(.connectNow) == [.connect])
  }

  @Test func connectingCanBeStopped() {
    var bench = Bench()
    #expect(bench.handle(.stopConnecting).isEmpty)
    bench.goOnline()
    #expect(bench.handle(.stopConnecting).isEmpty)
    bench.lose()
    #expect(bench.handle(.stopConnecting) == [.disconnect])
  }

  @Test func membersAreKnownOnlyWhileOnline() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(.members([UntrustedText("ada"), UntrustedText("ko")]))
    #expect(bench.room.members.map(\.raw) == ["ada", "ko"])
    bench.lose()
    #expect(bench.room.members.isEmpty)
  }

  @Test func aSentenceOfTheServerSaidTwiceInARowStandsOnce() {
    var bench = Bench()
    for _ in 0..<3 { bench.channel(.notice(UntrustedText("a frame was no envelope"))) }
    bench.handle(.notice(UntrustedText("There is no theme “x”."), isError: true))
    #expect(bench.shown == ["[a frame was no envelope]", "[! There is no theme “x”.]"])
  }
}

@Suite struct WindowCommandTests {
  @Test func anotherRoomIsAnotherWindow() {
    var bench = Bench()
    bench.goOnline()
    #expect(bench.enter("/join #dev") == [.window(.join(room: "dev"))])
    #expect(bench.enter("/j dev") == [.window(.join(room: "dev"))])
    #expect(bench.room.room == "lobby")
    #expect(bench.enter("/server ws://other.example") == [.window(.server("ws://other.example"))])
    #expect(bench.enter("/connect ws://other.example") == [.window(.server("ws://other.example"))])
    #expect(bench.enter("/window 2") == [.window(.show("2"))])
    #expect(bench.enter("/w dev") == [.window(.show("dev"))])
    #expect(bench.enter("/switch dev") == [.window(.show("dev"))])
    #expect(bench.enter("/window") == [.window(.list)])
    #expect(bench.enter("/list") == [.window(.list)])
    #expect(bench.enter("/part") == [.window(.part)])
    #expect(bench.enter("/mute").isEmpty && bench.room.notice == .never)
    #expect(bench.enter("/unmute").isEmpty && bench.room.notice == .usual)
  }

  @Test func aWindowIsNotClosedUnaskedWhilePostsWait() {
    var bench = Bench()
    bench.enter("one")
    #expect(bench.enter("/part").isEmpty)
    #expect(
      bench.notices.last
        == "[! 1 message is not known to have arrived and would be lost; /part again closes the window all "
        + "the same.]")
    #expect(bench.enter("/part") == [.window(.part)])
  }

  @Test func postsOfOtherWindowsCountAtQuitting() {
    var bench = Bench()
    bench.room.postsElsewhere = 2
    #expect(bench.enter("/quit").isEmpty)
    #expect(bench.notices.last?.contains("2 messages are not known to have arrived") == true)
    #expect(bench.enter("/quit") == [.quit])
  }
}
