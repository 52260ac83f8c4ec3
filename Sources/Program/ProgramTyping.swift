import Channel
import Room
package import Screen

/// Keys after which nothing on the screen looks otherwise but the input itself.
extension Program {
  /// What a letter leaves as it is.
  struct Typing: Equatable {
    var place: InputPlace
    var anchor: ViewState.Anchor?
    var readUpTo: Int
    var unreadAfter: Int?
    var unreadUpTo: Int?
    var lastSerial: Int
    var posts: Int
    var typingUntil: Instant?
    var compose: Bool
  }

  /// Nil where the key may do anything else than change the input.
  func typing(by key: Key) -> Typing? {
    guard pendingKeys.isEmpty, leavingAsked == nil, completionRequest == nil, changesTheLine(key),
      let place = InputPlace(view, width: width, height: height)
    else { return nil }
    return Typing(
      place: place, anchor: view.anchor, readUpTo: view.readUpTo, unreadAfter: view.unreadAfter,
      unreadUpTo: view.unreadUpTo, lastSerial: room.lastSerial, posts: room.outbox.count,
      typingUntil: room.typists.due, compose: view.compose != nil)
  }

  private func changesTheLine(_ key: Key) -> Bool {
    switch key {
    case .character: return true
    case .backspace, .delete, .left, .right, .home, .end, .control:
      switch view.keys.lookUp([key], isAtLineEnd: view.editor.isAtEnd) {
      case .action(.editor(let action)): return action != .send
      case .nothing: return key != .control("c")
      case .begins, .action: return false
      }
    default: return false
    }
  }

  package func inputPlace(panels: PanelLayout) -> InputPlace? {
    InputPlace(view, width: width, height: height, panels: panels)
  }

  package func inputPiece(at place: InputPlace, clock: Clock) -> GridPiece {
    renderInput(room, view, theme: theme, clock: clock, at: place)
  }
}

extension Workspace {
  /// In some window an answer is waited for whose moment counts: to a ping, or to what was posted.
  package var awaitsAnswer: Bool {
    windows.indices.contains {
      windows[$0].program.session.awaitsPong
        || windows[$0].program.room.outbox.contains { $0.state == .sending }
    }
  }

  /// Where the input stands by itself; see `InputPlace`.
  package var inputPlace: InputPlace? {
    // By its parts, here and below: the whole program as a value would be copied for each key.
    InputPlace(
      windows[current].program.view, width: windows[current].program.width,
      height: windows[current].program.height, panels: panels)
  }

  /// The input alone, for a screen on which only it has changed.
  package func inputPiece(at place: InputPlace, clock: Clock) -> GridPiece {
    renderInput(
      windows[current].program.room, windows[current].program.view,
      theme: windows[current].program.theme, clock: clock, at: place)
  }

  /// From now on it is noted whether anything but the input is changed; see `changedOnlyInput`.
  package mutating func beginTyping() { changedOnlyInput = true }
}
