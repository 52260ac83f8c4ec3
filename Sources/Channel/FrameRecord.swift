/// The last frames of a chat's lines as they went over the wire, for the person who looks what was wrong.
///
/// It is kept all the time, so that the frames before a fault are there when somebody looks: a frame costs a copy
/// of the beginning of its payload into memory that was used before, and no allocation once the memory has grown.
/// What it holds is raw: see `Secrets` and `FrameText` before anything of it is shown.
package struct FrameRecord: Equatable, Sendable {
  package enum Direction: String, CaseIterable, Sendable {
    case received, sent
  }

  package struct Frame: Equatable, Sendable {
    /// From 1, over all lines.
    package var number = 0
    /// The number of the link that it went over.
    package var line = 0
    package var direction = Direction.received
    package var at = Instant()
    /// RFC 6455 section 5.2; nil for a head of the upgrade, which stands before the first frame of a line.
    package var opcode: UInt8?
    package var isFinal = true
    /// RSV1 to RSV3, from the left.
    package var reservedBits: UInt8 = 0
    /// Bytes of payload on the wire.
    package var length: UInt64 = 0
    /// Bytes of the whole message once it is restored; nil where it was not compressed or is not whole.
    package var restoredLength: Int?
    /// It belongs to a compressed message.
    package var isCompressed = false
    /// The beginning of the payload, unmasked; of a compressed message that of the restored one, at its last frame.
    package var payload: [UInt8] = []

    /// It holds a message that is not whole in it.
    package var isFragment: Bool {
      guard let opcode else { return false }
      return opcode == 0 || (!isFinal && opcode < 8)
    }

    /// There was more than is kept.
    package var isCut: Bool {
      if let restoredLength { return restoredLength > payload.count }
      return !isCompressed && length > UInt64(payload.count)
    }
  }

  /// What went in one direction since the start.
  package struct Count: Equatable, Sendable {
    package var frames = 0
    /// Whole messages of text or bytes.
    package var messages = 0
    /// Payload on the wire, compressed or not.
    package var payloadBytes: UInt64 = 0
    /// Of compressed messages: on the wire, and restored.
    package var compressedBytes: UInt64 = 0
    package var restoredBytes: UInt64 = 0
  }

  package static let capacity = 1_000
  /// How much of a payload is kept: at most 4 MiB in all.
  package static let mostPayload = 4_096

  package private(set) var received = Count()
  package private(set) var sent = Count()
  private var slots: [Frame] = []
  private var next = 1

  package init() {}

  /// The numbers of the frames that are kept.
  package var numbers: Range<Int> { next - slots.count..<next }

  package subscript(number: Int) -> Frame? {
    numbers.contains(number) ? slots[(number - 1) % Self.capacity] : nil
  }

  // MARK: - What the skimmer writes

  /// A frame begins, or a head of the upgrade was seen. Gives its number.
  mutating func begin(
    _ direction: Direction, line: Int, at now: Instant, _ head: FrameSkimmer.Head?,
    isCompressed: Bool = false
  ) -> Int {
    let number = next
    next += 1
    let index = (number - 1) % Self.capacity
    if index == slots.count { slots.append(Frame()) }
    Self.renew(&slots[index]) { frame in
      frame.number = number
      frame.line = line
      frame.direction = direction
      frame.at = now
      frame.opcode = head?.opcode
      frame.isFinal = head?.isFinal ?? true
      frame.reservedBits = head?.reservedBits ?? 0
      frame.length = head?.length ?? 0
      frame.isCompressed = isCompressed
      frame.restoredLength = nil
    }
    guard let head else { return number }
    count(direction) { count in
      count.frames += 1
      count.payloadBytes += head.length
      if head.isFinal, head.opcode < 8 { count.messages += 1 }
      if isCompressed { count.compressedBytes += head.length }
    }
    return number
  }

  /// More of a payload, unmasked.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to number: Int) {
    guard numbers.contains(number) else { return }
    Self.extend(&slots[(number - 1) % Self.capacity], by: bytes)
  }

  /// The same where it is masked: `offset` bytes of the payload came before.
  mutating func append(
    masked bytes: UnsafeRawBufferPointer, key: [UInt8], at offset: UInt64, to number: Int
  ) {
    guard numbers.contains(number) else { return }
    let index = (number - 1) % Self.capacity
    let room = Self.mostPayload - slots[index].payload.count
    guard room > 0 else { return }
    let start = Int(offset % 4)
    for (place, byte) in bytes.prefix(room).enumerated() {
      slots[index].payload.append(byte ^ key[(start + place) % 4])
    }
  }

  /// What the compressed message that ended in that frame says.
  mutating func restore(_ number: Int, _ bytes: RawSpan, length: Int) {
    let direction = self[number]?.direction ?? .received
    count(direction) { $0.restoredBytes += UInt64(length) }
    guard numbers.contains(number) else { return }
    let index = (number - 1) % Self.capacity
    slots[index].restoredLength = length
    bytes.withUnsafeBytes { Self.extend(&slots[index], by: $0) }
  }

  /// A head of the upgrade, or a piece of one.
  package mutating func note(
    head bytes: RawSpan, _ direction: Direction, line: Int, at now: Instant
  ) {
    let number = begin(direction, line: line, at: now, nil)
    let index = (number - 1) % Self.capacity
    slots[index].length = UInt64(bytes.byteCount)
    bytes.withUnsafeBytes { Self.extend(&slots[index], by: $0) }
  }

  private mutating func count(_ direction: Direction, _ change: (inout Count) -> Void) {
    switch direction {
    case .received: change(&received)
    case .sent: change(&sent)
    }
  }

  /// The memory of the frame that stood there is used again.
  private static func renew(_ frame: inout Frame, _ fill: (inout Frame) -> Void) {
    frame.payload.removeAll(keepingCapacity: true)
    fill(&frame)
  }

  private static func extend(_ frame: inout Frame, by bytes: UnsafeRawBufferPointer) {
    let room = mostPayload - frame.payload.count
    if room > 0 { frame.payload.append(contentsOf: bytes.prefix(room)) }
  }
}
