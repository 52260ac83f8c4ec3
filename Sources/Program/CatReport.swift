import Channel
import JSON
import Text
import WebSocket

/// What `parlour cat` prints: messages on standard output, and the state of the line there too as JSON, else
/// in sentences on standard error.
struct CatReport {
  let options: CatOptions
  private let json: CatJSON
  private(set) var outputs: [CatOutput] = []

  init(_ options: CatOptions) {
    self.options = options
    json = CatJSON(url: options.url, isTerminal: options.isTerminal)
  }

  mutating func take() -> [CatOutput] {
    defer { outputs = [] }
    return outputs
  }

  mutating func append(_ output: CatOutput) {
    outputs.append(output)
  }

  // MARK: - Messages

  mutating func raw(_ kind: MessageKind, _ bytes: [UInt8]) {
    guard options.format == .text else { return print(json.raw(kind, bytes)) }
    if options.isTerminal {
      print(text: String(decoding: bytes, as: UTF8.self))
    } else {
      // As they are: text was checked, and who asks for binary wants the bytes.
      print(bytes + [0x0A])
    }
  }

  mutating func message(_ message: ChatMessage) {
    guard options.format == .text else { return print(json.message(message)) }
    let author = message.author.map {
      (options.isTerminal ? $0.safe(for: .nick) : $0.raw) + ": "
    }
    print(text: (author ?? "") + (message.isDeleted ? "(deleted)" : message.text.raw))
  }

  /// A message that was said before has another form: a notice, since each message is printed once.
  mutating func changed(_ form: ChatMessage) {
    let who = form.author?.raw ?? "somebody"
    let what =
      form.isDeleted
      ? "\(who) deleted the message \(form.id)"
      : "the message \(form.id) of \(who) is now: \(Self.short(form.text.raw))"
    guard options.format == .text else { return print(json.changed(form, sentence: what)) }
    say(what)
  }

  private mutating func print(text: String) {
    let shown =
      options.isTerminal ? UntrustedText(text).safe(for: .plainOutput, limit: 1 << 30) : text
    print(Array(shown.utf8) + [0x0A])
  }

  // MARK: - Posts

  /// Only where messages have authors: a raw line tells nothing about where it went.
  mutating func sent(_ text: String, id: String?) {
    if options.format == .json { print(json.sent(text, id: id)) }
  }

  mutating func unsure(_ text: String) {
    guard options.format == .text else { return print(json.unsure(text)) }
    say("Nobody can know whether “\(Self.short(text))” arrived: the line was lost on the way.")
  }

  mutating func rejected(_ text: String, reason: UntrustedText) {
    notice("The server did not take “\(Self.short(text))”: \(reason.raw)")
  }

  // MARK: - The line

  mutating func connecting(attempt: Int) {
    guard options.format == .text else { return print(json.connecting(attempt: attempt)) }
    say("Connecting to \(options.url)\(attempt > 1 ? ", attempt \(attempt)" : "").")
  }

  mutating func opened(subprotocol: String?, isCompressed: Bool, peer: String, tls: String?) {
    guard options.format == .text else {
      return print(
        json.opened(
          subprotocol: subprotocol, isCompressed: isCompressed, peer: peer, tls: tls))
    }
    let security = tls.map { " over \($0)" } ?? ""
    let agreed = subprotocol.map { ", speaking \($0)" } ?? ""
    say("Connected to \(peer)\(security)\(agreed).")
  }

  mutating func pong(roundTrip: Duration) {
    if options.format == .json { print(json.pong(roundTrip: roundTrip)) }
  }

  mutating func closed(_ reason: CloseReason, isClean: Bool) {
    guard options.format == .text else {
      return print(json.closed(reason, isClean: isClean))
    }
    let words = reason.text.isEmpty ? "" : " \(reason.text)"
    let cut = isClean ? "" : ", without the other end's answer"
    say("The line was closed\(cut): \(reason.code.words) (\(reason.code.rawValue)\(words)).")
  }

  mutating func failed(_ failure: Failure) {
    guard options.format == .text else { return print(json.failed(failure)) }
    say(failure.message)
  }

  mutating func waiting(attempt: Int, delay: Duration) {
    guard options.format == .text else {
      return print(json.waiting(attempt: attempt, delay: delay))
    }
    let (seconds, attoseconds) = delay.components
    let tenths = attoseconds / 100_000_000_000_000_000
    say("Attempt \(attempt) follows in \(seconds).\(tenths) s.")
  }

  mutating func gaveUp(attempts: Int, _ failure: Failure) {
    guard options.format == .text else {
      return print(json.gaveUp(attempts: attempts, failure))
    }
    let count = attempts == 1 ? "one attempt" : "\(attempts) attempts"
    say("Gave up after \(count).")
  }

  mutating func notice(_ sentence: String) {
    guard options.format == .text else { return print(json.notice(sentence)) }
    say(sentence)
  }

  /// On standard error whatever the format: it concerns what was typed, not what came.
  mutating func say(_ sentence: String) {
    outputs.append(
      .standardError(UntrustedText(sentence).safe(for: .line, limit: 4_096) + "\n"))
  }

  private mutating func print(_ bytes: [UInt8]) {
    outputs.append(.standardOutput(bytes))
  }

  private static func short(_ text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    return line.count > 60 || line.count < text.count ? line.prefix(60) + "…" : String(line)
  }
}
