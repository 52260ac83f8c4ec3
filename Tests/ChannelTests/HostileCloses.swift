import Channel
import WebSocket

/// Closes, refusals and answers to the upgrade, as the tables 1.3 and 1.4 of the research name them.
extension HostileClass {
  private static func outcome(_ course: Character) -> Outcome {
    switch course {
    case "d": .everything(line: 2)
    case "r": .refused
    default: .stopped
    }
  }

  /// The code, and what follows once the line was acknowledged and before: `d`ial again, `s`top, `r`efused.
  static let table: [(code: Int, after: Character, before: Character)] = [
    (1000, "d", "r"), (1001, "d", "d"), (0, "d", "d"), (1002, "s", "r"), (1003, "s", "s"),
    (1007, "s", "s"), (1008, "r", "r"), (1009, "s", "s"), (1010, "s", "s"), (1011, "d", "d"),
    (1012, "d", "d"), (1013, "d", "d"), (1014, "d", "d"), (3000, "r", "r"), (3003, "r", "r"),
    (3008, "d", "d"), (3999, "d", "d"), (4004, "d", "d"), (4005, "d", "d"), (4300, "d", "d"),
    (4400, "s", "s"), (4401, "r", "r"), (4403, "r", "r"), (4406, "s", "s"), (4408, "d", "d"),
    (4409, "s", "s"), (4418, "d", "d"), (4429, "s", "s"), (4499, "d", "d"), (4500, "d", "d"),
    (4504, "d", "d"), (4999, "d", "d"),
  ]

  /// Without a Close there is no code that was sent: 1006.
  private static let cuts: [HostileClass] = [
    HostileClass(
      "row 1006 when ready", at: .history, [.honest, .cut], .everything(line: 2), told: "reset"),
    HostileClass(
      "row 1006 before the ack", at: .introduction, [.cut], .everything(line: 2), told: "reset"),
  ]

  static let closes: [HostileClass] =
    cuts
    + table.flatMap { code, after, before in
      let told = code == 0 ? "1005" : "because-\(code)"
      return [
        HostileClass(
          "row \(code == 0 ? 1005 : code) when ready", at: .history,
          [.honest, .close(code, "because-\(code)")],
          outcome(after), told: told),
        HostileClass(
          "row \(code == 0 ? 1005 : code) before the ack", at: .introduction,
          [.close(code, "because-\(code)")],
          outcome(before), told: told),
      ]
    }

  static let refusals: [HostileClass] = [
    HostileClass("refusal 1: 401", at: .upgrade, [.answer(401)], .refused, told: "401"),
    HostileClass(
      "refusal 1: 403", at: .upgrade, [.answer(403, body: "not on the list")], .refused,
      told: "not on the list"),
    HostileClass(
      "refusal 2: 4403", at: .introduction, [.close(4403, "Forbidden")], .refused,
      told: "“Forbidden”"),
    HostileClass(
      "refusal 3: 4401", at: .introduction, [.close(4401, "Unauthorized")], .refused,
      told: "“Unauthorized”"),
    HostileClass(
      "refusal 4: 1000 terminated", at: .introduction, [.close(1000, "terminated")], .refused,
      told: "“terminated”"),
    HostileClass(
      "refusal 4: 1000 without a reason", at: .introduction, [.close(1000)], .refused,
      told: "without a reason"),
    HostileClass(
      "refusal 5: 1002 with the reason", at: .introduction, [.close(1002, "Token expired")],
      .refused, told: "“Token expired”"),
    HostileClass(
      "refusal 6: connection_error, then a close without a code", at: .introduction,
      [.text(#"{"type":"connection_error","payload":{"message":"JWTExpired"}}"#), .close(0)],
      .refused, told: "“JWTExpired”"),
    HostileClass(
      "refusal 6: connection_error, then 4400", at: .introduction,
      [.text(#"{"type":"connection_error","payload":"JWTExpired"}"#), .close(4400, "x")],
      .refused, told: "“JWTExpired”"),
    HostileClass(
      "refusal 6: connection_error, then nothing", at: .introduction,
      [.text(#"{"type":"connection_error","payload":{"errors":[{"message":"No"}]}}"#)],
      .refused, told: "“No”"),
    HostileClass(
      "refusal 6: connection_error, then a cut", at: .introduction,
      [.text(#"{"type":"connection_error","payload":{"message":"JWTExpired"}}"#), .cut],
      .refused, told: "“JWTExpired”"),
    HostileClass(
      "refusal 7: an error for every subscription", at: .subscription,
      [.text(#"{"id":"{live}","type":"error","payload":[{"message":"not allowed"}]}"#)],
      everyLine: true, .stopped, told: "“not allowed”"),
    HostileClass(
      "refusal 7: unauthenticated", at: .subscription,
      [
        .text(
          #"{"id":"{live}","type":"error","payload":[{"message":"log in","extensions":{"code":"UNAUTHENTICATED"}}]}"#
        )
      ], everyLine: true, .refused, told: "“log in”"),
    HostileClass(
      "a reason in JSON", at: .history,
      [.honest, .close(1000, #"{"server_error_msg":"4400: Connection initialization failed"}"#)],
      .everything(line: 2), told: "Connection initialization failed"),
  ]

  static let answers: [HostileClass] = [
    HostileClass("404", at: .upgrade, [.answer(404, body: "no such path")], .stopped, told: "404"),
    HostileClass("426", at: .upgrade, [.answer(426)], .stopped, told: "426"),
    HostileClass(
      "200 with a page", at: .upgrade,
      [.answer(200, [Header("Content-Type", "text/html")], body: "<h1>Welcome</h1>")], .stopped,
      told: "Welcome"),
    HostileClass(
      "302 to another host", at: .upgrade,
      [.answer(302, [Header("Location", "https://login.example/")])], .stopped,
      told: "login.example"),
    HostileClass(
      "429 with Retry-After", at: .upgrade, [.answer(429, [Header("Retry-After", "7")])],
      .everything(line: 2), told: "429"),
    HostileClass(
      "503 with Retry-After 0", at: .upgrade, [.answer(503, [Header("Retry-After", "0")])],
      .everything(line: 2), told: "503"),
    HostileClass("502", at: .upgrade, [.answer(502)], .everything(line: 2), told: "502"),
    HostileClass(
      "502 for ever", at: .upgrade, [.answer(502)], everyLine: true, .gaveUp, told: "502"),
    HostileClass("504", at: .upgrade, [.answer(504)], .everything(line: 2), told: "504"),
  ]
}
