/// Remembers which of the latest own posts stand in the timeline, so that the echo of a post and the
/// answer to it, which come in either order, make one entry.
struct OwnPosts: Equatable, Sendable {
  struct Record: Equatable, Sendable {
    var text: String
    /// The entry that was made here, as long as the server's own form of it has not been seen.
    var madeSerial: Int?
    /// False where the echo was recognised by its text alone, for want of a nonce.
    var isCertain: Bool
  }

  /// As many as may reasonably be answered late.
  private static let most = 256

  private var records: [String: Record] = [:]
  private var order: [String] = []

  subscript(nonce: String) -> Record? { records[nonce] }

  mutating func remember(nonce: String, _ record: Record) {
    if records.updateValue(record, forKey: nonce) == nil { order.append(nonce) }
    guard order.count > Self.most * 2 else { return }
    for old in order.prefix(Self.most) { records[old] = nil }
    order.removeFirst(Self.most)
  }

  /// The oldest entry made here from that text and not yet met by the server's form of it.
  func made(from text: String) -> (nonce: String, serial: Int)? {
    for nonce in order {
      if let record = records[nonce], let serial = record.madeSerial, record.text == text {
        return (nonce, serial)
      }
    }
    return nil
  }
}
