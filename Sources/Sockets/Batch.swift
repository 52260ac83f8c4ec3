import FoundationEssentials
import WebSocket

/// Events on their way to the consumer, in order.
///
/// Nearly all of them are short messages: those are kept as plain numbers into one piece of memory, and
/// become values where the consumer takes them, on its own thread.
struct Batch: Sendable {
  struct Entry: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
      case text, binary, other
    }

    /// Where the message begins in `bytes`, or which of the others it is.
    var start: Int
    var count: Int
    var kind: Kind
  }

  enum Other: Sendable {
    /// A message in memory of its own.
    case message(MessageKind, [UInt8])
    case event(ResilientEvent)
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var others: [Other] = []
  /// Bytes of memory that the messages take up.
  private(set) var cost = 0

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// Takes over memory that messages lie in; gives what has to be added to their places there.
  mutating func append(memory: UnsafeRawBufferPointer) -> Int {
    let base = bytes.count
    bytes.append(contentsOf: memory)
    cost += memory.count
    return base
  }

  /// A message that lies in the memory.
  mutating func append(_ kind: MessageKind, at range: Range<Int>) {
    entries.append(
      Entry(
        start: range.lowerBound, count: range.count, kind: kind == .text ? .text : .binary))
  }

  mutating func append(_ kind: MessageKind, _ message: [UInt8]) {
    cost += message.count
    append(.message(kind, message))
  }

  mutating func append(_ event: ResilientEvent) {
    append(.event(event))
  }

  private mutating func append(_ other: Other) {
    entries.append(Entry(start: others.count, count: 0, kind: .other))
    others.append(other)
  }

  mutating func append(_ later: Batch) {
    let base = bytes.count
    let index = others.count
    bytes.append(contentsOf: later.bytes)
    others.append(contentsOf: later.others)
    cost += later.cost
    for var entry in later.entries {
      entry.start += entry.kind == .other ? index : base
      entries.append(entry)
    }
  }

  /// Empties the batch and keeps its memory for the next, unless that is large.
  mutating func removeAll() {
    guard bytes.capacity <= 1 << 20 else {
      self = Batch()
      return
    }
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    cost = 0
  }

  func event(at index: Int) -> ResilientEvent {
    let entry = entries[index]
    switch entry.kind {
    case .text: return .text(withBytes(of: entry) { String(decoding: $0, as: UTF8.self) })
    case .binary: return .binary(withBytes(of: entry) { Data($0) })
    case .other: break
    }
    switch others[entry.start] {
    case .message(.text, let bytes): return .text(String(decoding: bytes, as: UTF8.self))
    case .message(.binary, let bytes): return .binary(Data(bytes))
    case .event(let event): return event
    }
  }

  private func withBytes<R>(of entry: Entry, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[entry.start..<(entry.start + entry.count)]))
    }
  }
}
