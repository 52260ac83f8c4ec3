import Channel

/// Frames put into a record as a line would, for tests of what shows them.
struct FrameSkimmerProbe {
  private var skimmer: FrameSkimmer

  init(_ direction: FrameRecord.Direction) {
    skimmer = FrameSkimmer(direction, line: 1, isCompressed: false)
  }

  /// An unmasked frame of less than 126 bytes, or of less than 65536.
  mutating func frame(
    _ first: UInt8, _ payload: String, at moment: Instant, _ record: inout FrameRecord
  ) {
    let bytes = Array(payload.utf8)
    let size = bytes.count
    let head =
      size < 126 ? [first, UInt8(size)] : [first, 126, UInt8(size >> 8), UInt8(size & 0xFF)]
    (head + bytes).withUnsafeBytes { skimmer.skim($0, into: &record, at: moment) }
  }
}

extension FrameRecord {
  mutating func head(_ text: String, _ direction: FrameRecord.Direction, at moment: Instant) {
    note(head: Array(text.utf8).span.bytes, direction, line: 1, at: moment)
  }
}
