package import Channel
package import Text

/// What was typed and is not yet known to have arrived, in the order of typing.
package struct OutboxItem: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Waits for the line or for its turn.
    case pending
    /// Handed to the line.
    case sending
    /// The line was lost on the way; nobody can know.
    case unsure
    case failed(UntrustedText)
  }

  package var post: Post
  package var state: State
  package var time: Timestamp

  package init(post: Post, state: State, time: Timestamp) {
    self.post = post
    self.state = state
    self.time = time
  }
}

/// Posts on their way, in the order in which they were entered. One after the other goes to the line: the
/// next one only when it is known what became of the one before, so that the order is kept even where
/// a server works on several at once.
package struct Outbox: Equatable, Sendable {
  package private(set) var items: [OutboxItem]
  /// UTF-8 bytes of all texts.
  package private(set) var bytes: Int

  package init(_ items: [OutboxItem] = []) {
    self.items = items
    bytes = items.reduce(0) { $0 + $1.post.text.utf8.count }
  }

  package var isEmpty: Bool { items.isEmpty }
  package var count: Int { items.count }

  /// Whether something waits for the line or is under way.
  package var isBusy: Bool {
    items.contains { $0.state == .pending || $0.state == .sending }
  }

  package mutating func add(_ post: Post, at time: Timestamp) {
    items.append(OutboxItem(post: post, state: .pending, time: time))
    bytes += post.text.utf8.count
  }

  /// What is to be handed to a line that is ready: the next post when none is under way, or all that wait
  /// where the dialect cannot mix up their order.
  package mutating func takeNext(allAtOnce: Bool) -> [Post] {
    var taken: [Post] = []
    for index in items.indices {
      switch items[index].state {
      case .pending:
        items[index].state = .sending
        taken.append(items[index].post)
        if !allAtOnce { return taken }
      case .sending:
        if !allAtOnce { return taken }
      case .unsure, .failed: continue
      }
    }
    return taken
  }

  /// The server has it: it leaves the outbox. Nil where it is not (or no longer) here.
  package mutating func settle(nonce: String) -> OutboxItem? {
    guard let index = index(of: nonce) else { return nil }
    return remove(at: index)
  }

  /// The line was lost and a repeat does no harm: it waits for its turn again.
  package mutating func putBack(nonce: String) {
    change(nonce, to: .pending)
  }

  /// Returns the item, so that it can be told.
  @discardableResult
  package mutating func markUnsure(nonce: String) -> OutboxItem? {
    change(nonce, to: .unsure)
  }

  @discardableResult
  package mutating func markFailed(nonce: String, reason: UntrustedText) -> OutboxItem? {
    change(nonce, to: .failed(reason))
  }

  /// A new line begins: whatever the old one did not answer for is unsure. Returns those items.
  @discardableResult
  package mutating func abandonSending() -> [OutboxItem] {
    var abandoned: [OutboxItem] = []
    for index in items.indices where items[index].state == .sending {
      items[index].state = .unsure
      abandoned.append(items[index])
    }
    return abandoned
  }

  /// Everything that failed or is unsure waits again, with the nonce it had: a server that knows nonces
  /// recognises the repeat. Returns how many.
  package mutating func resend() -> Int {
    var count = 0
    for index in items.indices where items[index].isStuck {
      items[index].state = .pending
      count += 1
    }
    return count
  }

  /// One that failed or is unsure waits again; false where it is none of these.
  package mutating func resend(nonce: String) -> Bool {
    guard let index = index(of: nonce), items[index].isStuck else { return false }
    items[index].state = .pending
    return true
  }

  /// Gives up one that is not under way; false where it is, or is gone.
  package mutating func drop(nonce: String) -> Bool {
    guard let index = index(of: nonce), items[index].state != .sending else { return false }
    _ = remove(at: index)
    return true
  }

  /// Gives up what failed or is unsure, with `all` also what still waits. What is under way stays.
  /// Returns how many.
  package mutating func drop(all: Bool) -> Int {
    let before = items.count
    items.removeAll { $0.isStuck || (all && $0.state == .pending) }
    bytes = items.reduce(0) { $0 + $1.post.text.utf8.count }
    return before - items.count
  }

  private func index(of nonce: String) -> Int? {
    items.firstIndex { $0.post.nonce == nonce }
  }

  private mutating func remove(at index: Int) -> OutboxItem {
    let item = items.remove(at: index)
    bytes -= item.post.text.utf8.count
    return item
  }

  @discardableResult
  private mutating func change(_ nonce: String, to state: OutboxItem.State) -> OutboxItem? {
    guard let index = index(of: nonce) else { return nil }
    items[index].state = state
    return items[index]
  }
}

extension RoomModel {
  /// Why the server did not take a post, made safe; nil where it has not refused it.
  package func refusalOfPost(nonce: String) -> String? {
    guard case .failed(let reason) = box.items.first(where: { $0.post.nonce == nonce })?.state
    else { return nil }
    return reason.safe(for: .line, limit: 200)
  }
}

extension OutboxItem {
  /// Failed or unsure: only the person can decide what becomes of it.
  package var isStuck: Bool {
    switch state {
    case .unsure, .failed: true
    case .pending, .sending: false
    }
  }
}
