import JSON
import WebSocket

/// Recorded frames in words, without what is secret in them. What it gives is text from outside all the same: it is to
/// be made safe for where it goes.
package struct FrameText: Sendable {
  private let secrets: Secrets

  package init(hiding secrets: Secrets) {
    self.secrets = secrets
  }

  /// "text", "close", "opcode 3"; "head" for a head of the upgrade.
  package static func name(of opcode: UInt8?) -> String {
    switch opcode {
    case nil: "head"
    case 0: "more"
    case 1: "text"
    case 2: "binary"
    case 8: "close"
    case 9: "ping"
    case 10: "pong"
    case let code?: "opcode \(code)"
    }
  }

  /// Nothing can be told of what it says: a part of a compressed message, or one that is not whole yet.
  private static func isUnreadable(_ frame: FrameRecord.Frame) -> Bool {
    frame.isCompressed && frame.restoredLength == nil && frame.length > 0
  }

  /// The beginning of what the frame says, as one line with escapes in the places of controls.
  package func line(_ frame: FrameRecord.Frame, most: Int) -> String {
    if Self.isUnreadable(frame) {
      return frame.isFinal
        ? "(compressed, not restored)" : "(a part of a compressed message, which stands at its end)"
    }
    if frame.opcode == 8 { return closeWords(frame.payload) }
    if frame.opcode == nil { return lines(ofHead: frame).first ?? "" }
    // A secret that the end cuts in two has to be recognised too.
    var kept = frame
    kept.payload = Array(frame.payload.prefix(most + secrets.reach))
    let isShort = kept.payload.count < frame.payload.count || frame.isCut
    let safe = secrets.hiding(kept.payload, isFragment: frame.isFragment || isShort)
    let isCut = safe.count > most || isShort
    return hidingTokens(in: logText(Array(safe.prefix(most)), isCut: isCut))
  }

  /// All that is kept of what the frame says, over several lines: JSON indented, text as it stands, bytes as a dump of
  /// `columns` bytes a line.
  package func lines(_ frame: FrameRecord.Frame, columns: Int) -> [String] {
    if Self.isUnreadable(frame) { return [line(frame, most: 0)] }
    guard frame.opcode != nil else { return lines(ofHead: frame) }
    if frame.opcode == 8 { return [closeWords(frame.payload)] }
    let safe = secrets.hiding(frame.payload, isFragment: frame.isFragment || frame.isCut)
    let end = frame.isCut ? ["… (the rest was not kept)"] : []
    guard frame.opcode != 2, let text = Self.text(safe, isCut: frame.isFragment || frame.isCut)
    else { return Self.dump(safe, columns: columns) + end }
    if (try? JSON.parse(safe.span.bytes)) != nil {
      let indented = String(decoding: JSONText.indented(safe.span.bytes), as: UTF8.self)
      return Self.split(hidingTokens(in: indented)) + end
    }
    return Self.split(hidingTokens(in: text)) + end
  }

  /// One line for a file: JSON, with its end.
  package func record(_ frame: FrameRecord.Frame, at time: Timestamp) -> String {
    var members: [JSON.Member] = [
      .init("number", .integer(Int64(frame.number))), .init("line", .integer(Int64(frame.line))),
      .init("time", .string(time.iso8601Milliseconds)),
      .init("direction", .string(frame.direction.rawValue)),
      .init("opcode", .string(Self.name(of: frame.opcode))), .init("fin", .bool(frame.isFinal)),
    ]
    for (index, bit) in [UInt8(4), 2, 1].enumerated() where frame.reservedBits & bit != 0 {
      members.append(.init("rsv\(index + 1)", .bool(true)))
    }
    members.append(.init("length", .integer(Int64(clamping: frame.length))))
    if let restored = frame.restoredLength {
      members.append(.init("restored", .integer(Int64(restored))))
    }
    if frame.opcode == nil {
      members.append(.init("text", .string(lines(ofHead: frame).joined(separator: "\n"))))
    } else if !Self.isUnreadable(frame) {
      let isPart = frame.isFragment || frame.isCut
      let safe = secrets.hiding(frame.payload, isFragment: isPart)
      if frame.opcode != 2, frame.opcode != 8, let text = Self.text(safe, isCut: isPart) {
        members.append(.init("text", .string(hidingTokens(in: text))))
      } else {
        members.append(.init("hex", .string(safe.map(Self.hex).joined())))
      }
      if frame.isCut { members.append(.init("cut", .bool(true))) }
    }
    return JSON.object(members).text + "\n"
  }

  /// Whether what is kept of the frame holds a text; capitals and small letters of ASCII are the same.
  package static func holds(_ frame: FrameRecord.Frame, _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    let payload = frame.payload
    guard payload.count >= wanted.count else { return false }
    return payload.withUnsafeBufferPointer { bytes in
      for start in 0...bytes.count - wanted.count where lower(bytes[start]) == first {
        var index = 1
        while index < wanted.count, lower(bytes[start + index]) == wanted[index] { index += 1 }
        if index == wanted.count { return true }
      }
      return false
    }
  }

  /// The text to look for with `holds`.
  package static func wanted(_ text: String) -> [UInt8] { text.utf8.map(lower) }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  // MARK: - Parts

  /// The fields of a head, without its first line.
  static func fields(ofHead text: String) -> [(name: String, value: String)] {
    text.split(separator: "\r\n").dropFirst().prefix(200).map { line in
      let name = line.prefix { $0 != ":" }
      return (String(name), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
    }
  }

  private func lines(ofHead frame: FrameRecord.Frame) -> [String] {
    // By its fields, so that the scheme before a secret stays; a cut may have gone through one.
    let bytes = frame.isCut ? secrets.hiding(frame.payload, isFragment: true) : frame.payload
    let text = String(decoding: bytes, as: UTF8.self)
    let first = text.split(separator: "\r\n").first.map(String.init) ?? ""
    return [secrets.hiding(first)]
      + Self.fields(ofHead: text).map { "\($0.name): \(secrets.hiding(field: $0.name, $0.value))" }
  }

  private func closeWords(_ payload: [UInt8]) -> String {
    guard payload.count >= 2 else { return "without a code" }
    let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    let text = hidingTokens(in: logText(secrets.hiding(Array(payload.dropFirst(2)))))
    return "\(code.rawValue) \(code.words)" + (text.isEmpty ? "" : ": \(text)")
  }

  /// Nil where the bytes are no text. The cut may have gone through a character.
  private static func text(_ bytes: [UInt8], isCut: Bool) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard isCut else { return nil }
    for count in 1...3 where bytes.count > count {
      if let text = String(validating: bytes.dropLast(count), as: UTF8.self) { return text }
    }
    return nil
  }

  private static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func dump(_ bytes: [UInt8], columns: Int) -> [String] {
    let columns = max(4, columns)
    return stride(from: 0, to: bytes.count, by: columns).map { start in
      let row = bytes[start..<min(start + columns, bytes.count)]
      let offset =
        hex(UInt8(truncatingIfNeeded: start >> 8)) + hex(UInt8(truncatingIfNeeded: start))
      let codes = row.map(hex).joined(separator: " ")
      let gap = String(repeating: " ", count: 3 * (columns - row.count))
      let letters = row.map { (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : "." }
      return "\(offset)  \(codes)\(gap)  \(letters.joined())"
    }
  }
}
