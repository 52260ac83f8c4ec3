import Deflate
import JSON
import WebSocket

/// What one line's bytes are to the log: the heads of the upgrade, the steps of the dialect, pings with their round
/// trips, and every frame. It only looks on: the session knows nothing of it.
package struct WireLog: Sendable {
  /// How much of a frame's payload is shown.
  private static let shown = 256
  /// A step of a dialect is looked for in messages up to this size.
  private static let largestStep = 4096
  private static let largestHead = 64 * 1024
  private static let mostFields = 200
  private static let mostPings = 16

  private enum Stage: Equatable {
    case head
    case frames
    /// What follows is of no interest: the body of a refusal, or no HTTP at all.
    case over
  }

  private enum Direction: String {
    case sent = ">"
    case received = "<"
  }

  private let level: LogLevel
  private let secrets: LogSecrets
  private var dialect: DialectName
  private var sentStage = Stage.head
  private var receivedStage = Stage.head
  private var sentHead: [UInt8] = []
  private var receivedHead: [UInt8] = []
  private var sentFrames: FrameTap
  private var receivedFrames: FrameTap
  private var pings: [(payload: [UInt8], at: Instant)] = []

  /// `dialect` is spoken where the server selects no subprotocol.
  package init(_ level: LogLevel, dialect: DialectName, hiding secrets: LogSecrets) {
    self.level = level
    self.dialect = dialect
    self.secrets = secrets
    let most = max(Self.shown + secrets.reach, Self.largestStep)
    sentFrames = FrameTap(most: most)
    receivedFrames = FrameTap(most: most)
  }

  /// Bytes that were written to the line.
  package mutating func sent(_ bytes: [UInt8], at now: Instant) -> [LogLine] {
    guard level >= .debug else { return [] }
    return bytes.withUnsafeBytes { take($0, .sent, at: now) }
  }

  /// Bytes that came from it.
  package mutating func received(_ bytes: RawSpan, at now: Instant) -> [LogLine] {
    guard level >= .debug else { return [] }
    return bytes.withUnsafeBytes { take($0, .received, at: now) }
  }

  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ direction: Direction, at now: Instant
  ) -> [LogLine] {
    var lines: [LogLine] = []
    var rest = bytes
    while true {
      switch direction == .sent ? sentStage : receivedStage {
      case .head:
        guard let head = takeHead(&rest, direction) else { return lines }
        lines += self.lines(ofHead: head, direction)
      case .frames:
        let frames =
          direction == .sent ? sentFrames.take(rest) : receivedFrames.take(rest)
        for frame in frames { lines += self.lines(of: frame, direction, at: now) }
        return lines
      case .over: return lines
      }
    }
  }

  // MARK: Heads

  /// The head, once it is whole.
  private mutating func takeHead(
    _ bytes: inout UnsafeRawBufferPointer, _ direction: Direction
  ) -> [UInt8]? {
    var head: [UInt8] = []
    switch direction {
    case .sent: swap(&head, &sentHead)
    case .received: swap(&head, &receivedHead)
    }
    let searched = max(0, head.count - 3)
    let before = head.count
    head += bytes.prefix(Self.largestHead - head.count)
    let end = head.indices.dropFirst(searched).first { head[$0...].starts(with: [13, 10, 13, 10]) }
    if let end {
      bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(end + 4 - before))
      return Array(head[..<end])
    }
    if head.count < Self.largestHead {
      if direction == .sent { sentHead = head } else { receivedHead = head }
      return nil
    }
    if direction == .sent { sentStage = .over } else { receivedStage = .over }
    return nil
  }

  private mutating func lines(ofHead head: [UInt8], _ direction: Direction) -> [LogLine] {
    let texts = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    guard let first = texts.first else { return [] }
    var fields: [(name: String, value: String)] = []
    for text in texts.dropFirst().prefix(Self.mostFields) {
      let name = text.prefix { $0 != ":" }
      fields.append((String(name), String(text.dropFirst(name.count + 1).drop { $0 == " " })))
    }
    switch direction {
    case .sent: sentStage = .frames
    case .received: agree(first, fields)
    }
    let told = fields.map { "\($0.name): \(secrets.hiding(field: $0.name, $0.value))" }
    return ([secrets.hiding(first)] + told).map { LogLine(.debug, "\(direction.rawValue) \($0)") }
  }

  private mutating func agree(_ first: String, _ fields: [(name: String, value: String)]) {
    let words = first.split(separator: " ", maxSplits: 2)
    let status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    if status == 101 {
      receivedStage = .frames
      let values = { (name: String) in
        fields.filter { $0.name.lowercased() == name }.map(\.value)
      }
      dialect =
        values("sec-websocket-protocol").first.flatMap { Subprotocols.dialect(of: $0) } ?? dialect
      if values("sec-websocket-extensions").joined().lowercased().contains("permessage-deflate") {
        // Whoever begins each message anew can be read by whoever does not, and so with small windows.
        sentFrames.transform = PerMessageDeflate(DeflateParameters(), role: .server)
        receivedFrames.transform = PerMessageDeflate(DeflateParameters(), role: .client)
      }
    } else if !(100..<200).contains(status) {
      receivedStage = .over
    }
  }

  // MARK: Frames

  private mutating func lines(
    of frame: FrameTap.Frame, _ direction: Direction, at now: Instant
  ) -> [LogLine] {
    var lines: [LogLine] = []
    if level >= .frames {
      lines.append(LogLine(.frames, "\(direction.rawValue) \(words(for: frame))"))
    }
    switch frame.opcode {
    case 1, 2: if let step = step(in: frame) { lines.append(debug(direction, step)) }
    case 8: lines.append(debug(direction, "Close \(closeWords(frame.payload))"))
    case 9:
      lines.append(debug(direction, "a ping of \(frame.payload.count) bytes"))
      if direction == .sent {
        pings = pings.suffix(Self.mostPings - 1) + [(frame.payload, now)]
      }
    case 10: lines.append(debug(direction, pong(frame.payload, direction, at: now)))
    default: break
    }
    return lines
  }

  private func debug(_ direction: Direction, _ words: String) -> LogLine {
    LogLine(.debug, "\(direction == .sent ? "sent" : "got") \(words)")
  }

  private mutating func pong(
    _ payload: [UInt8], _ direction: Direction, at now: Instant
  ) -> String {
    guard direction == .received else { return "a pong of \(payload.count) bytes" }
    guard let index = pings.firstIndex(where: { $0.payload == payload }) else {
      return "a pong of \(payload.count) bytes that nobody asked for"
    }
    let (seconds, attoseconds) = (now - pings[index].at).components
    pings.removeSubrange(...index)
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let digits = String(microseconds % 1000 + 1000).dropFirst()
    return "the pong after \(microseconds / 1000).\(digits) ms"
  }

  private func closeWords(_ payload: [UInt8]) -> String {
    guard payload.count >= 2 else { return "without a code" }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    let text = secrets.hiding(Array(payload.dropFirst(2)))
    return "\(code)" + (text.isEmpty ? "" : " \(logText(text))")
  }

  private func words(for frame: FrameTap.Frame) -> String {
    let names = [
      "continuation", "text", "binary", "3", "4", "5", "6", "7", "close", "ping", "pong",
    ]
    let opcode = Int(frame.opcode)
    var words = names.indices.contains(opcode) ? names[opcode] : "\(opcode)"
    if frame.isFinal { words += " fin" }
    for (index, bit) in [UInt8(4), 2, 1].enumerated() where frame.reservedBits & bit != 0 {
      words += " rsv\(index + 1)"
    }
    words += " length \(frame.length)"
    if let restored = frame.restoredLength { words += " restored \(restored)" }
    guard frame.length > 0 else { return words }
    // The payload as it stands on the line would give away what it says to who restores it.
    if frame.isCompressed, frame.restoredLength == nil { return words + " (not readable)" }
    let isFragment = frame.isFragment || frame.isCut(at: frame.payload.count)
    let safe = secrets.hiding(frame.payload, isFragment: isFragment)
    let isCut = safe.count > Self.shown || frame.isCut(at: frame.payload.count)
    var text = logText(Array(safe.prefix(Self.shown)), isCut: isCut)
    if frame.opcode == 1 || frame.opcode == 0 { text = hidingTokens(in: text) }
    return words + ": " + text
  }

  /// What the dialect does with a message, where it is not one that just carries what people say.
  private func step(in frame: FrameTap.Frame) -> String? {
    let key: String
    switch dialect {
    case .plain: return nil
    case .graphql: key = "type"
    case .envelope: key = "kind"
    }
    guard frame.opcode == 1, frame.isFinal, !frame.isCut(at: frame.payload.count),
      let value = try? JSON.parse(frame.payload.span.bytes),
      let kind = value[key]?.string, !["next", "message", "post"].contains(kind)
    else { return nil }
    let id = value["id"]?.string.map { " " + logText(Array($0.utf8.prefix(64))) } ?? ""
    return secrets.hiding(logText(Array(kind.utf8.prefix(64))) + id)
  }
}
