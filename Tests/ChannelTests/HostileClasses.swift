import Channel
import Testing

/// One way in which a server is hostile, and what must come of it.
struct HostileClass: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    /// Every message is shown, and the line stands in the end; on which line, counted from 1.
    case everything(line: Int)
    /// Nothing is tried again: refused, or a fault that no attempt mends.
    case refused, stopped
    /// As many attempts as are allowed.
    case gaveUp
  }

  var name: String
  var moment: HostileRun.Moment
  var steps: [HostileRun.Step]
  var isEveryLine = false
  var outcome: Outcome
  /// What one of the sentences that a person gets holds.
  var told = ""
  /// Whether the history comes behind what was said after it.
  var isLate = false
  /// What becomes of the post on the way.
  var post = "sent"

  var testDescription: String { name }

  init(
    _ name: String, at moment: HostileRun.Moment, _ steps: [HostileRun.Step],
    everyLine: Bool = false, _ outcome: Outcome, told: String = "", post: String = "sent",
    isLate: Bool = false
  ) {
    self.name = name
    self.moment = moment
    self.steps = steps
    isEveryLine = everyLine
    self.outcome = outcome
    self.told = told
    self.post = post
    self.isLate = isLate
  }
}

extension HostileClass {
  static let message = #"{"id":"m99","room":"lobby","author":"eve","text":"never said"}"#

  static func next(_ id: String, _ payload: String) -> HostileRun.Step {
    .text(#"{"id":\#(id),"type":"next","payload":\#(payload)}"#)
  }

  private static let acknowledgedAgain: [HostileRun.Step] = Array(
    repeating: .text(#"{"type":"connection_ack","payload":{}}"#), count: 50)

  static let acknowledgements: [HostileClass] = [
    HostileClass(
      "late ack", at: .introduction, [.pause(.seconds(9)), .honest], .everything(line: 1)),
    HostileClass(
      "ack after the time for it", at: .introduction, [.pause(.seconds(11)), .honest],
      .everything(line: 2), told: "did not acknowledge the connection in time (10 s)"),
    HostileClass(
      "no ack on the first line", at: .introduction, [], .everything(line: 2),
      told: "did not acknowledge"),
    HostileClass(
      "no ack ever", at: .introduction, [], everyLine: true, .gaveUp, told: "did not acknowledge"),
    HostileClass("double ack", at: .introduction, [.honest, .honest], .everything(line: 1)),
    HostileClass(
      "ack again and again", at: .history,
      [HostileRun.Step.honest] + acknowledgedAgain, .everything(line: 1)),
    HostileClass(
      "ack before the introduction", at: .upgrade,
      [.honest, .text(#"{"type":"connection_ack"}"#)], .everything(line: 1)),
    HostileClass(
      "pings, pongs and keep-alives before the ack", at: .introduction,
      [
        .text(#"{"type":"ping","payload":{"message":"keepalive"}}"#), .text(#"{"type":"pong"}"#),
        .text(#"{"type":"ka"}"#), .text(#"{"type":"ping"}"#), .honest,
      ], .everything(line: 1)),
    HostileClass(
      "ack with a list for a payload", at: .introduction,
      [.text(#"{"type":"connection_ack","payload":[]}"#)], .everything(line: 2),
      told: "the payload of connection_ack is not an object"),
  ]

  static let early: [HostileClass] = ["1", "2", "3"].flatMap { early($0) }

  private static func early(_ id: String) -> [HostileClass] {
    let result = next("\"\(id)\"", #"{"data":{"messageAdded":\#(message)}}"#)
    let error = HostileRun.Step.text(#"{"id":"\#(id)","type":"error","payload":[]}"#)
    let end = HostileRun.Step.text(#"{"id":"\#(id)","type":"complete"}"#)
    return [
      HostileClass(
        "result \(id) before the ack", at: .introduction, [result, .honest], .everything(line: 1)),
      HostileClass(
        "error \(id) before the ack", at: .introduction, [error, .honest], .everything(line: 1)),
      HostileClass(
        "complete \(id) before the ack", at: .introduction, [end, .honest], .everything(line: 1)),
    ]
  }

  /// Of operations that are over, or that never were.
  static let strangeIDs: [HostileClass] = ["\"nobody\"", "\"0\"", "\"-1\"", "\"{history}\""].map {
    strange($0)
  }

  private static func strange(_ id: String) -> HostileClass {
    let payload = #"{"data":{"messageAdded":\#(message),"messages":[\#(message)]}}"#
    let steps: [HostileRun.Step] = [
      .honest, next(id, payload),
      .text(#"{"id":\#(id),"type":"error","payload":[{"message":"x"}]}"#),
      .text(#"{"id":\#(id),"type":"complete"}"#),
    ]
    return HostileClass("unknown or ended id \(id)", at: .history, steps, .everything(line: 1))
  }

  static let wrongIDs: [HostileClass] = ["1", "null", "\"\"", "[]", "{}", "1.5", "true"].map {
    wrong($0)
  }

  private static func wrong(_ id: String) -> HostileClass {
    let result = next(id, #"{"data":{"messageAdded":\#(message)}}"#)
    return HostileClass(
      "id \(id)", at: .history, [.honest, result], .everything(line: 2),
      told: "broke the graphql-transport-ws protocol")
  }

  static let missingIDs: [HostileClass] = [
    HostileClass(
      "complete and error without an id", at: .history,
      [
        .honest, .text(#"{"type":"complete","payload":null}"#),
        .text(#"{"type":"error","id":null,"payload":[{"message":"which one?"}]}"#),
      ], .everything(line: 1), told: "which one?")
  ]

  /// Payloads of `error`, with what is dug out of them.
  static let errorShapes: [(payload: String, text: String)] = [
    (#"[{"message":"a list"}]"#, "a list"), (#"{"message":"an object"}"#, "an object"),
    (#""a text""#, "a text"), ("null", "no text was given"), ("[]", "no text was given"),
    ("{}", "no text was given"), ("7", "no text was given"), ("[null]", "no text was given"),
    (#"[[{"message":"nested"}]]"#, "nested"),
    (#"{"errors":[{"message":"within errors"}]}"#, "within errors"),
    (#"[{"errors":[{"message":"within a list"}]}]"#, "within a list"),
    (#"[{"message":"extended","extensions":{"code":"INTERNAL","stacktrace":["a"]}}]"#, "extended"),
    (#"[{"message":7}]"#, "no text was given"), (#"[{"message":""}]"#, "no text was given"),
  ]

  static let errors: [HostileClass] = errorShapes.flatMap { errors($0.payload, $0.text) }

  private static func errors(_ payload: String, _ text: String) -> [HostileClass] {
    func error(_ id: String) -> [HostileRun.Step] {
      [.text(#"{"id":"{\#(id)}","type":"error","payload":\#(payload)}"#)]
    }
    let isNone = payload == "null" || payload == "[]"
    let result = next("\"{live}\"", #"{"data":null,"errors":\#(payload)}"#)
    return [
      HostileClass(
        "live: error \(payload)", at: .subscription, error("live"), .everything(line: 1),
        told: "The server ended the subscription: \(text)"),
      HostileClass(
        "history: error \(payload)", at: .history, error("history"), .everything(line: 1),
        told: "The server did not give the history: \(text)", isLate: true),
      HostileClass(
        "post: error \(payload)", at: .post, error("post"), .everything(line: 1),
        told: "rejected: \(text)", post: "rejected"),
      HostileClass(
        "live: next.errors \(payload)", at: .history, [.honest, result], .everything(line: 1),
        told: isNone ? "an empty result" : "The subscription reports an error: \(text)"),
    ]
  }

  static let brokenFrames: [HostileClass] = GraphQLHostileTests.broken.enumerated().map {
    HostileClass(
      "frame \($0.offset): \($0.element.prefix(40))", at: .history, [.honest, .text($0.element)],
      .everything(line: 2), told: "broke the graphql-transport-ws protocol")
  }

  private static let padding: String =
    #"{"data":{"messageAdded":null},"extensions":{"x":""#
    + String(repeating: "y", count: 10 << 20) + #""}}"#
  private static let garbage = String(repeating: "x", count: 10 << 20)
  private static let farTooLong: [UInt8] =
    [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

  static let frames: [HostileClass] = [
    behindHistory("binary", .binary(Array(#"{"type":"ping"}"#.utf8)), told: "binary"),
    behindHistory("empty binary", .binary([]), told: "binary"),
    behindHistory("10 MiB that are no JSON", .text(garbage), told: "not JSON"),
    HostileClass(
      "10 MiB beside a result", at: .history, [.honest, next("\"{live}\"", padding)],
      .everything(line: 1)),
    behindHistory(
      "more than --max-message", .bytes([0x81, 0x7F, 0, 0, 0, 0, 0x01, 0, 0, 1]),
      told: "more than 16777216 bytes, see --max-message"),
    behindHistory("2^63 - 1 bytes announced", .bytes(farTooLong), told: "--max-message"),
    behindHistory("masked", .bytes([0x81, 0x81, 1, 2, 3, 4, 0x60]), told: "masked"),
    behindHistory("reserved bits", .bytes([0xF1, 0x00]), told: "reserved bits"),
    behindHistory("unknown opcode", .bytes([0x83, 0x00]), told: "opcode"),
    behindHistory("no UTF-8", .bytes([0x81, 0x02, 0xC3, 0x28]), told: "UTF-8"),
    behindHistory("a continuation of nothing", .bytes([0x80, 0x00]), told: "continuation"),
    HostileClass(
      "no HTTP", at: .upgrade, [.bytes(Array("SSH-2.0-OpenSSH_9.6\r\n".utf8))], .stopped,
      told: "chat.example"),
  ]

  private static func behindHistory(
    _ name: String, _ step: HostileRun.Step, told: String
  ) -> HostileClass {
    HostileClass(name, at: .history, [.honest, step], .everything(line: 2), told: told)
  }

  static let silences: [HostileClass] = [
    HostileClass(
      "dead behind the history", at: .history, [.honest, .silence], .everything(line: 2),
      told: "has not answered a ping for 10 s"),
    HostileClass(
      "dead behind the ack", at: .introduction, [.honest, .silence], .everything(line: 2),
      told: "has not answered a ping for 10 s"),
    HostileClass(
      "dead before the ack", at: .introduction, [.silence], .everything(line: 2),
      told: "did not acknowledge"),
    HostileClass(
      "dead before the 101", at: .upgrade, [.silence], .everything(line: 2),
      told: "did not answer the upgrade within 10 s"),
    HostileClass(
      "dead in the middle of a post", at: .post, [.silence], .everything(line: 2),
      told: "has not answered a ping"),
    HostileClass(
      "dead in the middle of a frame", at: .history, [.bytes([0x81, 0x7E, 0x10]), .silence],
      .everything(line: 2), told: "has not answered a ping"),
    HostileClass(
      "dead for ever", at: .introduction, [.silence], everyLine: true, .gaveUp,
      told: "did not acknowledge"),
    HostileClass(
      "no answer to the history", at: .history, [], .everything(line: 1),
      told: "does not answer for the history", isLate: true),
    HostileClass(
      "no answer to the post", at: .post, [], .everything(line: 1),
      told: "has not answered a message for 30 seconds"),
    HostileClass(
      "history ends without a result", at: .history,
      [.text(#"{"id":"{history}","type":"complete"}"#)], .everything(line: 1),
      told: "it ended without a result", isLate: true),
    HostileClass(
      "subscription ends at once", at: .subscription,
      [.text(#"{"id":"{live}","type":"complete"}"#)], .everything(line: 1),
      told: "ended the subscription without a reason"),
  ]

  static let flaps: [HostileClass] = [
    HostileClass(
      "flapping behind the ack", at: .introduction, [.honest, .close(1012, "restart")],
      everyLine: true, .gaveUp, told: "restart"),
    HostileClass(
      "flapping when ready", at: .history, [.honest, .cut], everyLine: true, .gaveUp,
      told: "reset by the peer"),
    HostileClass(
      "flapping with 1000", at: .history, [.honest, .close(1000, "bye")], everyLine: true,
      .gaveUp, told: "bye"),
    HostileClass(
      "flapping before the 101", at: .upgrade, [.cut], everyLine: true, .gaveUp,
      told: "reset by the peer"),
    HostileClass(
      "a broken frame on every line", at: .history, [.honest, .text("[1,2,3]")],
      everyLine: true, .gaveUp, told: "not an object"),
  ]
}
