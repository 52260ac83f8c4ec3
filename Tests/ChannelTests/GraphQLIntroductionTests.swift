import Channel
import JSON
import Testing
import Text
import WebSocket

/// From the upgrade to readiness.
@Suite struct GraphQLIntroductionTests {
  @Test("connection_init is the first message, and nothing else is sent until the acknowledgement")
  func messageConnectionInit() {
    var line = GraphQLWire()
    #expect(line.open() == [.send(#"{"type":"connection_init"}"#)])
    #expect(line.wire.dialect.deadline == Instant(.seconds(10)))
    #expect(line.acknowledge().types == ["subscribe", "subscribe"])
  }

  static let payloads: [(String?, JSON?, String)] = [
    (nil, ["Authorization": "Bearer {token}"], #"{"type":"connection_init"}"#),
    (
      "T", ["Authorization": "Bearer {token}"],
      #"{"type":"connection_init","payload":{"Authorization":"Bearer T"}}"#
    ),
    (
      "T", ["headers": ["Authorization": "Bearer {token}"]],
      #"{"type":"connection_init","payload":{"headers":{"Authorization":"Bearer T"}}}"#
    ),
    ("T", ["authToken": "{token}"], #"{"type":"connection_init","payload":{"authToken":"T"}}"#),
    ("T", nil, #"{"type":"connection_init","payload":{"Authorization":"Bearer T"}}"#),
    (nil, ["client": "x"], #"{"type":"connection_init","payload":{"client":"x"}}"#),
    (nil, nil, #"{"type":"connection_init"}"#),
  ]

  @Test(arguments: payloads)
  func theTokenTravelsInTheIntroduction(token: String?, template: JSON?, expected: String) {
    var line = GraphQLWire(token: token) { $0.authInit = template }
    #expect(line.open() == [.send(expected)])
  }

  @Test("rule M8: the subscription is asked for first, and the history after it")
  func ruleM8() {
    var line = GraphQLWire()
    _ = line.open()
    let asked = line.acknowledge().sent
    #expect(asked.map { $0["id"] } == ["1", "2"])
    #expect(asked.first?["payload"]?["operationName"] == "Live")
    #expect(asked.first?["payload"]?["variables"]?.text == #"{"room":"general"}"#)
    #expect(asked.last?["payload"]?["operationName"] == "History")
    #expect(
      asked.last?["payload"]?["variables"]?.text == #"{"room":"general","last":50}"#)
    #expect(asked.last?["payload"]?["query"]?.string == Profile.builtIn.history?.document)
  }

  @Test func itIsReadyWithTheFirstHistory() {
    var line = GraphQLWire()
    _ = line.open()
    #expect(!line.acknowledge().isReady)
    let answer = line.answerHistory(GraphQLWire.messages(1...2))
    #expect(answer.origins == ["m1 history", "m2 history"])
    #expect(answer.last == .ready)
  }

  @Test func itIsReadyWhenTheHistoryFails() {
    var line = GraphQLWire()
    _ = line.open()
    _ = line.acknowledge()
    let answer = line.error(line.history, #"[{"message":"no such field"}]"#)
    #expect(answer.isReady)
    #expect(answer.notices == ["The server did not give the history: no such field"])
  }

  @Test func itIsReadyWhenTheHistoryDoesNotComeForTenSeconds() {
    var line = GraphQLWire()
    _ = line.open()
    _ = line.acknowledge()
    _ = line.say(GraphQLWire.message(7))
    #expect(!line.pass(.milliseconds(9_999)).isReady)
    let outputs = line.pass(.milliseconds(1))
    #expect(outputs.isReady)
    #expect(outputs.origins == ["m7 live"])
    // It comes all the same.
    #expect(line.answerHistory(GraphQLWire.messages(6...7)).origins == ["m6 history"])
  }

  @Test func withoutAHistoryInTheProfileItIsReadyWithTheAcknowledgement() {
    var line = GraphQLWire { $0.history = nil }
    _ = line.open()
    let answer = line.acknowledge()
    #expect(answer.types == ["subscribe"])
    #expect(answer.isReady)
  }

  /// Bug 1: Hasura and Apollo's router ping right after opening.
  @Test("report 1: a ping before the acknowledgement is answered with its payload")
  func report1() {
    var line = GraphQLWire()
    _ = line.open()
    #expect(
      line.receive(#"{"type":"ping","payload":{"message":"keepalive"}}"#)
        == [.send(#"{"type":"pong","payload":{"message":"keepalive"}}"#)])
    #expect(line.receive(#"{"type":"ping"}"#) == [.send(#"{"type":"pong"}"#)])
    #expect(line.receive(#"{"type":"ping","payload":null}"#) == [.send(#"{"type":"pong"}"#)])
    #expect(line.acknowledge().types == ["subscribe", "subscribe"])
  }

  /// Bugs 2 and 11.
  @Test("reports 2 and 11: keep-alives and unasked pongs are ignored at any time")
  func reports2And11() {
    var line = GraphQLWire()
    _ = line.open()
    #expect(line.receive(#"{"type":"ka"}"#) == [])
    #expect(line.receive(#"{"type":"pong","payload":{"a":1}}"#) == [])
    _ = line.acknowledge()
    _ = line.answerHistory([])
    #expect(line.receive(#"{"type":"ka"}"#) == [])
    #expect(line.post("n", "x").types == ["subscribe"])
  }

  @Test("connection_ack: a second one changes nothing")
  func messageConnectionAckTwice() {
    var line = GraphQLWire.ready()
    #expect(line.receive(#"{"type":"connection_ack","payload":{"server":"x"}}"#) == [])
  }

  /// Bug 13 and 24: the time is settable, and each line introduces itself once.
  @Test func withoutAnAcknowledgementTheLineIsClosedWith4504AndTriedAgain() {
    var line = GraphQLWire()
    _ = line.open()
    #expect(line.pass(.milliseconds(9_999)) == [])
    let failure = line.pass(.milliseconds(1)).failure
    #expect(
      failure?.reason
        == CloseReason(CloseCode(rawValue: 4504), "Connection acknowledgement timeout"))
    #expect(failure?.failure.kind == .timeout)
    #expect(failure?.retry == true)
    #expect(line.wire.dialect.deadline == nil)
    #expect(line.acknowledge() == [])
    _ = line.lost()
    #expect(line.open().types == ["connection_init"])
  }

  @Test func theTimeForTheAcknowledgementIsTheContexts() {
    var context = DialectContext(room: "r", nick: "n")
    context.acknowledgementTimeout = .seconds(30)
    var wire = DialectWire(.graphql, context)
    wire.now = Instant(.seconds(5))
    _ = wire.open()
    #expect(wire.dialect.deadline == Instant(.seconds(35)))
  }

  /// Bug 3: the reason comes in a legacy message before the close.
  @Test func theTextOfAConnectionErrorIsKeptForTheVerdict() {
    var line = GraphQLWire()
    _ = line.open()
    #expect(
      line.receive(#"{"type":"connection_error","payload":{"message":"JWTExpired"}}"#)
        == [.notice(UntrustedText("JWTExpired"))])
    for reason in [CloseReason(CloseCode(rawValue: 4400)), CloseReason(.noStatus)] {
      let verdict = line.wire.dialect.verdict(on: reason, isReady: false)
      #expect(verdict?.course == .refused)
      #expect(verdict?.failure.message.contains("JWTExpired") == true)
    }
  }

  @Test func aConnectionErrorWithoutACloseIsARefusalOnceTheTimeIsUp() {
    var line = GraphQLWire()
    _ = line.open()
    _ = line.receive(#"{"type":"connection_error","payload":"go away"}"#)
    let failure = line.pass(.seconds(10)).failure
    #expect(failure?.failure.kind == .refused)
    #expect(failure?.retry == false)
    #expect(failure?.failure.message.contains("go away") == true)
  }

  @Test func nothingIsAskedForAgainOnceTheLineIsGone() {
    var line = GraphQLWire()
    _ = line.open()
    #expect(line.lost() == [])
    #expect(line.wire.dialect.deadline == nil)
    #expect(line.acknowledge() == [])
    #expect(line.pass(.seconds(100)) == [])
  }
}
