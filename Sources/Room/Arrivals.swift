import Channel
import Text
import WebSocket

/// Messages that come in, and what becomes of those that went out.
extension RoomModel {
  /// Puts messages in their place, each once, and rings for a mention.
  mutating func merge(
    _ messages: [ChatMessage], _ origin: MessageOrigin, wall: Timestamp
  ) -> [RoomCommand] {
    if origin == .earlier {
      takeEarlier(messages, wall: wall)
      return []
    }
    let others = messages.compactMap { recognise(early.latest(of: distinct($0)), wall: wall) }
    let fresh = timeline.merge(
      others, isLive: origin == .live, seenAt: wall, serials: &serials)
    journal(fresh)
    if origin == .live || notices.isUp, !fresh.isEmpty { notices.interrupt() }
    let messages = fresh.compactMap(\.message)
    if origin == .live { for message in messages { message.author.map { typists.end($0) } } }
    guard origin != .history else { return [] }
    heard += messages.count { !$0.isMine }
    let mentions = messages.count(where: mentionsMe)
    heardMentions += mentions
    return origin == .live && mentions > 0 ? [.bell] : []
  }

  /// Nil where the message stands already: it is an own post that was answered before its echo came. An
  /// echo that comes first takes its post out of the outbox.
  private mutating func recognise(_ message: ChatMessage, wall: Timestamp) -> ChatMessage? {
    if message.nonce == nil, !message.isMine { return message }
    guard !timeline.contains(id: message.id) else { return nil }
    var message = message
    if let nonce = message.nonce {
      if !box.isEmpty, box.settle(nonce: nonce) != nil {
        message.isMine = true
        own.remember(nonce: nonce, standing(message))
        return message
      }
      guard let record = own[nonce] else { return message }
      complete(record, nonce: nonce, by: message, wall: wall)
      return nil
    }
    if let made = own.made(from: message.text.raw), let record = own[made.nonce] {
      complete(record, nonce: made.nonce, by: message, wall: wall)
      return nil
    }
    let text = message.text.raw
    if let item = box.items.first(where: {
      $0.state == .sending && $0.post.text == text && own[$0.post.nonce] == nil
    }) {
      var record = standing(message)
      record.isCertain = false
      own.remember(nonce: item.post.nonce, record)
    }
    return message
  }

  /// The server's form of a message takes the place of the one that was made here.
  private mutating func complete(
    _ record: OwnPosts.Record, nonce: String, by message: ChatMessage, wall: Timestamp
  ) {
    guard let serial = record.madeSerial else { return }
    var message = message
    message.isMine = true
    let made = timeline.entries.last { $0.serial == serial }?.message
    timeline.replace(serial: serial, with: .message(message), time: message.time ?? wall)
    journal(message, at: serial, insteadOf: made?.id ?? message.id, wall: wall)
    own.remember(nonce: nonce, standing(message))
  }

  /// Under an id of its own where another message has that id, as the store names it too: see `MessageTraits`.
  private func distinct(_ message: ChatMessage) -> ChatMessage {
    func isTaken(_ id: String) -> Bool {
      guard let there = timeline.entry(id: id)?.message else { return false }
      return MessageTraits(there).differ(from: MessageTraits(message))
    }
    guard isTaken(message.id) else { return message }
    var distinct = message
    for number in 2...1_000 {
      distinct.id = "\(message.id)~\(number)"
      if !isTaken(distinct.id) { return distinct }
    }
    return message
  }

  private func standing(_ message: ChatMessage) -> OwnPosts.Record {
    OwnPosts.Record(text: message.text.raw, madeSerial: nil, isCertain: true)
  }

  /// The server has a post: from the outbox into the timeline, unless its echo stands there.
  mutating func settle(_ nonce: String, _ answer: ChatMessage?, wall: Timestamp) {
    let item = box.settle(nonce: nonce)
    let record = own[nonce]
    if var message = answer.map(distinct) {
      guard !timeline.contains(id: message.id), record?.isCertain != true else { return }
      message.isMine = true
      message.nonce = message.nonce ?? nonce
      own.remember(nonce: nonce, standing(message))
      append(.message(message), time: message.time ?? wall)
    } else if let item, record == nil {
      var message = ChatMessage(
        id: Self.idOfMade(nonce), author: UntrustedText(nick), text: UntrustedText(item.post.text),
        nonce: nonce, isMine: true)
      message.marks.replyTo = item.post.replyTo
      let serial = append(.message(message), time: wall)
      own.remember(
        nonce: nonce,
        OwnPosts.Record(text: item.post.text, madeSerial: serial, isCertain: true))
    }
  }

  /// A message of a dialect without authors and ids; rings for a mention as any other.
  mutating func appendRaw(
    _ kind: MessageKind, _ bytes: [UInt8], wall: Timestamp
  ) -> [RoomCommand] {
    let text =
      switch kind {
      case .text: String(decoding: bytes, as: UTF8.self)
      case .binary: "(binary message of \(bytes.count) bytes)"
      }
    heard += 1
    rawCount += 1
    let message = ChatMessage(
      id: "raw \(wall.milliseconds) \(rawCount)", author: nil, text: UntrustedText(text))
    append(.message(message), time: wall)
    guard mentionsMe(message) else { return [] }
    heardMentions += 1
    return [.bell]
  }
}
