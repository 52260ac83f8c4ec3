package import Channel
import Text

/// What a person wants to become of a message, or an answer to one; by the id under which the message is known here.
package enum MessageAct: Equatable, Sendable {
  case edit(id: String, text: String)
  case delete(id: String)
  /// Puts an emoji to it, or takes it back.
  case react(id: String, emoji: String)
  case reply(id: String, text: String)
}

/// What is written in the input besides a new message.
package struct ComposeTarget: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case edit, reply
  }

  package var kind: Kind
  /// The id under which the message is known here.
  package var id: String

  package init(_ kind: Kind, id: String) {
    self.kind = kind
    self.id = id
  }
}

/// Messages in other forms: edited, deleted, reacted to.
extension RoomModel {
  /// Of messages that are not here the change is remembered for when they come, and kept for those on disk.
  mutating func apply(_ forms: [ChatMessage]) {
    for form in forms {
      if let entry = timeline.entry(id: form.id), let message = entry.message {
        change(entry, to: message.changed(by: form))
      } else {
        early.remember(form)
        if isKept { records.append(.changed(form, room: room)) }
      }
    }
  }

  /// The server has done a change. Without the message in its new form the change is made here as well.
  mutating func complete(_ change: MessageChange, _ form: ChatMessage?) {
    if let form { return apply([form]) }
    guard let entry = timeline.entry(id: change.id) else { return }
    self.change(entry, to: entry.message?.changed(by: change.kind, nick: nick))
  }

  private mutating func change(_ entry: TimelineEntry, to message: ChatMessage?) {
    guard let message else { return }
    timeline.replace(serial: entry.serial, with: .message(message), time: entry.time)
    if isKept { records.append(.changed(message, room: room)) }
  }

  /// The entry of the message with that id; nil where it is not here.
  package func entry(id: String) -> TimelineEntry? { timeline.entry(id: id) }

  /// The message is the person's own and can be changed.
  package func isOwn(_ message: ChatMessage) -> Bool {
    message.isMine && !message.isDeleted && message.id != message.nonce.map(Self.idOfMade)
  }

  // MARK: - What the person wants

  /// An act on a message that was chosen.
  mutating func perform(
    _ act: MessageAct, wall: Timestamp, nonce: () -> String
  ) -> [RoomCommand] {
    switch act {
    case .edit(let id, let text): return edit(id, to: text, entered: text, wall: wall)
    case .delete(let id):
      guard can(.delete, wall: wall) else { return [] }
      return [.change(MessageChange(id: id, .delete))]
    case .react(let id, let emoji):
      guard let message = timeline.entry(id: id)?.message else { return [] }
      return react(emoji, to: message, wall: wall)
    case .reply(let id, let text):
      guard can(.reply, wall: wall) else { return [.restoreInput(text)] }
      return post(text, entered: text, replyTo: id, wall: wall, nonce: nonce)
    }
  }

  /// An answer that the server refused is written anew where the input is free; else it waits as any other message.
  static func composingAgain(_ post: Post?) -> [RoomCommand] {
    guard let post, let target = post.replyTo else { return [] }
    return [
      .composeAgain(ComposeTarget(.reply, id: target), text: post.text, nonce: post.nonce)
    ]
  }

  mutating func reply(
    _ text: String?, entered: String, wall: Timestamp, nonce: () -> String
  ) -> [RoomCommand] {
    guard can(.reply, wall: wall) else { return [.restoreInput(entered)] }
    guard let target = lastMessage(where: { !$0.isMine && !$0.isDeleted }) else {
      note("Nobody else has said anything here that could be answered.", wall: wall)
      return text == nil ? [] : [.restoreInput(entered)]
    }
    guard let text else { return [.compose(ComposeTarget(.reply, id: target.id))] }
    return post(text, entered: entered, replyTo: target.id, wall: wall, nonce: nonce)
  }

  mutating func edit(_ text: String?, entered: String, wall: Timestamp) -> [RoomCommand] {
    guard can(.edit, wall: wall) else { return text == nil ? [] : [.restoreInput(entered)] }
    guard let target = lastOwn(wall: wall) else {
      return text == nil ? [] : [.restoreInput(entered)]
    }
    guard let text else { return [.compose(ComposeTarget(.edit, id: target.id))] }
    return edit(target.id, to: text, entered: entered, wall: wall)
  }

  private mutating func edit(
    _ id: String, to text: String, entered: String, wall: Timestamp
  ) -> [RoomCommand] {
    guard can(.edit, wall: wall) else { return [.restoreInput(entered)] }
    guard !text.allSatisfy(\.isWhitespace) else {
      note("There is nothing left of the message: /delete deletes it.", isError: true, wall: wall)
      return []
    }
    let size = text.utf8.count
    guard size <= Self.largestMessage else {
      note(
        "The edit was not sent: it has \(size) bytes, and at most \(Self.largestMessage) are allowed.",
        isError: true, wall: wall)
      return [.restoreInput(entered)]
    }
    guard timeline.entry(id: id)?.message?.text.raw != text else {
      note("The message says that already.", wall: wall)
      return []
    }
    return [.change(MessageChange(id: id, .edit(text)))]
  }

  /// `target` was shown just now; without it the person is asked first.
  mutating func delete(
    _ target: String?, isSure: Bool, wall: Timestamp
  ) -> [RoomCommand] {
    guard can(.delete, wall: wall) else { return [] }
    if let target { return [.change(MessageChange(id: target, .delete))] }
    guard let message = lastOwn(wall: wall) else { return [] }
    deletionAsked = message.id
    let sure = isSure ? "Nothing was deleted yet: " : ""
    note(
      "\(sure)/delete yes deletes “\(Self.beginning(of: message))” for everybody, for good.",
      wall: wall)
    return []
  }

  mutating func react(_ emoji: String, wall: Timestamp) -> [RoomCommand] {
    guard can(.react, wall: wall) else { return [] }
    guard let message = lastMessage(where: { !$0.isDeleted }) else {
      note("There is no message to react to.", wall: wall)
      return []
    }
    return react(emoji, to: message, wall: wall)
  }

  private mutating func react(
    _ emoji: String, to message: ChatMessage, wall: Timestamp
  ) -> [RoomCommand] {
    let isThere = message.marks.reactions.contains { $0.emoji.raw == emoji && $0.isBy(nick) }
    guard can(isThere ? .unreact : .react, wall: wall) else { return [] }
    return [.change(MessageChange(id: message.id, isThere ? .unreact(emoji) : .react(emoji)))]
  }

  private mutating func lastOwn(wall: Timestamp) -> ChatMessage? {
    let message = lastMessage(where: isOwn)
    if message == nil { note("There is no message of yours here to change.", wall: wall) }
    return message
  }

  /// The newest that fulfils a condition, of those that a person would call the last.
  private func lastMessage(where condition: (ChatMessage) -> Bool) -> ChatMessage? {
    timeline.entries.suffix(2_000).lazy.reversed().compactMap(\.message).first(where: condition)
  }

  /// Of its first line, without what hides in it.
  package static func beginning(of message: ChatMessage, most: Int = 40) -> String {
    let line = message.text.raw.prefix { !$0.isNewline }
    // What hides may be longer than what is shown.
    let safe = hidingSpoilers(of: UntrustedText(String(line.prefix(2_000))).safe(for: .line)) { _ in
      "[spoiler]"
    }
    let isWhole = safe.count <= most && line.utf8.count == message.text.raw.utf8.count
    return isWhole ? safe : safe.prefix(most) + "…"
  }

  /// False where it cannot be done now; that is said.
  package mutating func can(_ ability: MessageAbilities, wall: Timestamp) -> Bool {
    // An answer waits in the outbox for the line, as any message does.
    guard abilities.contains(ability), isReady || ability == .reply else {
      note(refusal(of: ability), isError: true, wall: wall)
      return false
    }
    return true
  }

  /// Why something cannot be done with a message now.
  package func refusal(of ability: MessageAbilities) -> String {
    let what: String
    switch ability {
    case .edit: what = "edited"
    case .delete: what = "deleted"
    case .reply: what = "answered"
    case .react: what = "reacted to"
    default: what = "freed of a reaction"
    }
    guard isReady else { return "Messages are \(what) on line only: /connect opens the line." }
    switch dialect {
    case .plain:
      return
        "Messages cannot be \(what) here: the plain dialect of \(server) knows only their text."
    case .envelope:
      return "Messages cannot be \(what) here: \(server) has not said that it knows how."
    case .graphql:
      return
        "Messages cannot be \(what) here: the profile in use does not say how \(server) does that."
    }
  }
}
