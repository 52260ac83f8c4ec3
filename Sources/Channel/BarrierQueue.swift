/// Posts of a dialect without answers, and the ping that proves their arrival: a peer that answers a ping
/// has read everything that was written before it (RFC 6455 section 5.5.3, and TCP keeps the order).
struct BarrierQueue: Sendable {
  private var isUnderWay = false
  /// Written before the barrier that is under way.
  private var covered: [String] = []
  /// Written after it: they need another one.
  private var uncovered: [String] = []

  /// What the post needs besides being written.
  mutating func posted(_ nonce: String) -> [DialectOutput] {
    guard !isUnderWay else {
      uncovered.append(nonce)
      return []
    }
    isUnderWay = true
    covered.append(nonce)
    return [.barrier]
  }

  mutating func barrierPassed() -> [DialectOutput] {
    guard isUnderWay else { return [] }
    var outputs = covered.map { DialectOutput.sent(nonce: $0, nil) }
    covered = uncovered
    uncovered = []
    isUnderWay = !covered.isEmpty
    if isUnderWay { outputs.append(.barrier) }
    return outputs
  }

  /// The post was confirmed or refused in another way. False where it was not in the queue.
  mutating func settle(_ nonce: String) -> Bool {
    let before = covered.count + uncovered.count
    covered.removeAll { $0 == nonce }
    uncovered.removeAll { $0 == nonce }
    return covered.count + uncovered.count < before
  }

  /// Everything that is not confirmed, in the order of posting; the queue is empty then.
  mutating func takeAll() -> [String] {
    defer { self = BarrierQueue() }
    return covered + uncovered
  }
}
