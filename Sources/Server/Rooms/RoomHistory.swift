/// The messages of one room, the oldest dropped first. Numbers grow along it.
struct RoomHistory: Sendable {
  private var messages: [StoredMessage] = []
  /// Where the kept messages begin: dropping one is no move of all.
  private var head = 0
  private var posts: [String: Int] = [:]
  private(set) var size = 0
  private var lastSeq = 0

  var kept: ArraySlice<StoredMessage> { messages[head...] }
  var nextSeq: Int { lastSeq + 1 }

  mutating func append(_ message: StoredMessage) {
    messages.append(message)
    lastSeq = message.seq
    size += message.size
    if let clientId = message.clientId, !clientId.isEmpty {
      posts[clientId] = message.number
    }
  }

  /// Drops the oldest messages until no more than `count` and `bytes` are left; the newest always stays.
  mutating func trim(to count: Int, bytes: Int) {
    while kept.count > 1, kept.count > count || size > bytes { dropOldest() }
  }

  private mutating func dropOldest() {
    guard head < messages.count else { return }
    let message = messages[head]
    size -= message.size
    head += 1
    if let clientId = message.clientId, posts[clientId] == message.number {
      posts[clientId] = nil
    }
    if head > 64, head * 2 > messages.count {
      messages.removeFirst(head)
      head = 0
    }
  }

  /// The message that a client's post became, for a repeat. An empty id is none.
  func message(ofPost clientId: String) -> StoredMessage? {
    guard !clientId.isEmpty, let number = posts[clientId] else { return nil }
    return position(of: number).map { messages[$0] }
  }

  /// The message of that number; nil where the room does not hold it.
  func message(_ number: Int) -> StoredMessage? {
    position(of: number).map { messages[$0] }
  }

  /// Puts another form of a message in its place.
  mutating func replace(_ message: StoredMessage) {
    guard let position = position(of: message.number) else { return }
    size += message.size - messages[position].size
    messages[position] = message
  }

  /// What follows the message of that number; nil where the room does not hold it.
  func after(_ number: Int) -> ArraySlice<StoredMessage>? {
    position(of: number).map { messages[($0 + 1)...] }
  }

  private func position(of number: Int) -> Int? {
    var (low, high) = (head, messages.count)
    while low < high {
      let middle = low + (high - low) / 2
      if messages[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < messages.count && messages[low].number == number ? low : nil
  }
}
