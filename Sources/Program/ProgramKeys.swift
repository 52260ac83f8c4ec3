import Channel
import Room
import Screen
import Text
import WebSocket

/// What keys do. Those of the input line are the editor's.
extension Program {
  /// How long a second Ctrl-C counts.
  static let leavingTime: Duration = .seconds(2)

  mutating func press(_ key: Key, _ turn: inout Turn, entropy: inout Entropy) {
    let leavingAsked = self.leavingAsked
    switch key {
    case .focusIn, .focusOut:
      knowsFocus = true
      view.isFocused = key == .focusIn
      return
    case .control("l"):
      turn.effects.append(.repaint)
      return
    case .control("z"):
      turn.effects.append(.suspend)
      return
    default:
      self.leavingAsked = nil
      if key != .tab && key != .backTab { completion = nil }
    }
    notices.lastKey = turn.now
    if case .themes = view.overlay { return pressInPicker(key, &turn, entropy: &entropy) }
    if pressInReading(key, &turn, &entropy) { return }
    if view.overlay != nil { return pressOnPage(key, &turn) }
    switch key {
    case .pageUp: scroll(byRows: view.pageRows(width: width, height: height))
    case .pageDown: scroll(byRows: -view.pageRows(width: width, height: height))
    case .wheelUp: scroll(byRows: 3)
    case .wheelDown: scroll(byRows: -3)
    case .alt("<"): goToOldest(&turn)
    case .alt(">"): view.scrollToEnd()
    case .alt(let digit) where digit.isASCII && digit.isNumber:
      let number = digit.wholeNumberValue ?? 0
      turn.effects.append(.manage(.showNumber(number == 0 ? 10 : number)))
    case .alt("a"), .alt("A"): turn.effects.append(.manage(.nextActive))
    case .function(5): turn.effects.append(.manage(.step(-1)))
    case .function(6): turn.effects.append(.manage(.step(1)))
    case .function(1): view.overlay = .help(topic: nil, scroll: 0)
    case .function(2): view.overlay = .connection(scroll: 0)
    case .function(3): view.overlay = .frames(FramesView())
    case .tab: complete(backward: false)
    case .backTab: complete(backward: true)
    case .control("c"): interrupt(askedAt: leavingAsked, &turn, &entropy)
    case .control("d") where view.editor.isEmpty: tell(.submitted("/quit"), &turn, &entropy)
    case .enter where view.editor.isEmpty: tell(.connectNow, &turn, &entropy)
    default: edit(key, &turn, &entropy)
    }
  }

  private mutating func edit(_ key: Key, _ turn: inout Turn, _ entropy: inout Entropy) {
    guard case .submitted(let text) = view.editor.handle(key) else { return }
    enter(text, &turn, &entropy)
  }

  /// A line as it was entered; an empty one asks for the line to the server.
  mutating func enter(_ text: String, _ turn: inout Turn, _ entropy: inout Entropy) {
    // Who writes wants to see it arrive.
    view.scrollToEnd()
    view.found = nil
    guard !text.isEmpty else { return tell(.connectNow, &turn, &entropy) }
    if history.isOn { history.entered.append(text) }
    tell(.submitted(text), &turn, &entropy)
  }

  mutating func scroll(byRows rows: Int) {
    view.scroll(byRows: rows, in: room, width: width, height: height, offset: offset)
  }

  /// Ctrl-C takes back the nearest thing there is: the text, the attempt, the program.
  private mutating func interrupt(
    askedAt: Instant?, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    if !view.editor.isEmpty {
      view.editor.clear()
      return
    }
    if case .connecting = room.connection { return tell(.stopConnecting, &turn, &entropy) }
    if let askedAt, turn.now - askedAt <= Self.leavingTime {
      turn.isQuitting = true
      return
    }
    leavingAsked = turn.now
    let loss = room.lossByQuitting.map { "; \($0)" } ?? ""
    tell(
      .notice(UntrustedText("Ctrl-C again or /quit to leave\(loss)."), isError: false), &turn,
      &entropy)
  }
}
