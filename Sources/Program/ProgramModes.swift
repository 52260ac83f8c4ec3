import Screen
import WebSocket

/// What stands in the place of the input, or over it: a question about a paste, a search of the history, the
/// candidates of a completion. Each takes the keys that are its own.
extension Program {
  /// False where the key is to do what it does anywhere.
  mutating func pressInMode(
    _ key: Key, _ action: KeyAction?, _ turn: inout Turn, _ entropy: inout Entropy
  ) -> Bool {
    if view.pasteQuestion != nil { return answerPaste(key, action, &turn, &entropy) }
    if view.historySearch != nil { return pressInSearch(key, action) }
    if view.completion != nil { return pressInCompletion(key, action) }
    return false
  }

  // MARK: - A paste

  mutating func paste(_ text: String) {
    if let question = PasteQuestion(text, lines: view.settings.pasteLines) {
      view.pasteQuestion = question
    } else {
      _ = view.editor.paste(text)
    }
  }

  private mutating func answerPaste(
    _ key: Key, _ action: KeyAction?, _ turn: inout Turn, _ entropy: inout Entropy
  ) -> Bool {
    switch (key, action) {
    case (.enter, _), (.character("s"), _), (.character("S"), _):
      if let text = view.pasteQuestion?.text { _ = view.editor.paste(text) }
      view.pasteQuestion = nil
      if key != .enter { submit(view.editor.perform(.send), &turn, &entropy) }
      return true
    case (.escape, _), (.control("g"), _), (_, .program(.interrupt)):
      view.pasteQuestion = nil
      return true
    case (.paste(let more), _):
      view.pasteQuestion?.add(more)
      return true
    case (_, .program(.pageUp)), (_, .program(.pageDown)), (_, .program(.scrollUp)),
      (_, .program(.scrollDown)), (_, .program(.oldest)), (_, .program(.newest)):
      return false
    default: return true
    }
  }

  // MARK: - Searching the history

  mutating func searchHistory(backward: Bool) {
    guard !view.editor.history.isEmpty else { return }
    view.historySearch = HistorySearch(
      view.editor, earlier: lastHistoryPattern, isBackward: backward)
  }

  private mutating func pressInSearch(_ key: Key, _ action: KeyAction?) -> Bool {
    switch (key, action) {
    case (.character(let character), _): view.historySearch?.type(String(character))
    case (.paste(let text), _): view.historySearch?.type(typedText(from: text))
    case (_, .program(.searchHistory)): view.historySearch?.goOn(backward: true)
    case (_, .program(.searchHistoryForward)): view.historySearch?.goOn(backward: false)
    case (_, .editor(.deleteBackward)): view.historySearch?.deleteBackward()
    case (.escape, _), (.control("g"), _), (_, .program(.interrupt)): endSearch(accepts: false)
    case (.enter, _): endSearch(accepts: true)
    default:
      // Any other key takes what was found and goes on from there, as in readline.
      endSearch(accepts: true)
      return false
    }
    return true
  }

  private mutating func endSearch(accepts: Bool) {
    guard let search = view.historySearch else { return }
    if !search.pattern.isEmpty { lastHistoryPattern = search.pattern }
    view.editor = accepts ? search.accepted : search.original
    view.historySearch = nil
  }

  // MARK: - Candidates

  private mutating func pressInCompletion(_ key: Key, _ action: KeyAction?) -> Bool {
    switch (key, action) {
    case (_, .program(.complete)), (.down, _): stepCompletion(by: 1)
    case (_, .program(.completeBackward)), (.up, _): stepCompletion(by: -1)
    case (.enter, _), (.right, _): view.completion = nil
    case (.escape, _), (.control("g"), _):
      if let completion = view.completion { view.editor = completion.original }
      view.completion = nil
    default:
      view.completion = nil
      return false
    }
    return true
  }
}
