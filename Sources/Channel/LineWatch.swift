/// Looks on while a line sends and receives, for the record of its frames.
struct LineWatch: Sendable {
  private var incoming: FrameSkimmer
  private var outgoing: FrameSkimmer
  /// What the messages say that are about to leave compressed: their beginnings, and how long they are.
  private var texts: [(beginning: [UInt8], length: Int)] = []

  init(_ link: LinkID, isCompressed: Bool) {
    incoming = FrameSkimmer(.received, line: link.number, isCompressed: isCompressed)
    outgoing = FrameSkimmer(.sent, line: link.number, isCompressed: isCompressed)
  }

  mutating func received(_ bytes: RawSpan, into record: inout FrameRecord, at now: Instant) {
    bytes.withUnsafeBytes { incoming.skim($0, into: &record, at: now) }
  }

  /// The bytes of the next message that came.
  mutating func restored(_ bytes: RawSpan, into record: inout FrameRecord) {
    guard incoming.isCompressed else { return }
    incoming.restored(bytes, length: bytes.byteCount, into: &record)
  }

  /// A message is handed to the machine, which may compress it.
  mutating func willSend(_ bytes: RawSpan) {
    guard outgoing.isCompressed else { return }
    let beginning = bytes.extracting(first: min(bytes.byteCount, FrameRecord.mostPayload))
    texts.append((beginning.withUnsafeBytes { Array($0) }, bytes.byteCount))
  }

  /// What the machine made of everything since the last time.
  mutating func sent(_ bytes: RawSpan, into record: inout FrameRecord, at now: Instant) {
    bytes.withUnsafeBytes { outgoing.skim($0, into: &record, at: now) }
    for text in texts {
      outgoing.restored(text.beginning.span.bytes, length: text.length, into: &record)
    }
    texts.removeAll(keepingCapacity: true)
  }
}

extension Session {
  /// Keeps a head of the upgrade, or a piece of one, and what is secret in it.
  mutating func record(
    head bytes: RawSpan, _ direction: FrameRecord.Direction, of link: LinkID, at now: Instant
  ) {
    guard configuration.recordsFrames else { return }
    frames.note(head: bytes, direction, line: link.number, at: now)
    let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    for field in FrameText.fields(ofHead: text)
    where field.value.utf8.count >= CookieJar.shortestSecret {
      recordedSecrets.add(field: field.name, field.value)
    }
  }
}
