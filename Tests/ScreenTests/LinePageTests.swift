import Channel
import Room
import TestKit
import Testing
import Text
import WebSocket

@testable import Screen

/// The pages about the line as one sees them.
@Suite struct LinePageTests {
  static let states = [
    "connection", "connection-end", "connection-lost", "connection-empty", "frames",
    "frames-marked",
    "frames-filter", "frames-text", "frames-bytes", "frames-head", "frames-save", "frames-none",
    "slow", "lag", "spinner",
  ]
  static let sizes = [
    ScreenGoldenTests.Size(width: 40, height: 10), ScreenGoldenTests.Size(width: 80, height: 24),
    ScreenGoldenTests.Size(width: 200, height: 50),
  ]

  @Test(arguments: states, sizes)
  func thePageLooksAsRecorded(state: String, size: ScreenGoldenTests.Size) {
    let grid = Self.grid(state, width: size.width, height: size.height)
    #expect(brokenPromise(of: grid) == nil)
    #expect(!grid.text.contains("abcdefgh"))
    let hasStyles = state == "connection" && size.width == 80
    #expect(
      Golden.difference(Golden.text(of: grid, styles: hasStyles), "line-\(state)-\(size)") == nil)
  }

  static func grid(_ state: String, width: Int, height: Int) -> Grid {
    var room = Fixture.lobby
    var view = ViewState()
    var facts = LineFixture.facts
    var frames = FramesView()
    room.connection = .online(
      SessionState.Online(
        since: LineFixture.ago(698), subprotocol: "graphql-transport-ws", dialect: .graphql,
        peer: "192.0.2.7:443", tls: "TLSv1.3", roundTrip: .milliseconds(38),
        silentSince: state == "slow" ? Instant(.milliseconds(996_800)) : nil))
    switch state {
    case "connection-end": view.overlay = .connection(scroll: 1_000)
    case "connection-lost":
      view.overlay = .connection(scroll: 0)
      room.connection = .connecting(
        .init(
          attempt: 4, phase: .waiting(until: Instant(.milliseconds(1_006_300))),
          lastFailure: Failure(
            kind: .timeout, message: "chat.example did not answer a ping for 30 s", short: "no pong"
          ),
          lostAt: Instant(.seconds(970))))
    case "connection-empty":
      view.overlay = .connection(scroll: 0)
      facts = LineFacts()
      room.connection = .offline(.idle)
    case "connection": view.overlay = .connection(scroll: 0)
    case "frames-marked": frames.selected = 5
    case "frames-filter":
      frames.text = "CONNECTION"
      frames.direction = .sent
      frames.prompt = .filter
      frames.editor.setText("conn")
    case "frames-text": (frames.selected, frames.details) = (5, 0)
    case "frames-bytes": (frames.selected, frames.details) = (6, 0)
    case "frames-head": (frames.selected, frames.details) = (1, 0)
    case "frames-save":
      frames.frozen = facts.frames
      frames.message = "10 lines are in frames.ndjson now."
    case "frames-none": frames.text = "nothing has this"
    case "lag":
      room.connection = .online(
        SessionState.Online(
          since: Instant(), subprotocol: nil, dialect: .plain, peer: "p",
          roundTrip: .milliseconds(740)))
    case "spinner":
      room.connection = .connecting(
        .init(attempt: 1, phase: .dialling(.securing, since: Instant(.milliseconds(999_700)))))
    default: break
    }
    if state.hasPrefix("frames") { view.overlay = .frames(frames) }
    return render(
      room, view, theme: .fallback, clock: Fixture.clock, facts: facts, width: width, height: height
    )
  }

  /// Every size from 1×1 to 60×20 with some of the states of screen and pages, so that each comes at many sizes.
  @Test(arguments: 1...60) func everySizeIsDrawn(width: Int) {
    let others = ["online", "offline", "closed", "connecting", "refused", "gave-up", "pending"]
    for height in 1...20 {
      let size = ScreenGoldenTests.Size(width: width, height: height)
      for step in 0..<3 {
        let state = Self.states[(width * 7 + height * 3 + step * 5) % Self.states.count]
        let grid = Self.grid(state, width: width, height: height)
        #expect(brokenPromise(of: grid) == nil, "\(state) at \(size)")
      }
      for step in 0..<2 {
        let state = others[(width * 3 + height + step * 4) % others.count]
        let (room, view, input) = ScreenGoldenTests.state(state, size: size)
        let grid = Fixture.screen(room, view, input: input).grid(width: width, height: height)
        #expect(brokenPromise(of: grid) == nil, "\(state) at \(size)")
        // A single cell shows the state.
        #expect(grid.cursor != nil || width == 1, "\(state) at \(size)")
      }
    }
  }

  @Test(arguments: [
    SessionState.Stage.connecting, .tunnelling, .securing, .upgrading, .introducing,
  ]) func everyStageIsNamedWhereThereIsRoom(stage: SessionState.Stage) {
    for (width, height) in [(200, 50), (80, 24), (40, 10), (10, 3)] {
      var room = Fixture.lobby
      room.connection = .connecting(
        .init(attempt: 1, phase: .dialling(stage, since: Instant(.milliseconds(998_800)))))
      let text = Fixture.screen(room).grid(width: width, height: height).text
      #expect(text.contains("◐"))
      if width >= 20 { #expect(text.contains("connecting \(stage.number)/4")) }
      if width >= 80 { #expect(text.contains("… 1.2 s")) }
    }
  }

  @Test func barsAndSpinnerCanBeSwitchedOff() {
    var view = ViewState()
    view.settings.showsSparkline = false
    view.settings.turnsSpinner = false
    view.overlay = .connection(scroll: 0)
    var room = Fixture.lobby
    room.connection = .connecting(
      .init(attempt: 1, phase: .dialling(.securing, since: Instant(.milliseconds(999_700)))))
    let text = render(
      room, view, theme: .fallback, clock: Fixture.clock, facts: LineFixture.facts, width: 80,
      height: 24
    ).text
    #expect(!text.contains("▁") && !text.contains("▇") && !text.contains("◓"))
    #expect(text.contains("◐ connecting 2/4"))
  }

  @Test func theTurningSignTurns() {
    let signs = [0, 249, 250, 500, 750, 1_000].map {
      Spinner.sign(after: .milliseconds($0), turns: true)
    }
    #expect(signs == ["◐", "◐", "◓", "◑", "◒", "◐"])
    #expect(Spinner.sign(after: .milliseconds(250), turns: false) == "◐")
  }

  @Test(arguments: [
    (0.0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (12_345, "12.3 kB"), (999_999, "1.0 MB"),
    (4_200_000_000, "4.2 GB"), (-3, "0 B"),
  ]) func amountsAreShort(count: Double, words: String) {
    #expect(AmountWords.bytes(count) == words)
  }

  @Test func aSparklineIsScaledToItsHighest() {
    #expect(Sparkline.text([0, 1, 4, 8], width: 4) == " ▂▅█")
    #expect(Sparkline.text([1, 2, 3], width: 2) == "▆█")
    #expect(Sparkline.text([0, 0], width: 5) == "  ")
    #expect(Sparkline.text([], width: 5) == "")
    #expect(Sparkline.text([1], width: -1) == "")
  }
}
