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
    switch key {
    case .focusIn, .focusOut:
      knowsFocus = true
      view.isFocused = key == .focusIn
      focusedAt = key == .focusIn ? turn.now : nil
    case .click(let row, let column): click(row: row, column: column, &turn, &entropy)
    case _ where isTakenInReading(key, &turn, &entropy): break
    case .character where pendingKeys.isEmpty: take(key, nil, &turn, &entropy)
    case .paste:
      pendingKeys = []
      take(key, nil, &turn, &entropy)
    default: look(up: key, &turn, &entropy)
    }
  }

  /// A search and a chosen message have their keys before the bindings do.
  private mutating func isTakenInReading(
    _ key: Key, _ turn: inout Turn, _ entropy: inout Entropy
  ) -> Bool {
    guard pendingKeys.isEmpty, !view.editor.isQuoting, view.pasteQuestion == nil,
      view.historySearch == nil, view.completion == nil
    else { return false }
    // The screen is drawn anew and left whatever it shows.
    guard key != .control("l"), key != .control("z") else { return false }
    // What was asked for before this key is of no use any more, taken here or elsewhere.
    completionRequest = nil
    guard pressInReading(key, &turn, &entropy) else { return false }
    leavingAsked = nil
    notices.lastKey = turn.now
    return true
  }

  /// What a key, or several in a row, are bound to. Where that is nothing, the key without its modifiers counts.
  private mutating func look(up key: Key, _ turn: inout Turn, _ entropy: inout Entropy) {
    if view.editor.isQuoting { return take(key, nil, &turn, &entropy) }
    let keys = pendingKeys + [key]
    pendingKeys = []
    switch view.keys.lookUp(keys, isAtLineEnd: view.editor.isAtEnd) {
    case .action(let action): take(key, action, &turn, &entropy)
    case .begins: pendingKeys = keys
    case .nothing where keys.count > 1: break
    case .nothing:
      let plainer = key.plainer
      if plainer.isEmpty { take(key, nil, &turn, &entropy) }
      for one in plainer { press(one, &turn, entropy: &entropy) }
    }
  }

  /// A key with what it is bound to: to whatever is on top of the screen first.
  private mutating func take(
    _ key: Key, _ action: KeyAction?, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    switch action {
    case .program(.redraw):
      turn.effects.append(.repaint)
      return
    case .program(.suspend):
      turn.effects.append(.suspend)
      return
    default: break
    }
    let leavingAsked = self.leavingAsked
    self.leavingAsked = nil
    completionRequest = nil
    notices.lastKey = turn.now
    if case .themes = view.overlay {
      return pressInPicker(Self.keyOnPage(key, action), &turn, entropy: &entropy)
    }
    if view.overlay != nil { return pressOnPage(Self.keyOnPage(key, action), &turn) }
    if pressInMode(key, action, &turn, &entropy) { return }
    switch action {
    case .editor(let action): edit(action, &turn, &entropy)
    case .program(.interrupt): interrupt(askedAt: leavingAsked, &turn, &entropy)
    case .program(let action): perform(action, &turn, &entropy)
    case nil:
      if case .paste(let text) = key, !view.editor.isQuoting {
        paste(text)
      } else if view.editor.isQuoting || KeyMap.standard.lookUp([key]) == .nothing {
        // A key that the person took its action from does nothing.
        _ = view.editor.handle(key)
      }
    }
  }

  private mutating func perform(
    _ action: ProgramAction, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    switch action {
    case .complete: complete(backward: false, &turn)
    case .completeBackward: complete(backward: true, &turn)
    case .externalEditor: turn.effects.append(.editExternally(view.editor.text))
    case .searchHistory: searchHistory(backward: true)
    case .searchHistoryForward: searchHistory(backward: false)
    case .pageUp: scroll(byRows: view.pageRows(width: width, height: height))
    case .pageDown: scroll(byRows: -view.pageRows(width: width, height: height))
    case .scrollUp: scroll(byRows: 3)
    case .scrollDown: scroll(byRows: -3)
    case .oldest: goToOldest(&turn)
    case .newest: view.scrollToEnd()
    case .searchTranscript: searchTranscript()
    case .firstUnread: goToFirstUnread()
    case .mentionBefore: goToMention(older: true)
    case .mentionAfter: goToMention(older: false)
    case .chooseMessage: chooseMessage()
    case .help: view.overlay = .help(topic: nil, scroll: 0)
    case .connection: view.overlay = .connection(scroll: 0)
    case .frames: view.overlay = .frames(FramesView())
    case .windowBefore: turn.effects.append(.manage(.step(-1)))
    case .windowAfter: turn.effects.append(.manage(.step(1)))
    case .windowNextActive: turn.effects.append(.manage(.nextActive))
    case .window1, .window2, .window3, .window4, .window5, .window6, .window7, .window8, .window9,
      .window10:
      let number = ProgramAction.windows.firstIndex(of: action).map { $0 + 1 } ?? 1
      turn.effects.append(.manage(.showNumber(number)))
    // Done before whatever lies over the room gets its keys.
    case .redraw, .suspend, .interrupt: break
    }
  }

  private mutating func edit(
    _ action: EditorAction, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    if view.editor.isEmpty, view.compose != nil, action == .send || action == .deleteOrLeave {
      return endComposing()
    }
    if view.editor.isEmpty {
      if action == .deleteOrLeave { return tell(.submitted("/quit"), &turn, &entropy) }
      if action == .send { return tell(.connectNow, &turn, &entropy) }
    }
    submit(view.editor.perform(action), &turn, &entropy)
  }

  /// A line that left the editor goes to the room.
  mutating func submit(
    _ outcome: LineEditor.Outcome, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard case .submitted(let text) = outcome else { return }
    enter(text, &turn, &entropy)
  }

  /// A line as it was entered; an empty one asks for the line to the server.
  mutating func enter(_ text: String, _ turn: inout Turn, _ entropy: inout Entropy) {
    typingTold = nil
    // Who writes wants to see it arrive.
    view.scrollToEnd()
    view.found = nil
    noteAbilities()
    if takesComposed(text, &turn, &entropy) { return }
    guard !text.isEmpty else { return tell(.connectNow, &turn, &entropy) }
    if history.isOn { history.entered.append(text) }
    tell(.submitted(Self.withEmoji(text)), &turn, &entropy)
  }

  mutating func scroll(byRows rows: Int) {
    let before = view.anchor
    view.scroll(byRows: rows, in: room, width: width, height: height, offset: offset)
    guard rows > 0, view.anchor == before, view.clearedUpTo > .min else { return }
    showCleared()
    view.scroll(byRows: rows, in: room, width: width, height: height, offset: offset)
  }

  /// Ctrl-C takes back the nearest thing there is: the text, the attempt, the program.
  private mutating func interrupt(
    askedAt: Instant?, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    if view.compose != nil { return endComposing() }
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
