/// The ids of the latest own messages that were printed.
struct PrintedIDs: Sendable {
  private static let most = 4_096
  private var ids: Set<String> = []
  private var order: [String] = []

  /// False where it is there already.
  mutating func insert(_ id: String) -> Bool {
    guard ids.insert(id).inserted else { return false }
    order.append(id)
    if order.count > Self.most * 2 {
      for old in order.prefix(Self.most) { ids.remove(old) }
      order.removeFirst(Self.most)
    }
    return true
  }
}
