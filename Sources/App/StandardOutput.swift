/// What one turn prints on standard output is gathered, and leaves at its end.
struct StandardOutput {
  /// As much is gathered before it has to leave.
  private static let most = 64 << 10

  private var waiting: [UInt8] = []
  private var isOver = false

  var isFull: Bool { waiting.count >= Self.most }

  mutating func append(_ bytes: [UInt8]) {
    if !isOver { waiting += bytes }
  }

  /// Writes what was gathered. Returns the number of the error that makes it the last time; a signal makes it
  /// the last time too.
  mutating func flush() -> Int32? {
    guard !waiting.isEmpty, !isOver else { return nil }
    defer { waiting.removeAll(keepingCapacity: true) }
    switch waiting.withUnsafeBytes(Outlet.output.write) {
    case .done: return nil
    case .interrupted:
      isOver = true
      return nil
    case .failed(let errorNumber):
      isOver = true
      return errorNumber
    }
  }
}
