import Channel
import Program
import Screen
import TestKit
import Testing

/// A letter is drawn without the rest of the screen: what is on it afterwards is what a whole frame would show.
@Suite struct InputPieceTests {
  private static let letters = Array("abc de/:fgh #@`*_>\t1é日👍🏽שلا")
  private static let keys: [Key] = [
    .backspace, .delete, .left, .right, .home, .end, .control("a"), .control("e"), .control("k"),
    .control("w"), .control("y"), .control("t"), .control("u"), .control("r"), .control("q"),
    .control("c"), .control("l"), .control("x"), .tab, .enter, .escape, .altEnter, .up, .down,
    .pageUp, .pageDown, .alt("s"), .alt("b"), .function(1), .function(2), .focusIn, .focusOut,
  ]

  private func grid(_ talk: Conversation) -> Grid {
    talk.program.grid(
      clock: Clock(now: Instant(talk.now), wall: talk.wall, offset: { _ in 0 }))
  }

  @Test(arguments: 1...12) func aPieceMakesTheScreenWhatAWholeFrameWouldMakeIt(seed: UInt64) {
    var random = SplitMix(state: seed)
    let sizes = [(80, 24), (40, 10), (200, 50), (20, 5), (30, 16), (10, 3)]
    let size = sizes[Int(seed) % sizes.count]
    var talk = Conversation(width: size.0, height: size.1)
    talk.say("something to begin with")
    var pieces = 0
    for _ in 0..<250 {
      switch random.below(30) {
      case 0: talk.say("number \(random.below(100))")
      case 1 where random.below(6) == 0: talk.cut()
      case 1: talk.advance(by: .milliseconds(700 * random.below(20)))
      case 2: talk.press(.escape, .escape, .control("u"), .end)
      case 3...9: talk.press(Self.keys[random.below(Self.keys.count)])
      default:
        let before = grid(talk)
        let placeBefore = talk.program.inputPlace(panels: PanelLayout())
        let isRare = random.below(12) == 0
        talk.press(
          isRare
            ? Self.keys[random.below(8)]
            : .character(
              Self.letters[random.below(random.below(10) == 0 ? Self.letters.count : 10)])
        )
        guard talk.program.changedOnlyInput,
          let place = talk.program.inputPlace(panels: PanelLayout()), place == placeBefore
        else { continue }
        pieces += 1
        var patched = before
        patched.put(
          talk.program.inputPiece(
            at: place, clock: Clock(now: Instant(talk.now), wall: talk.wall, offset: { _ in 0 })))
        let whole = grid(talk)
        #expect(patched.cells == whole.cells, "\(patched.text)\n---\n\(whole.text)")
        #expect(patched.cursor == whole.cursor)
      }
    }
    #expect(pieces > (size.1 < 4 ? -1 : 5))
  }

  @Test func whatChangesMoreIsNoPiece() {
    var talk = Conversation()
    talk.write("/he")
    #expect(talk.program.changedOnlyInput)
    for key in [Key.tab, .enter, .alt("s"), .function(1), .control("l"), .control("r"), .pageUp] {
      talk.press(key)
      #expect(!talk.program.changedOnlyInput, "\(key)")
      talk.press(.escape, .escape, .control("c"))
    }
    talk.press(.end)
    talk.write("a")
    #expect(talk.program.changedOnlyInput)
    // Another row of input moves the rest.
    talk.press(.altEnter)
    #expect(!talk.program.changedOnlyInput)
    talk.say("somebody speaks")
    #expect(!talk.program.changedOnlyInput)
  }
}
