import Channel
import JSON
import Testing

/// A GraphQL line under test: what the client wrote, by operation, and short ways to answer.
struct GraphQLWire {
  var wire: DialectWire
  /// The ids of what was asked for last.
  private(set) var live = ""
  private(set) var history = ""
  private(set) var mutation = ""
  /// For tests that answer in the server's place.
  var isNewestFirst = false

  init(
    history count: Int = 50, after: String? = nil, token: String? = nil, renewsToken: Bool = false,
    _ change: (inout Profile) -> Void = { _ in }
  ) {
    var profile = Profile.builtIn
    change(&profile)
    var context = DialectContext(
      room: "general", nick: "ada", historyCount: count, after: after,
      token: token.flatMap { Bearer(firstLineOf: $0) }, profile: profile)
    context.renewsToken = renewsToken
    wire = DialectWire(.graphql, context)
  }

  /// Opened, acknowledged, with an empty or a given history.
  static func ready(
    _ messages: [String] = [], _ change: (inout Profile) -> Void = { _ in }
  ) -> GraphQLWire {
    var line = GraphQLWire(change)
    _ = line.open()
    _ = line.receive(#"{"type":"connection_ack"}"#)
    _ = line.answerHistory(messages)
    return line
  }

  mutating func note(_ outputs: [DialectOutput]) -> [DialectOutput] {
    for frame in outputs.sent where frame["type"] == "subscribe" {
      let id = frame["id"]?.string ?? ""
      let document = frame["payload"]?["query"]?.string ?? ""
      if document.hasPrefix("subscription") {
        live = id
      } else if document.hasPrefix("mutation") {
        mutation = id
      } else {
        history = id
      }
    }
    return outputs
  }

  mutating func open() -> [DialectOutput] { note(wire.open()) }
  mutating func receive(_ text: String) -> [DialectOutput] { note(wire.receive(text)) }
  mutating func pass(_ duration: Duration) -> [DialectOutput] { note(wire.pass(duration)) }
  mutating func join(_ room: String) -> [DialectOutput] { note(wire.join(room)) }
  mutating func post(_ nonce: String, _ text: String) -> [DialectOutput] {
    note(wire.post(nonce, text))
  }
  mutating func lost() -> [DialectOutput] { wire.dialect.lost() }

  mutating func acknowledge() -> [DialectOutput] { receive(#"{"type":"connection_ack"}"#) }

  /// Loses the line, opens and acknowledges a new one; what the acknowledgement led to.
  mutating func reconnect() -> [DialectOutput] {
    _ = lost()
    _ = open()
    return acknowledge()
  }

  mutating func answerHistory(_ messages: [String]) -> [DialectOutput] {
    let id = history
    let list = messages.joined(separator: ",")
    return receive(
      #"{"id":"\#(id)","type":"next","payload":{"data":{"messages":[\#(list)]}}}"#)
      + receive(#"{"id":"\#(id)","type":"complete"}"#)
  }

  mutating func say(_ message: String) -> [DialectOutput] {
    receive(#"{"id":"\#(live)","type":"next","payload":{"data":{"messageAdded":\#(message)}}}"#)
  }

  mutating func answerPost(_ message: String) -> [DialectOutput] {
    let id = mutation
    return receive(
      #"{"id":"\#(id)","type":"next","payload":{"data":{"postMessage":\#(message)}}}"#)
      + receive(#"{"id":"\#(id)","type":"complete"}"#)
  }

  mutating func error(_ id: String, _ payload: String = #"[{"message":"no"}]"#) -> [DialectOutput] {
    receive(#"{"id":"\#(id)","type":"error","payload":\#(payload)}"#)
  }

  static func message(
    _ number: Int, room: String = "general", author: String = "bob", nonce: String? = nil
  ) -> String {
    let nonce = nonce.map { "\"\($0)\"" } ?? "null"
    let second = number % 60
    return
      #"{"id":"m\#(number)","seq":\#(number),"room":"\#(room)","author":"\#(author)","text":"t\#(number)","#
      + #""sentAt":"2026-01-01T00:00:\#(second < 10 ? "0" : "")\#(second).000Z","clientId":\#(nonce)}"#
  }

  static func messages(_ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { message($0) }
  }
}

extension [DialectOutput] {
  /// The variables of the operations that were asked for and whose document begins so.
  func variables(of kind: String) -> [JSON] {
    sent.filter { $0["payload"]?["query"]?.string?.hasPrefix(kind) == true }
      .map { $0["payload"]?["variables"] ?? .null }
  }

  /// The `type` of everything that was written.
  var types: [String] { sent.map { $0["type"]?.string ?? "" } }
}
