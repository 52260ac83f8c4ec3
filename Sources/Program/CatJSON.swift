import Channel
import JSON
import Text
import WebSocket

/// The events of `--format json`, their members in the order of the documentation.
struct CatJSON {
  let url: String
  /// On a terminal the characters that JSON leaves alone but a terminal obeys are escaped too.
  let isTerminal: Bool

  func connecting(attempt: Int) -> [UInt8] {
    line("connecting", ("attempt", .integer(Int64(attempt))), ("url", .string(url)))
  }

  func opened(subprotocol: String?, isCompressed: Bool, peer: String, tls: String?) -> [UInt8] {
    line(
      "opened", ("subprotocol", Self.string(subprotocol)), ("compression", .bool(isCompressed)),
      ("peer", .string(peer)), ("tls", Self.string(tls)))
  }

  func raw(_ kind: MessageKind, _ bytes: [UInt8]) -> [UInt8] {
    switch kind {
    case .text: line("text", ("text", .string(String(decoding: bytes, as: UTF8.self))))
    case .binary: line("binary", ("base64", .string(Base64.encoded(bytes))))
    }
  }

  func pong(roundTrip: Duration) -> [UInt8] {
    let (seconds, attoseconds) = roundTrip.components
    // Whole microseconds are as much as a round trip means.
    let microseconds = Double(seconds) * 1e6 + (Double(attoseconds) / 1e12).rounded()
    return line("pong", ("rtt_ms", .double(microseconds / 1000)))
  }

  func closed(_ reason: CloseReason, isClean: Bool) -> [UInt8] {
    line(
      "closed", ("code", .integer(Int64(reason.code.rawValue))), ("reason", .string(reason.text)),
      ("clean", .bool(isClean)))
  }

  func failed(_ failure: Failure) -> [UInt8] {
    line(
      "failed", ("kind", .string(failure.kind.rawValue)),
      ("status", failure.status.map { .integer(Int64($0)) } ?? .null),
      ("message", .string(failure.message)))
  }

  func waiting(attempt: Int, delay: Duration) -> [UInt8] {
    let (seconds, attoseconds) = delay.components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds = overflow ? .max : product + attoseconds / 1_000_000_000_000_000
    return line(
      "waiting", ("attempt", .integer(Int64(attempt))), ("delay_ms", .integer(milliseconds)))
  }

  /// What became of the message since it was said is in members of their own, where there is any.
  func message(_ message: ChatMessage) -> [UInt8] {
    let members: [(String, JSON)] = [
      ("id", .string(message.id)), ("author", Self.string(message.author?.raw)),
      ("text", .string(message.text.raw)), ("time", Self.string(message.time?.iso8601)),
      ("mine", .bool(message.isMine)),
    ]
    return line("message", members + Self.marks(message))
  }

  func changed(_ message: ChatMessage, sentence: String) -> [UInt8] {
    let members: [(String, JSON)] = [
      ("message", .string(sentence)), ("id", .string(message.id)),
      ("text", .string(message.text.raw)),
    ]
    return line("notice", members + Self.marks(message))
  }

  private static func marks(_ message: ChatMessage) -> [(String, JSON)] {
    guard message.hasMarks else { return [] }
    let marks = message.marks
    var members: [(String, JSON)] = []
    if let target = marks.replyTo { members.append(("reply_to", .string(target))) }
    if marks.isEdited { members.append(("edited", .bool(true))) }
    if marks.isDeleted { members.append(("deleted", .bool(true))) }
    if !marks.reactions.isEmpty {
      let reactions = marks.reactions.map { reaction in
        JSON.object([
          .init("emoji", .string(reaction.emoji.raw)),
          .init("count", .integer(Int64(reaction.count))),
        ])
      }
      members.append(("reactions", .array(reactions)))
    }
    return members
  }

  func sent(_ text: String, id: String?) -> [UInt8] {
    line("sent", ("text", .string(text)), ("id", Self.string(id)))
  }

  func unsure(_ text: String) -> [UInt8] {
    line("unsure", ("text", .string(text)))
  }

  func notice(_ sentence: String) -> [UInt8] {
    line("notice", ("message", .string(sentence)))
  }

  func gaveUp(attempts: Int, _ failure: Failure) -> [UInt8] {
    line(
      "gave-up", ("after", .integer(Int64(attempts))), ("message", .string(failure.message)))
  }

  private func line(_ name: String, _ members: (String, JSON)...) -> [UInt8] {
    line(name, members)
  }

  private func line(_ name: String, _ members: [(String, JSON)]) -> [UInt8] {
    let object = JSON.object(
      [JSON.Member("event", .string(name))] + members.map { JSON.Member($0.0, $0.1) })
    var bytes: [UInt8] = []
    if isTerminal {
      bytes = Array(Self.escaped(object.text).utf8)
    } else {
      object.write(to: &bytes)
    }
    bytes.append(0x0A)
    return bytes
  }

  private static func string(_ text: String?) -> JSON {
    text.map { .string($0) } ?? .null
  }

  /// Outside ASCII JSON text has only the characters of strings, each of which may be escaped.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isObeyed) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isObeyed(scalar) {
        let digits = String(scalar.value, radix: 16)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        result.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// C1 controls and the format characters of the basic plane, such as those that turn text around.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x7F, scalar.value <= 0xFFFF else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}
