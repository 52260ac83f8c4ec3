import Screen
import Text

/// Completion of names where an emoji is asked for, with the keys of completion in the input.
extension Program {
  private static let mostNames = 100

  /// False where the key is to do what it does in the prompt.
  mutating func pressInEmojiPrompt(_ key: Key) -> Bool {
    let isForward = view.keys.binds(key, to: .complete) || key == .tab
    let isBackward = view.keys.binds(key, to: .completeBackward) || key == .backTab
    guard let completion = view.selection?.completion else {
      guard isForward || isBackward else { return false }
      offerEmoji(backward: isBackward)
      return true
    }
    switch key {
    case _ where isForward, .down: stepEmoji(by: 1)
    case _ where isBackward, .up: stepEmoji(by: -1)
    case .enter, .right: view.selection?.completion = nil
    case .escape, .control("g"):
      view.selection?.completion = nil
      view.selection?.emoji = completion.original
    default:
      view.selection?.completion = nil
      return false
    }
    return true
  }

  private mutating func stepEmoji(by distance: Int) {
    view.selection?.completion?.step(by: distance)
    if let completion = view.selection?.completion { view.selection?.emoji = completion.completed }
  }

  private mutating func offerEmoji(backward: Bool) {
    guard let editor = view.selection?.emoji else { return }
    let typed = String(Array(editor.text).prefix(editor.caret)).lowercased().drop { $0 == ":" }
    let candidates = EmojiNames.matching(String(typed), most: Self.mostNames).map {
      Candidate($0.emoji, label: "\($0.emoji) :\($0.name):")
    }
    guard
      let completion = Screen.Completion(
        candidates, in: editor, range: 0..<editor.caret, backward: backward)
    else { return }
    view.selection?.emoji = completion.completed
    view.selection?.completion = candidates.count > 1 ? completion : nil
  }
}
