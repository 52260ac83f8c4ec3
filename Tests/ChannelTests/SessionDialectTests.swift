import Channel
import Testing
import WebSocket

/// The session with the dialects of the program.
struct SessionDialectTests {
  @Test func aPlainPostIsSentWhenItsBarrierHasPassed() throws {
    var harness = try SessionHarness(isScripted: false)
    harness.open()
    harness.handle(.post(Post(nonce: "n1", text: "hello")))
    #expect(harness.server.texts == ["hello"])
    #expect(!harness.news().contains(.sent(nonce: "n1", nil)))
    harness.deliverAnswers()
    #expect(harness.news() == [.sent(nonce: "n1", nil)])
  }

  @Test func aPlainPostOfALineThatWasCutIsUnsure() throws {
    var harness = try SessionHarness(isScripted: false)
    harness.open()
    harness.handle(.post(Post(nonce: "n1", text: "hello")))
    _ = harness.events()
    harness.handle(.linkEnded(harness.link, nil))
    #expect(harness.news().first == .unsure(nonce: "n1"))
  }

  @Test func graphQLIsOnLineAfterAcknowledgementAndHistory() throws {
    var harness = try SessionHarness(
      subprotocols: ["graphql-transport-ws"], profile: .builtIn, isScripted: false)
    harness.open(subprotocol: "graphql-transport-ws")
    #expect(harness.server.texts.count == 1)
    #expect(harness.server.texts.first?.contains("connection_init") == true)
    harness.serverSends(#"{"type":"connection_ack"}"#)
    let history = try #require(harness.server.texts.first { $0.contains("query History") })
    let id = try #require(history.firstMatch(of: /"id":"([0-9]+)"/)).output.1
    _ = harness.events()
    harness.serverSends(
      #"{"type":"next","id":"\#(id)","payload":{"data":{"messages":[]}}}"#)
    harness.serverSends(#"{"type":"complete","id":"\#(id)"}"#)
    #expect(harness.news().contains(.ready))
    guard case .online = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
  }

  @Test func aGraphQLServerThatClosesBeforeItsAcknowledgementRefuses() throws {
    var harness = try SessionHarness(
      subprotocols: ["graphql-transport-ws"], profile: .builtIn, isScripted: false)
    harness.open(subprotocol: "graphql-transport-ws")
    harness.serverCloses(1000, "terminated")
    guard case .offline(.refused(let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.message.contains("terminated"))
  }
}
