import CSimdjson

/// Checks UTF-8 that comes in pieces (RFC 3629), and fails at the first byte that no valid text could
/// have there, without waiting for the end of its sequence.
///
/// Long runs are handed to simdjson, which needs whole characters, and short runs of ASCII are passed over
/// a word at a time. What is left, such as a character that is cut, goes through an automaton whose states are shift counts: the entry of a byte holds, at each state's own place, the state that
/// follows. So a step is a load and a shift, without a branch that mixed text would mispredict.
struct UTF8Validator: Sendable {
  private var state = State.border

  /// Places in an entry, six bits each. Zero is the place of no return: it leads to itself by every
  /// byte, as do all the places that `entries` leaves empty.
  private enum State {
    static let error: UInt64 = 0
    /// Between characters.
    static let border: UInt64 = 6
    /// One, two, three continuation bytes are to come.
    static let one: UInt64 = 12
    static let two: UInt64 = 18
    static let three: UInt64 = 24
    /// Behind leads whose next byte has narrower bounds.
    static let e0: UInt64 = 30
    static let ed: UInt64 = 36
    static let f0: UInt64 = 42
    static let f4: UInt64 = 48
  }

  /// Which bytes lead from where to where (Unicode Standard, table 3-7).
  private static let entries: [UInt64] = {
    let steps: [(bytes: ClosedRange<Int>, from: UInt64, to: UInt64)] = [
      (0x00...0x7F, State.border, State.border), (0xC2...0xDF, State.border, State.one),
      (0xE0...0xE0, State.border, State.e0), (0xE1...0xEC, State.border, State.two),
      (0xED...0xED, State.border, State.ed), (0xEE...0xEF, State.border, State.two),
      (0xF0...0xF0, State.border, State.f0), (0xF1...0xF3, State.border, State.three),
      (0xF4...0xF4, State.border, State.f4), (0x80...0xBF, State.one, State.border),
      (0x80...0xBF, State.two, State.one), (0x80...0xBF, State.three, State.two),
      (0xA0...0xBF, State.e0, State.one), (0x80...0x9F, State.ed, State.one),
      (0x90...0xBF, State.f0, State.two), (0x80...0x8F, State.f4, State.two),
    ]
    var entries = [UInt64](repeating: 0, count: 256)
    for step in steps {
      for byte in step.bytes { entries[byte] |= step.to << step.from }
    }
    return entries
  }()

  /// From this size on a call of simdjson is cheaper than a look of our own.
  static let longRun = 256

  /// Whether the text may end here.
  var isAtBorder: Bool { state == State.border }

  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    return isValid(start, count: bytes.count)
  }

  /// Short texts are ASCII, as a rule: that they are is seen without a call.
  @inline(__always) static func isValid(_ start: UnsafeRawPointer, count: Int) -> Bool {
    (count < longRun && isASCII(start, count: count)) || isWhole(start, count: count)
  }

  private static func isWhole(_ start: UnsafeRawPointer, count: Int) -> Bool {
    parlour_utf8_is_valid(start.assumingMemoryBound(to: UInt8.self), count)
  }

  /// The last load reaches back over bytes that were seen already, so that no loop over single bytes is
  /// needed.
  @inline(__always) private static func isASCII(_ start: UnsafeRawPointer, count: Int) -> Bool {
    if count >= 16 {
      var seen = start.loadUnaligned(fromByteOffset: count &- 16, as: SIMD2<UInt64>.self)
      var index = 0
      while index < count &- 16 {
        seen |= start.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
        index &+= 16
      }
      return (seen[0] | seen[1]) & 0x8080_8080_8080_8080 == 0
    }
    if count >= 8 {
      let seen =
        start.loadUnaligned(as: UInt64.self)
        | start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      return seen & 0x8080_8080_8080_8080 == 0
    }
    var seen: UInt8 = 0
    for index in 0..<count { seen |= start.load(fromByteOffset: index, as: UInt8.self) }
    return seen < 0x80
  }

  /// False as soon as the text cannot be valid any more; it stays so.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return state != State.error }
    var index = 0
    if bytes.count >= Self.longRun {
      // The rest of a character that began before, then all whole characters at once.
      index = Self.continuations(start)
      step(start, from: 0, to: index)
      let end = Self.lastBorder(start, count: bytes.count)
      if isAtBorder, index < end {
        guard Self.isWhole(start + index, count: end - index) else {
          state = State.error
          return false
        }
        index = end
      }
    } else if isAtBorder {
      index = Self.skipASCII(start, from: 0, to: bytes.count)
    }
    step(start, from: index, to: bytes.count)
    return state != State.error
  }

  /// How many continuation bytes there are at the beginning, as far as a character can have them.
  private static func continuations(_ start: UnsafeRawPointer) -> Int {
    (0..<3).first { start.load(fromByteOffset: $0, as: UInt8.self) & 0xC0 != 0x80 } ?? 3
  }

  /// Where the last character begins, if it is one of several bytes and may be cut, else the end.
  private static func lastBorder(_ start: UnsafeRawPointer, count: Int) -> Int {
    for back in 1...3 {
      let byte = start.load(fromByteOffset: count - back, as: UInt8.self)
      if byte >= 0xC0 { return count - back }
      if byte < 0x80 { break }
    }
    return count
  }

  private mutating func step(_ start: UnsafeRawPointer, from index: Int, to end: Int) {
    guard index < end, state != State.error else { return }
    state = Self.entries.withUnsafeBufferPointer { entries in
      Self.run(start, from: index, to: end, state: state, entries: entries)
    }
  }

  private static func run(
    _ start: UnsafeRawPointer, from index: Int, to end: Int, state: UInt64,
    entries: UnsafeBufferPointer<UInt64>
  ) -> UInt64 {
    guard let table = entries.baseAddress else { return State.error }
    var index = index
    var state = state
    while index < end {
      // ASCII is looked for again, and an error seen, only once in so many bytes.
      let pause = min(index &+ 16, end)
      while index < pause {
        let byte = start.load(fromByteOffset: index, as: UInt8.self)
        state = table[Int(byte)] &>> state & 63
        index &+= 1
      }
      if state == State.error { return state }
      if state == State.border { index = skipASCII(start, from: index, to: end) }
    }
    return state
  }

  /// The index of the first byte from `index` on that is not ASCII, or `end`.
  private static func skipASCII(
    _ start: UnsafeRawPointer, from index: Int, to end: Int
  ) -> Int {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    var index = index
    while index &+ 32 <= end {
      let first = start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let second = start.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
      let third = start.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
      let fourth = start.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
      guard (first | second | third | fourth) & highBits == 0 else { break }
      index &+= 32
    }
    while index &+ 8 <= end {
      let word = start.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      let marked = word & highBits
      guard marked == 0 else { return index &+ marked.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end, start.load(fromByteOffset: index, as: UInt8.self) < 0x80 { index &+= 1 }
    return index
  }
}
