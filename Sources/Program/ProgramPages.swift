import Channel
import Room
import Screen
import Text
import WebSocket

/// Keys on the pages that lie over the room.
extension Program {
  /// More than any page has rows.
  static let mostPageRows = 1_000_000

  /// The pages know keys by the table: one that was bound to the same comes to the same.
  static func keyOnPage(_ key: Key, _ action: KeyAction?) -> Key {
    switch action {
    case .program(.pageUp): .pageUp
    case .program(.pageDown): .pageDown
    case .program(.scrollUp): .wheelUp
    case .program(.scrollDown): .wheelDown
    case .program(.oldest): .alt("<")
    case .program(.newest): .alt(">")
    case .program(.help): .function(1)
    case .program(.connection): .function(2)
    case .program(.frames): .function(3)
    case .program(.interrupt): .control("c")
    case .program, .editor, nil: key
    }
  }

  mutating func pressOnPage(_ key: Key, _ turn: inout Turn) {
    switch (view.overlay, key) {
    case (.help, .function(2)), (.bindings, .function(2)), (.settings, .function(2)),
      (.frames, .function(2)):
      view.overlay = .connection(scroll: 0)
    case (.help, .function(3)), (.bindings, .function(3)), (.settings, .function(3)),
      (.connection, .function(3)):
      view.overlay = .frames(FramesView())
    case (.connection, .function(1)), (.frames, .function(1)):
      view.overlay = .help(topic: nil, scroll: 0)
    case (.help(_, let scroll), _), (.bindings(let scroll), _), (.settings(_, let scroll), _):
      pressInHelp(key, scroll: scroll)
    case (.connection(let scroll), _): pressOnConnection(key, scroll: scroll)
    case (.frames(let frames), _): pressOnFrames(key, frames, &turn)
    case (.results, _), (.links, _), (.details, _), (.themes, _), (nil, _): break
    }
  }

  /// What the pages about the line are drawn from; only where one is open.
  func lineFacts() -> LineFacts? {
    switch view.overlay {
    case .connection, .frames:
      LineFacts(
        record: record, frames: session.frames, secrets: session.recordedSecrets,
        compression: session.compression, attemptLimit: attemptLimit)
    case .help, .bindings, .settings, .results, .links, .details, .themes, nil: nil
    }
  }

  /// The rows of a page, its head among them.
  private var pageRows: Int { max(2, view.pageHeight(width: width, height: height)) }

  private static func isLeaving(_ key: Key) -> Bool {
    switch key {
    case .escape, .control("c"), .character("q"), .character("Q"): true
    default: false
    }
  }

  /// Where a key scrolls a page to, beginning at a row; nil where it does not scroll. The caller knows the end.
  private func scrolled(_ key: Key, from scroll: Int) -> Int? {
    switch key {
    case .up, .control("p"): scroll - 1
    case .down, .control("n"): scroll + 1
    case .wheelUp: scroll - 3
    case .wheelDown: scroll + 3
    case .pageUp: scroll - (pageRows - 1)
    case .pageDown, .character(" "): scroll + pageRows - 1
    case .home, .alt("<"): 0
    case .end, .alt(">"): Self.mostPageRows
    default: nil
    }
  }

  private mutating func pressInHelp(_ key: Key, scroll: Int) {
    if Self.isLeaving(key) || key == .enter || key == .function(1) {
      view.overlay = nil
    } else if let next = scrolled(key, from: scroll) {
      let last = lastHelpScroll(view, theme: theme, width: width, height: height)
      let scroll = min(max(0, next), last)
      switch view.overlay {
      case .help(let topic, _): view.overlay = .help(topic: topic, scroll: scroll)
      case .settings(let group, _): view.overlay = .settings(group: group, scroll: scroll)
      default: view.overlay = .bindings(scroll: scroll)
      }
    }
  }

  private mutating func pressOnConnection(_ key: Key, scroll: Int) {
    if Self.isLeaving(key) || key == .enter || key == .function(2) {
      view.overlay = nil
    } else if let next = scrolled(key, from: scroll), let facts = lineFacts() {
      let last = lastConnectionScroll(
        room, view, facts: facts, theme: theme, clock: pageClock, width: width, height: height)
      view.overlay = .connection(scroll: min(max(0, next), last))
    }
  }

  /// Times on a page take as many rows at any moment.
  private var pageClock: Clock {
    Clock(now: lastInput, wall: lastWall, offset: offset)
  }

  // MARK: - Frames

  private mutating func pressOnFrames(_ key: Key, _ old: FramesView, _ turn: inout Turn) {
    guard !pressInFilePrompt(key, &turn) else { return }
    var frames = old
    frames.completion = nil
    frames.message = nil
    if let prompt = frames.prompt {
      answer(prompt, key, &frames, &turn)
    } else if frames.details != nil {
      pressOnDetails(key, &frames)
    } else if Self.isLeaving(key) || key == .function(3) {
      view.overlay = nil
      return
    } else {
      pressOnList(key, &frames)
    }
    view.overlay = .frames(frames)
  }

  private func pressOnList(_ key: Key, _ frames: inout FramesView) {
    let kept = frames.record(ofFrames: session.frames)
    switch key {
    case .enter: frames.openDetails(session.frames)
    case .character(" "): frames.togglePause(session.frames)
    case .character("/"):
      frames.prompt = .filter
      frames.editor = LineEditor()
      frames.editor.setText(frames.text)
    case .character("d"):
      frames.direction =
        frames.direction == nil ? .received : frames.direction == .received ? .sent : nil
    case .character("o"):
      let kinds = FramesView.Kind.allCases
      let index = kinds.firstIndex(of: frames.kind) ?? 0
      frames.kind = kinds[(index + 1) % kinds.count]
    case .character("x"):
      frames.text = ""
      frames.direction = nil
      frames.kind = .all
    case .character("s"):
      frames.prompt = .save
      frames.editor = LineEditor()
      frames.editor.setText("frames.ndjson")
    case .end, .alt(">"), .character("f"):
      frames.selected = frames.frozen == nil ? nil : kept.numbers.last
    default:
      // A page leaves one row of the last.
      guard let rows = scrolled(key, from: 0) else { return }
      frames.move(by: key == .home || key == .alt("<") ? -Self.mostPageRows : rows, in: kept)
    }
  }

  private func pressOnDetails(_ key: Key, _ frames: inout FramesView) {
    let kept = frames.record(ofFrames: session.frames)
    switch key {
    case .left: frames.move(by: -1, in: kept)
    case .right: frames.move(by: 1, in: kept)
    case _ where Self.isLeaving(key) || key == .enter: frames.closeDetails()
    default:
      guard let scroll = frames.details, let next = scrolled(key, from: scroll) else { return }
      let facts = LineFacts(frames: session.frames, secrets: session.recordedSecrets)
      let last = FramesPage(facts: facts, view: frames, theme: theme, clock: pageClock)
        .lastScroll(width: width, rows: pageRows)
      frames.details = min(max(0, next), last)
    }
  }

  private func answer(
    _ prompt: FramesView.Prompt, _ key: Key, _ frames: inout FramesView, _ turn: inout Turn
  ) {
    switch key {
    case .escape, .control("c"): frames.prompt = nil
    case .enter:
      frames.prompt = nil
      let text = frames.editor.text
      switch prompt {
      case .filter: frames.text = text
      case .save:
        guard !text.allSatisfy(\.isWhitespace) else { return }
        let facts = LineFacts(frames: session.frames, secrets: session.recordedSecrets)
        let page = FramesPage(facts: facts, view: frames, theme: theme, clock: pageClock)
        turn.effects.append(.save(page.saved(), path: text))
      }
    case .altEnter, .control("j"), .up, .down: break
    case .paste(let text):
      _ = frames.editor.handle(.paste(text.replacing("\n", with: " ")))
    default: _ = frames.editor.handle(key)
    }
  }

  /// What became of saving.
  mutating func tellOfSaving(
    _ sentence: String, _ turn: inout Turn, _ entropy: inout Entropy, isError: Bool
  ) {
    if case .frames(var frames) = view.overlay {
      frames.message = sentence
      view.overlay = .frames(frames)
    } else {
      tell(.notice(UntrustedText(sentence), isError: isError), &turn, &entropy)
    }
  }
}

extension FramesView {
  fileprivate func record(ofFrames frames: FrameRecord) -> FrameRecord { frozen ?? frames }
}
