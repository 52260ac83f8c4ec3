import Channel
import Room
import Screen
import Text
import WebSocket

/// Changing what was said, and answering it.
extension Program {
  /// What the line can do, for the room to know; a line that is down is taken for the one that was there last.
  mutating func noteAbilities() {
    if case .online = session.state { room.abilities = session.abilities }
  }

  // MARK: - In the input

  mutating func compose(_ target: ComposeTarget) {
    endComposing()
    guard let compose = Compose(target, in: room, draft: view.editor.text) else { return }
    view.selection = nil
    view.compose = compose
    guard target.kind == .edit, let text = room.entry(id: target.id)?.message?.text.raw else {
      return
    }
    view.editor.setText(Self.asEntered(text))
  }

  /// A slash at its beginning would be taken for a command.
  private static func asEntered(_ text: String) -> String {
    text.hasPrefix("/") ? "/" + text : text
  }

  /// What was refused is in the input again. Where something else is written there, an edit is among the lines that Up
  /// brings back, and an answer stays where messages that failed are.
  mutating func composeAgain(
    _ target: ComposeTarget, _ text: String, nonce: String?, _ turn: inout Turn,
    _ entropy: inout Entropy
  ) {
    let line = Self.asEntered(text)
    let isFree =
      view.editor.isEmpty && view.compose == nil && view.pasteQuestion == nil
      && view.historySearch == nil && view.search == nil && view.selection == nil
    if isFree, let compose = Compose(target, in: room, draft: "") {
      view.compose = compose
      view.editor.setText(line)
      guard let nonce else {
        return say("It is in the input again: Enter sends it, Esc leaves it.", &turn, &entropy)
      }
      let reason = room.refusalOfPost(nonce: nonce).map { " (\($0))" } ?? ""
      tell(.drop(nonce: nonce), &turn, &entropy)
      say(
        "The answer was refused\(reason) and is in the input again: Enter sends it, Esc leaves it.",
        isError: true, &turn, &entropy)
    } else if nonce == nil {
      view.editor.remember(line)
      if history.isOn { history.entered.append(line) }
      say("Its text is among the lines that were entered: Up brings it back.", &turn, &entropy)
    }
  }

  /// What was typed before is there again.
  mutating func endComposing() {
    guard let compose = view.compose else { return }
    view.compose = nil
    if compose.target.kind == .edit { view.editor.setText(compose.draft) }
  }

  /// A line that was entered while the input was about a message. False where it is for the room.
  mutating func takesComposed(
    _ text: String, _ turn: inout Turn, _ entropy: inout Entropy
  ) -> Bool {
    guard let compose = view.compose else { return false }
    guard !text.isEmpty, case .message(let words) = SlashCommand.read(text) else {
      endComposing()
      return text.isEmpty
    }
    let act: MessageAct =
      switch compose.target.kind {
      case .edit: .edit(id: compose.target.id, text: words)
      case .reply: .reply(id: compose.target.id, text: words)
      }
    let commands = handle(.act(act), turn, &entropy)
    if commands.contains(where: { if case .restoreInput = $0 { true } else { false } }) {
      // It is still about that message, and what was typed before still waits behind it.
      view.editor.setText(text)
      return true
    }
    endComposing()
    if compose.target.kind == .reply, history.isOn { history.entered.append(text) }
    obey(commands, &turn, &entropy)
    return true
  }

  /// `/react :tada:` with the emoji that is meant.
  static func withEmoji(_ text: String) -> String {
    guard case .command(.react(let name)) = SlashCommand.read(text) else { return text }
    return "/react " + EmojiNames.emoji(for: name)
  }

  // MARK: - Of a chosen message

  /// The chosen message where that can be done with it; else it is said why not.
  private mutating func selected(
    for ability: MessageAbilities, own: Bool = false
  ) -> ChatMessage? {
    guard let message = selectedMessage else {
      say("only what has arrived can be changed or answered")
      return nil
    }
    guard !message.isDeleted else {
      say("this message was deleted")
      return nil
    }
    guard !own || room.isOwn(message) else {
      say("only your own messages can be changed")
      return nil
    }
    noteAbilities()
    guard room.abilities.contains(ability) else {
      say(room.refusal(of: ability))
      return nil
    }
    return message
  }

  mutating func answerSelected() {
    guard let message = selected(for: .reply) else { return }
    view.scrollToEnd()
    compose(ComposeTarget(.reply, id: message.id))
  }

  mutating func editSelected() {
    guard let message = selected(for: .edit, own: true) else { return }
    compose(ComposeTarget(.edit, id: message.id))
  }

  mutating func askDeletion() {
    guard let message = selected(for: .delete, own: true) else { return }
    view.selection?.isDeleting = true
    say("delete “\(RoomModel.beginning(of: message))” for everybody? y deletes it")
  }

  mutating func answerDeletion(_ key: Key, _ turn: inout Turn, _ entropy: inout Entropy) {
    view.selection?.isDeleting = false
    guard key == .character("y") || key == .character("Y") else { return say("it stays") }
    guard let message = selectedMessage else { return say("this message is gone") }
    view.selection?.said = nil
    tell(.act(.delete(id: message.id)), &turn, &entropy)
  }

  mutating func askEmoji() {
    guard selected(for: .react) != nil else { return }
    view.selection?.emoji = LineEditor()
  }

  mutating func pressInEmoji(_ key: Key, _ turn: inout Turn, _ entropy: inout Entropy) {
    guard !pressInEmojiPrompt(key), var editor = view.selection?.emoji else { return }
    switch key {
    case .escape, .control("c"), .control("g"): view.selection?.emoji = nil
    case .enter:
      view.selection?.emoji = nil
      guard let message = selectedMessage, !editor.isEmpty else { return }
      let command = SlashCommand.read("/react " + editor.text)
      guard case .command(.react(let name)) = command else {
        return say("“\(UntrustedText(editor.text).safe(for: .line, limit: 40))” is no emoji")
      }
      let emoji = EmojiNames.emoji(for: name)
      tell(.act(.react(id: message.id, emoji: emoji)), &turn, &entropy)
    case .up, .down, .altEnter, .control("j"), .tab, .backTab: break
    default:
      _ = editor.handle(key)
      view.selection?.emoji = editor
    }
  }

  /// To the message that the chosen one answers.
  mutating func goToAnswered() {
    guard let id = selectedMessage?.marks.replyTo else { return say("it answers no message") }
    guard let entry = room.entry(id: id) else {
      return say("the message that it answers is not here any more: scroll up to it")
    }
    view.selection?.target = .entry(entry.serial)
    view.selection?.said = nil
    revealSelection()
  }
}
