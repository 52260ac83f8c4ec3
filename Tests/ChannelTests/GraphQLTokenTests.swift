import Channel
import JSON
import Testing
import Text
import WebSocket

/// A token that expires while the line stands.
@Suite struct GraphQLTokenTests {
  private static let expired =
    #"[{"message":"expired","extensions":{"code":"UNAUTHENTICATED"}}]"#

  /// The ways in which a server refuses an operation that it understands.
  enum Way: CaseIterable {
    case error, result, status, statusWithErrors
  }

  private func refuse(_ line: inout GraphQLWire, _ way: Way) -> [DialectOutput] {
    let id = line.mutation
    let result = #"{"data":null,"errors":\#(Self.expired)}"#
    return switch way {
    case .error: line.error(id, Self.expired)
    case .result: line.receive(#"{"id":"\#(id)","type":"next","payload":\#(result)}"#)
    case .status:
      line.wire.answered(id, .answered(status: 401, body: Array("<html>".utf8)))
    case .statusWithErrors:
      line.wire.answered(
        id, .answered(status: 401, body: Array(#"{"errors":[{"message":"no"}]}"#.utf8)))
    }
  }

  @Test(arguments: Way.allCases)
  func aPostThatIsRefusedForTheTokenGoesOutOnceMoreOnALineWithAFreshOne(way: Way) {
    for mode in Profile.Repeat.allCases {
      var line = GraphQLWire(renewsToken: true) { $0.postRepeat = mode }
      _ = line.open()
      _ = line.acknowledge()
      _ = line.answerHistory([])
      _ = line.post("k1", "x")
      let refused = refuse(&line, way)
      #expect(refused.first == .repeatable(nonce: "k1"))
      #expect(refused.failure?.failure.kind == .refused)
      #expect(refused.failure?.retry == false)
      #expect(line.lost() == [])
      _ = line.open()
      _ = line.acknowledge()
      _ = line.answerHistory([])
      _ = line.post("k1", "x")
      // The fresh one does not do either.
      let again = refuse(&line, way)
      #expect(again.failure == nil)
      let isRejected = again.contains { if case .rejected("k1", _) = $0 { true } else { false } }
      #expect(isRejected)
    }
  }

  @Test(arguments: Way.allCases)
  func withoutAFreshTokenAPostIsRejectedAndTheLineStands(way: Way) {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    let refused = refuse(&line, way)
    #expect(refused.failure == nil)
    let isRejected = refused.contains { if case .rejected("k1", _) = $0 { true } else { false } }
    #expect(isRejected)
  }

  private static func ready() -> GraphQLWire {
    var line = GraphQLWire(renewsToken: true)
    _ = line.open()
    _ = line.acknowledge()
    _ = line.answerHistory([])
    return line
  }

  @Test(arguments: Way.allCases)
  func aHistoryThatIsRefusedForTheTokenLeadsToAnotherLineOnce(way: Way) {
    var line = Self.ready()
    for isFirst in [true, false] {
      _ = line.reconnect()
      let id = line.history
      let refused =
        switch way {
        case .error: line.error(id, Self.expired)
        case .result:
          line.receive(
            #"{"id":"\#(id)","type":"next","payload":{"data":{"messages":null},"errors":\#(Self.expired)}}"#
          )
        case .status: line.wire.answered(id, .answered(status: 401, body: Array("<html>".utf8)))
        case .statusWithErrors:
          line.wire.answered(
            id, .answered(status: 401, body: Array(#"{"errors":[{"message":"no"}]}"#.utf8)))
        }
      // A right that the token does not give is no reason to stay away for ever.
      #expect((refused.failure?.failure.kind == .refused) == isFirst)
      #expect(refused.notices.isEmpty == isFirst)
    }
    // Once it was given, a refusal is a new one.
    _ = line.reconnect()
    _ = line.answerHistory([])
    _ = line.reconnect()
    #expect(line.error(line.history, Self.expired).failure?.failure.kind == .refused)
  }

  /// What came with data was done, at least in part.
  @Test func aPostThatWasTakenWithErrorsIsNotMadeAgain() {
    var line = Self.ready()
    _ = line.post("k1", "x")
    let outputs = line.receive(
      #"{"id":"\#(line.mutation)","type":"next","payload":{"data":{"postMessage":\#(GraphQLWire.message(1))},"errors":\#(Self.expired)}}"#
    )
    #expect(outputs.failure == nil)
    #expect(!outputs.contains(.repeatable(nonce: "k1")))
    let isSent = outputs.contains { if case .sent("k1", _) = $0 { true } else { false } }
    #expect(isSent)
  }

  // MARK: - One operation

  /// The first field may have been carried out before the second was refused.
  @Test func aMutationOfSeveralFieldsIsNotMadeAgain() throws {
    for (document, data, isAgain) in [
      ("mutation { a b }", "null", false), ("mutation { a b }", #"{"a":1,"b":null}"#, false),
      ("mutation { a }", #"{"a":null}"#, true), ("mutation { a }", "null", true),
      ("query { a b }", "null", true), ("query { a b }", #"{"a":1,"b":null}"#, false),
    ] {
      var wire = try task(document)
      let outputs = wire.receive(
        #"{"id":"1","type":"next","payload":{"data":\#(data),"errors":\#(Self.expired)}}"#)
      #expect((outputs.failure?.failure.kind == .refused) == isAgain, "\(document) \(data)")
    }
  }

  private func task(_ document: String, renews: Bool = true) throws -> DialectWire {
    var context = DialectContext(room: "general", nick: "ada")
    context.operation = try GraphQLTask(document: document)
    context.renewsToken = renews
    var wire = DialectWire(.graphql, context)
    _ = wire.open()
    _ = wire.receive(#"{"type":"connection_ack"}"#)
    return wire
  }

  @Test(arguments: ["mutation { a }", "{ a }", "subscription { a }"])
  func anOperationThatIsRefusedForTheTokenIsAskedOnceMore(document: String) throws {
    for refusal in [
      #"{"id":"ID","type":"error","payload":\#(Self.expired)}"#,
      #"{"id":"ID","type":"next","payload":{"data":null,"errors":\#(Self.expired)}}"#,
    ] {
      var wire = try task(document)
      let refused = wire.receive(refusal.replacing("ID", with: "1"))
      #expect(refused.failure?.failure.kind == .refused)
      #expect(refused.count == 1)
      #expect(wire.dialect.lost() == [])
      _ = wire.open()
      let asked = wire.receive(#"{"type":"connection_ack"}"#)
      #expect(asked.sent.map { $0["id"] } == ["2"])
      #expect(asked.contains(.operation(.started(again: true))))
      // The fresh one does not do either: the person sees the answer.
      let again = wire.receive(refusal.replacing("ID", with: "2"))
      #expect(again.failure == nil)
      #expect(!again.isEmpty)
    }
  }

  @Test func withoutAFreshTokenTheRefusalOfAnOperationIsItsResult() throws {
    var wire = try task("mutation { a }", renews: false)
    let refused = wire.receive(#"{"id":"1","type":"error","payload":\#(Self.expired)}"#)
    #expect(refused.failure == nil)
    #expect(refused.count == 1)
  }

  // MARK: - The session

  @Test func theSessionAsksForATokenAndDialsAgain() throws {
    for (token, isFresh) in [("new", true), ("old", false)] {
      var harness = try SessionHarness(
        subprotocols: ["graphql-transport-ws"], profile: .builtIn, isScripted: false
      ) {
        $0.token = Bearer(firstLineOf: "old")
        $0.renewsToken = true
        $0.pingInterval = .zero
      }
      harness.handle(.connect)
      harness.linkOpened()
      harness.accept(subprotocol: "graphql-transport-ws")
      harness.serverSends(#"{"type":"connection_ack"}"#)
      harness.serverSends(#"{"id":"2","type":"next","payload":{"data":{"messages":[]}}}"#)
      harness.serverSends(#"{"id":"2","type":"complete"}"#)
      #expect(harness.events().contains(.ready))
      harness.handle(.post(Post(nonce: "k1", text: "x")))
      harness.serverSends(#"{"id":"3","type":"error","payload":\#(Self.expired)}"#)
      #expect(harness.events().contains(.repeatable(nonce: "k1")))
      #expect(harness.session.wantsToken)
      harness.handle(.renewToken(try #require(Bearer(firstLineOf: token))))
      #expect(harness.link == LinkID(isFresh ? 2 : 1))
      guard !isFresh else { continue }
      guard case .offline(.refused(let failure)) = harness.session.state else {
        Issue.record("\(harness.session.state)")
        return
      }
      #expect(failure.message.contains("the same token came again"))
    }
  }
}
