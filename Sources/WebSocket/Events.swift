extension WebSocketMachine {
  /// What one `receive` brought, in order.
  ///
  /// Nearly all of it is messages that lie whole in the received bytes. Those are kept as plain numbers, so
  /// that thousands of them cost neither an allocation nor a reference count each. They become an `Event`
  /// where they are looked at, and the accessors are inlined into the caller for the same reason.
  package struct Events: Sequence, Sendable {
    @usableFromInline package struct Record: BitwiseCopyable, Sendable {
      /// Where the message begins in the received bytes, or which of the others it is.
      @usableFromInline package var start: Int
      /// The message's size, or a mark.
      @usableFromInline package var count: Int32
      @usableFromInline package var kind: Kind

      @usableFromInline package enum Kind: UInt8, BitwiseCopyable, Sendable {
        case text, binary, other
      }

      @inlinable package var range: Range<Int> {
        Range(uncheckedBounds: (start, start &+ Int(count)))
      }

      init(start: Int, count: Int32, kind: Kind) {
        self.start = start
        self.count = count
        self.kind = kind
      }
    }

    @usableFromInline package var records: [Record] = []
    @usableFromInline package var others: [Event] = []

    package struct Iterator: IteratorProtocol {
      @usableFromInline package let events: Events
      @usableFromInline package var index = 0

      @inlinable package init(_ events: Events) {
        self.events = events
      }

      @inlinable @inline(__always) package mutating func next() -> Event? {
        guard index < events.records.count else { return nil }
        let record = events.records[index]
        index &+= 1
        switch record.kind {
        case .text: return .message(.text, .range(record.range))
        case .binary: return .message(.binary, .range(record.range))
        case .other: return events.others[record.start]
        }
      }
    }

    @inlinable package func makeIterator() -> Iterator { Iterator(self) }

    mutating func append(_ event: Event) {
      records.append(Record(start: others.count, count: 0, kind: .other))
      others.append(event)
    }

    /// The memory stays, for the next turn.
    mutating func removeAll() {
      records.removeAll(keepingCapacity: true)
      if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    }
  }
}
