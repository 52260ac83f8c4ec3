import Channel
import Room
import Screen
import WebSocket

/// A program as one of several windows: what a workspace needs of it.
extension Program {
  /// Messages of others that nobody has seen.
  var unread: Int { title.unread(in: room) }
  /// Those of them that name the person.
  var mentions: Int { title.mentions(in: room) }

  /// Both, and when the program wants to be called. Mutating, since that reads it where it is: a value that is asked
  /// through the list of windows is copied first, at each turn of the loop.
  mutating func counts() -> (unread: Int, mentions: Int, deadline: Instant?) {
    (unread, mentions, deadline)
  }

  var hasDraft: Bool { !view.editor.isEmpty }

  /// Brings the window to the front, with what belongs to the person and not to a room: the theme, the settings,
  /// the focus, what was cut and what was entered. What is typed stays with the window that it was typed in.
  mutating func comeToFront(insteadOf other: Program) {
    theme = other.themeBeforePicking
    choices = other.choices
    offset = other.offset
    knowsFocus = other.knowsFocus
    view.settings = other.view.settings
    view.keys = other.view.keys
    lastHistoryPattern = other.lastHistoryPattern
    view.isFocused = other.view.isFocused
    view.editor.takeMemory(of: other.view.editor)
    history.lastInput = other.history.lastInput
    notices.lastKey = other.notices.lastKey
    leavingAsked = nil
    isInFront = true
    title.forgetShown()
    markRead()
  }

  /// Another window comes to the front: what is said from now on is new.
  mutating func goBehind() {
    isInFront = false
    leavingAsked = nil
    pendingKeys = []
    completionRequest = nil
    view.completion = nil
    view.historySearch = nil
    notices.lastKey = nil
    view.isFocused = false
    view.overlay = nil
    markRead()
  }

  /// To be called after every change of the room or the view.
  mutating func markRead() {
    // What a room begins with was said before anybody could miss it.
    if !isInFront, room.heard == 0, !view.hasLeftOff { view.readAll(in: room) }
    view.markRead(in: room)
    if view.isFocused, view.anchor == nil { title.read(room) }
  }

  /// Whether somebody is at the terminal, which is known of the window in front.
  func isAttended(at now: Instant) -> Bool {
    if knowsFocus { return view.isFocused }
    return notices.lastKey.map { now - $0 < NoticeState.presence } == true
  }

  /// The title where it is another one than before; only the window in front has one.
  mutating func changedTitle() -> String? {
    guard isInFront, view.settings.setsTitle else { return nil }
    return title.changed(by: room, isMuted: isMuted)
  }

  /// The end, without being asked: as after `/quit`, or by a signal. The last effect is `quit`.
  mutating func end(
    isCutShort: Bool = false, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [ProgramEffect] {
    guard !hasQuit else { return [] }
    var turn = Turn(now: now, wall: wall)
    turn.isQuitting = true
    turn.isCutShort = isCutShort
    return finish(&turn, entropy: &entropy)
  }
}
