/// What the server does, held back by the latency, in order.
struct DelayedActions {
  private struct Entry {
    var due: Duration
    var action: ServerAction
    var id: ConnectionID
  }

  private let latency: Duration
  private var queue: [Entry] = []
  /// Cuts wait for nothing.
  private var urgent: [ServerAction] = []

  init(latency: Duration) {
    self.latency = max(.zero, latency)
  }

  var deadline: Duration? { urgent.isEmpty ? queue.first?.due : .zero }

  mutating func write(_ bytes: [UInt8], to id: ConnectionID, at now: Duration) {
    queue.append(Entry(due: now + latency, action: .write(id, bytes), id: id))
  }

  mutating func finish(_ id: ConnectionID, at now: Duration) {
    queue.append(Entry(due: now + latency, action: .finish(id), id: id))
  }

  /// Cuts a connection; what it had not been sent yet is lost.
  mutating func drop(_ id: ConnectionID) {
    forget(id)
    urgent.append(.drop(id))
  }

  mutating func forget(_ id: ConnectionID) {
    queue.removeAll { $0.id == id }
  }

  /// What is due. The clock of the caller never runs backwards, so the queue is in the order of time.
  mutating func take(at now: Duration) -> [ServerAction] {
    let count = queue.prefix { $0.due <= now }.count
    let actions = urgent + queue[..<count].map(\.action)
    urgent = []
    queue.removeFirst(count)
    return actions
  }

  /// Everything at once, for the end.
  mutating func takeAll() -> [ServerAction] {
    defer {
      urgent = []
      queue = []
    }
    return urgent + queue.map(\.action)
  }
}
