import Channel
import Room
import Testing
import Text

@testable import Screen

@Suite struct GridPropertyTests {
  /// Text that came from outside, at every size from nothing to 5×5.
  @Test(arguments: 0...5, 0...5) func aTinyScreenIsDrawn(width: Int, height: Int) {
    for name in ["online", "pending", "scrolled", "help", "hostile", "multi-line"] {
      let size = ScreenGoldenTests.Size(width: width, height: height)
      let (room, view, input) = ScreenGoldenTests.state(name, size: size)
      let grid = Fixture.screen(room, view, input: input).grid(width: width, height: height)
      #expect(grid.width == width && grid.height == height)
      #expect(brokenPromise(of: grid) == nil)
    }
  }

  @Test(arguments: [
    (1, 1, "●"), (2, 1, "●h"), (12, 1, "● > hello"), (8, 1, "● hello"), (3, 2, "●\nllo"),
    (10, 2, "●\n> hello"),
  ]) func theSmallestScreensShowStateAndInput(width: Int, height: Int, text: String) {
    var room = Fixture.lobby
    room.entries = []
    let input = InputText("hello", caret: 0)
    let grid = Fixture.screen(room, input: input).grid(width: width, height: height)
    #expect(grid.text.split(separator: "\n").first == text.split(separator: "\n").first)
    #expect(grid.cursor?.row == height - 1 || width == 1)
  }

  @Test func aStubSaysWhatIsNew() {
    var view = ViewState()
    view.isFocused = false
    view.readUpTo = 1
    view.markRead(in: Fixture.lobby)
    let grid = Fixture.screen(Fixture.lobby, view).grid(width: 10, height: 3)
    // mira's second message, ko's with the own nick, sana's, and the last one.
    #expect(grid.text.split(separator: "\n", omittingEmptySubsequences: false)[1] == "●4!1")
  }

  @Test(arguments: 1...60) func theGridKeepsItsPromises(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var room = RoomModel(
      room: dice.text(length: 5), nick: dice.text(length: 4), server: dice.text(length: 9))
    room.connection = Fixture.online
    for _ in 0..<dice.below(30) {
      let author = dice.below(5) == 0 ? nil : dice.text(length: dice.below(6))
      room.say(
        author, dice.text(length: dice.below(80)),
        at: Fixture.time(dice.below(24), dice.below(60), day: dice.below(3)))
    }
    for _ in 0..<dice.below(6) {
      room.wait(dice.text(length: dice.below(30)), .pending, at: Fixture.time(9, 0))
    }
    for _ in 0..<6 {
      let (width, height) = (dice.below(201), dice.below(61))
      var view = ViewState()
      view.scroll(byRows: dice.below(40) - 5, in: room, width: width, height: height)
      let text = dice.text(length: dice.below(60))
      let input = InputText(text, caret: dice.below(text.count + 1))
      let grid = Fixture.screen(room, view, input: input).grid(width: width, height: height)
      #expect(brokenPromise(of: grid) == nil, "\(width)×\(height)")
    }
  }

  @Test func drawingOverHalfAWideClusterLeavesNoHalf() {
    var canvas = Canvas(width: 6, height: 1, style: .plain)
    canvas.put("日本語", row: 0, column: 0, style: .plain)
    canvas.put("x", row: 0, column: 1, style: .plain)
    #expect(canvas.grid.text == " x本語")
    canvas.put("x", row: 0, column: 4, style: .plain)
    #expect(canvas.grid.text == " x本x")
    canvas.put("語", row: 0, column: 2, limit: 3, style: .plain)
    #expect(canvas.grid.text == " x□ x")
    canvas.put("a語", row: 0, column: 4, limit: 6, style: .plain)
    #expect(canvas.grid.text == " x□ a")
    #expect(brokenPromise(of: canvas.grid) == nil)
  }
}
