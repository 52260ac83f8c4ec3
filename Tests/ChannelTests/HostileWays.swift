import Channel
import WebSocket

/// What real servers do otherwise than the text of the protocol (section 1.5 of the research), as far as it is seen on
/// the line. Strawberry's and Ariadne's ways over the older protocol are in AppTests, against the servers themselves.
extension HostileClass {
  private static func told(_ id: String, _ text: String) -> String {
    #"{"id":"{\#(id)}","type":"next","payload":{"data":null,"errors":[{"message":"\#(text)"}]}}"#
  }

  private static func error(_ id: String, _ text: String) -> String {
    #"{"id":"{\#(id)}","type":"error","payload":[{"message":"\#(text)"}]}"#
  }

  private static func complete(_ id: String) -> String {
    #"{"id":"{\#(id)}","type":"complete"}"#
  }

  private static let pong = #"{"type":"pong"}"#
  private static let ping = #"{"type":"ping","payload":{"message":"keepalive"}}"#

  static let ways: [HostileClass] =
    strawberry + ariadne + gqlgen + asyncGraphQL + mercurius + hasura
    + hotChocolate

  private static let strawberry: [HostileClass] = [
    HostileClass(
      "Strawberry: a pong without the payload", at: .history, [.honest, .text(pong)],
      .everything(line: 1)),
    HostileClass(
      "Strawberry: 4400 for a slip in one document", at: .subscription,
      [.close(4400, "Syntax Error: Expected Name, found <EOF>.")], .stopped,
      told: "Syntax Error"),
    HostileClass(
      "Strawberry: errors of a query's validation in next", at: .history,
      [.text(told("history", "Cannot query field")), .text(complete("history"))],
      .everything(line: 1), told: "did not give the history: Cannot query field", isLate: true),
  ]

  private static let ariadne: [HostileClass] = [
    HostileClass(
      "Ariadne: 1000 without a reason refuses", at: .introduction, [.close(1000)], .refused,
      told: "without a reason"),
    HostileClass(
      "Ariadne: a payload with nothing in it", at: .history,
      [.honest, .text(#"{"id":"{live}","type":"next","payload":{}}"#)], .everything(line: 1),
      told: "an empty result"),
    HostileClass(
      "Ariadne: a crash in the stream comes in next, then complete", at: .subscription,
      [.text(told("live", "division by zero")), .text(complete("live"))], .everything(line: 1),
      told: "division by zero"),
  ]

  private static let gqlgen: [HostileClass] = [
    HostileClass(
      "gqlgen: 1000 terminated refuses", at: .introduction, [.close(1000, "terminated")], .refused,
      told: "“terminated”"),
    HostileClass(
      "gqlgen: 1002 for an introduction that is late", at: .introduction,
      [.close(1002, "connection initialisation timeout")], .refused,
      told: "“connection initialisation timeout”"),
    HostileClass(
      "gqlgen: 1002 for a message that it cannot read", at: .history,
      [.honest, .close(1002, "unexpected message")], .stopped, told: "“unexpected message”"),
    HostileClass(
      "gqlgen: complete behind an error", at: .subscription,
      [.text(error("live", "boom")), .text(complete("live"))], .everything(line: 1),
      told: "ended the subscription: boom"),
    HostileClass(
      "gqlgen: pongs that nobody asked for", at: .introduction,
      [.text(pong), .honest, .text(pong)], .everything(line: 1)),
  ]

  private static let asyncGraphQL: [HostileClass] = [
    HostileClass(
      "async-graphql: 1002 refuses", at: .introduction, [.close(1002, "Invalid token")], .refused,
      told: "“Invalid token”"),
    HostileClass(
      "async-graphql: 1011 for what it calls early", at: .introduction,
      [.honest, .close(1011, "The handshake is not completed.")], .everything(line: 2),
      told: "The handshake is not completed."),
    HostileClass(
      "async-graphql: errors of validation in next", at: .subscription,
      [.text(told("live", "Unknown field")), .text(complete("live"))], .everything(line: 1),
      told: "reports an error: Unknown field"),
    HostileClass(
      "async-graphql: 3008 for a missing pong", at: .history, [.honest, .close(3008, "timeout")],
      .everything(line: 2), told: "3008"),
  ]

  private static let mercurius: [HostileClass] = [
    HostileClass(
      "Mercurius: connection_error, then no code", at: .introduction,
      [.text(#"{"type":"connection_error","payload":{"message":"Forbidden"}}"#), .close(0)],
      .refused, told: "“Forbidden”"),
    HostileClass(
      "Mercurius: an error whose id is null", at: .history,
      [.honest, .text(#"{"id":null,"type":"error","payload":[{"message":"bad JSON"}]}"#)],
      .everything(line: 1), told: "reports an error: bad JSON"),
    HostileClass(
      "Mercurius: complete with a payload that is null", at: .subscription,
      [.text(#"{"id":"{live}","type":"complete","payload":null}"#)], .everything(line: 1),
      told: "ended the subscription"),
    HostileClass(
      "Mercurius: a close without a code", at: .history, [.honest, .close(0)],
      .everything(line: 2), told: "1005"),
    HostileClass(
      "Mercurius: no queries on the socket", at: .history,
      [.text(error("history", "Operation not supported"))], .everything(line: 1),
      told: "did not give the history: Operation not supported", isLate: true),
  ]

  private static let hasura: [HostileClass] = [
    HostileClass(
      "Hasura: pings behind the 101", at: .upgrade, [.honest, .text(ping), .text(ping)],
      .everything(line: 1)),
    HostileClass(
      "Hasura: connection_error at the end of a token", at: .history,
      [
        .honest,
        .text(#"{"type":"connection_error","payload":"Could not verify JWT: JWTExpired"}"#),
        .close(4400, "x"),
      ], .refused, told: "JWTExpired"),
    HostileClass(
      "Hasura: 4400 for a token that is over", at: .history,
      [.honest, .close(4400, "Could not verify JWT: JWTExpired")], .refused, told: "JWTExpired"),
    HostileClass(
      "Hasura: 1012 so that clients dial again", at: .history, [.honest, .close(1012)],
      .everything(line: 2), told: "1012"),
    HostileClass(
      "Hasura: 503 with Retry-After 0 at its end", at: .upgrade,
      [.answer(503, [Header("Retry-After", "0")])], .everything(line: 2), told: "503"),
  ]

  private static let hotChocolate: [HostileClass] = [
    HostileClass(
      "Hot Chocolate: pongs as keep-alive", at: .history, [.honest, .text(pong), .text(pong)],
      .everything(line: 1)),
    HostileClass(
      "Hot Chocolate: a slip in the document as error", at: .subscription,
      [.text(error("live", "Expected a Name-token"))], .everything(line: 1),
      told: "ended the subscription: Expected a Name-token"),
    HostileClass(
      "Hot Chocolate: complete without an id", at: .history,
      [.honest, .text(#"{"type":"complete"}"#)], .everything(line: 1)),
  ]
}
