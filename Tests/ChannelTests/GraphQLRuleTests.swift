import Channel
import JSON
import Testing
import Text
import WebSocket

/// Rules of graphql-transport-ws that take a whole session, by their names in the checklist of the research. Others are
/// where their matter is: `--filter ruleM3` finds them all.
@Suite struct GraphQLRuleTests {
  private static let transport = "graphql-transport-ws"
  private static let legacy = "graphql-ws"

  private func harness(
    _ subprotocols: [String] = [transport, legacy], profile: Profile = .builtIn,
    _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionHarness {
    try SessionHarness(subprotocols: subprotocols, profile: profile, isScripted: false) {
      $0.dialect = .graphql
      configure(&$0)
    }
  }

  /// On line, with an empty history.
  private func ready(
    subprotocol: String = transport, _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionHarness {
    var harness = try harness([subprotocol], configure)
    harness.open(subprotocol: subprotocol)
    harness.serverSends(#"{"type":"connection_ack"}"#)
    let type = subprotocol == Self.legacy ? "data" : "next"
    harness.serverSends(#"{"type":"\#(type)","id":"2","payload":{"data":{"messages":[]}}}"#)
    harness.serverSends(#"{"type":"complete","id":"2"}"#)
    harness.deliverAnswers()
    #expect(harness.news().contains(.ready))
    return harness
  }

  private func texts(_ harness: SessionHarness) throws -> [JSON] {
    try harness.server.texts.map { try JSON.parse($0) }
  }

  @Test("rule H1: subprotocols are offered in their order, each once, and no Origin is sent")
  func ruleH1() throws {
    var harness = try harness([Self.transport, Self.legacy, Self.transport, Self.legacy])
    harness.handle(.connect)
    harness.linkOpened()
    #expect(
      harness.server.header("Sec-WebSocket-Protocol") == ["graphql-transport-ws, graphql-ws"])
    #expect(harness.server.header("Origin") == [])
  }

  @Test(
    "rule H2: two subprotocols in the answer end the loop",
    arguments: [
      [transport, legacy], [transport, transport], ["graphql-transport-ws, graphql-ws"],
    ])
  func ruleH2(_ selected: [String]) throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.linkOpened()
    var answer = String(decoding: harness.server.acceptance(subprotocol: nil), as: UTF8.self)
    answer.removeLast(2)
    for name in selected { answer += "Sec-WebSocket-Protocol: \(name)\r\n" }
    harness.receive(Array((answer + "\r\n").utf8))
    guard case .offline(.gaveUp(1, let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.kind == .upgrade)
  }

  @Test("rule H2: a profile may allow that none is selected, and then plain text is spoken")
  func ruleH2Allowed() throws {
    var harness = try harness { $0.dialect = .plain }
    harness.open()
    guard case .online(let online) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(online.dialect == .plain)
  }

  @Test("rule H4, table 1.3: behind 4406 the others of the dialect are offered, then it ends")
  func ruleH4() throws {
    var harness = try harness([Self.transport, Self.legacy, "parlour-plain"])
    harness.open(subprotocol: Self.transport)
    harness.serverCloses(4406, "Subprotocol not acceptable")
    #expect(harness.news().contains { if case .waiting(2, _) = $0 { true } else { false } })
    harness.advance(.seconds(2))
    harness.linkOpened()
    #expect(harness.server.header("Sec-WebSocket-Protocol") == [Self.legacy])
    // One of them has to be selected now.
    harness.accept()
    guard case .offline(.gaveUp(_, let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.kind == .upgrade)
  }

  @Test("rule H4: 4406 for each of them is the end, and without a selected one at once")
  func ruleH4End() throws {
    var harness = try harness()
    harness.handle(.connect)
    for subprotocol in [Self.transport, Self.legacy] {
      harness.linkOpened()
      harness.accept(subprotocol: subprotocol)
      harness.serverCloses(4406)
      harness.advance(.seconds(2))
    }
    guard case .offline(.gaveUp(2, _)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    // Another row offers both again.
    harness.handle(.connect)
    harness.linkOpened()
    #expect(
      harness.server.header("Sec-WebSocket-Protocol") == ["graphql-transport-ws, graphql-ws"])
    var bare = try self.harness()
    bare.open()
    bare.serverCloses(4406)
    guard case .offline(.gaveUp(1, _)) = bare.session.state else {
      Issue.record("\(bare.session.state)")
      return
    }
  }

  @Test("rule H6: a message in fragments, with a control frame between them, is one")
  func ruleH6() throws {
    var harness = try ready()
    func fragment(_ first: UInt8, _ text: String) -> [UInt8] {
      [first, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    harness.receive(
      fragment(0x01, #"{"type":"pi"#) + [0x89, 0x01, 0x61] + fragment(0x00, #"ng","payload":{"#)
        + fragment(0x80, #""n":1}}"#))
    #expect(harness.server.texts.last == #"{"type":"pong","payload":{"n":1}}"#)
  }

  @Test("rule M2: what comes for operations that were ended here is no error, nor shown")
  func ruleM2() throws {
    var harness = try ready()
    harness.handle(.join(room: "den"))
    #expect(try texts(harness).contains(["id": "1", "type": "complete"]))
    _ = harness.events()
    for text in [
      #"{"type":"next","id":"1","payload":{"data":{"messageAdded":{"id":"m1","text":"late"}}}}"#,
      #"{"type":"error","id":"1","payload":[{"message":"late"}]}"#,
      #"{"type":"complete","id":"1"}"#, #"{"type":"complete","id":"1"}"#,
    ] { harness.serverSends(text) }
    #expect(harness.news() == [])
  }

  @Test("rule M6: whoever leaves closes with 1000, and no message says so")
  func ruleM6() throws {
    var harness = try ready()
    let before = harness.server.texts.count
    harness.handle(.disconnect)
    #expect(harness.server.closes == [CloseReason(.normal)])
    #expect(harness.server.texts.count == before)
    harness.deliverAnswers()
    #expect(harness.session.state == .offline(.stopped))
  }

  @Test(
    "table 1.3, other 4xxx: told, one slow retry, and where that ends likewise none",
    arguments: [4000, 4001, 4300, 4999])
  func otherCodes(code: Int) throws {
    var harness = try ready()
    harness.serverCloses(code, "too many subscriptions")
    let news = harness.news()
    #expect(
      news.contains(
        .closed(
          CloseReason(CloseCode(rawValue: UInt16(code)), "too many subscriptions"), clean: true)))
    #expect(news.contains(.waiting(attempt: 2, delay: .seconds(30))))
    harness.advance(.seconds(30))
    harness.linkOpened()
    harness.accept(subprotocol: Self.transport)
    harness.serverCloses(code, "still too many")
    guard case .offline(.gaveUp(2, let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.message.contains("still too many"))
  }

  @Test("table 1.3, other 4xxx: a line that held for a while begins anew")
  func otherCodesHeld() throws {
    var harness = try ready()
    for _ in 1...3 {
      harness.advance(.seconds(6))
      harness.deliverAnswers()
      harness.serverCloses(4300)
      // A line that held begins the row anew, but the pause is as long.
      harness.advance(.seconds(30))
      harness.linkOpened()
      harness.accept(subprotocol: Self.transport)
      harness.serverSends(#"{"type":"connection_ack"}"#)
      let history = try texts(harness).last { $0["type"] == "subscribe" }?["id"]?.string ?? ""
      harness.serverSends(
        #"{"type":"next","id":"\#(history)","payload":{"data":{"messages":[]}}}"#)
      guard case .online = harness.session.state else {
        Issue.record("\(harness.session.state)")
        return
      }
    }
  }

  // MARK: - Keep-alives

  /// Lets a server that sends `beat` every so often fall silent; what is written then, but for pings of the WebSocket.
  private func silent(
    after beat: String, every gap: Duration, _ subprotocol: String,
    pingInterval: Duration = .seconds(3_600)
  ) throws -> SessionHarness {
    var harness = try ready(subprotocol: subprotocol) { $0.pingInterval = pingInterval }
    for _ in 1...4 {
      harness.serverSends(beat)
      harness.advance(gap)
    }
    harness.deliverAnswers()
    _ = harness.events()
    return harness
  }

  static let beats: [(String, String)] = [
    (#"{"type":"ka"}"#, legacy), (#"{"type":"ka"}"#, transport), (#"{"type":"pong"}"#, transport),
    (#"{"type":"ping","payload":{"message":"keepalive"}}"#, transport),
  ]

  @Test(
    "keep-alive: silence of twice the interval asks, and a server that answers as a WebSocket only is left",
    arguments: beats)
  func keepAlive(beat: String, subprotocol: String) throws {
    var harness = try silent(after: beat, every: .seconds(8), subprotocol)
    let pings = harness.server.pings.count
    // The last beat was 8 s ago.
    harness.advance(.milliseconds(7_999))
    #expect(harness.server.pings.count == pings)
    harness.advance(.milliseconds(1))
    #expect(harness.server.pings.count == pings + 1)
    let asked = try texts(harness).last?["type"] == "ping"
    #expect(asked == (subprotocol == Self.transport))
    harness.deliverAnswers()
    #expect(harness.news().contains { if case .failed = $0 { true } else { false } } == false)
    harness.advance(.seconds(16))
    let failed = harness.news().compactMap { event -> Failure? in
      if case .failed(let failure) = event { failure } else { nil }
    }
    #expect(failed.map(\.kind) == [.timeout])
    #expect(
      failed.first?.message
        == "The server's keep-alives, which came every 8 s, have stopped, though its WebSocket answers;"
        + " the line is dialled again.")
    #expect(harness.server.closes.first?.code == CloseCode(rawValue: 4499))
    #expect(harness.session.deadline != nil)
  }

  @Test(
    "keep-alive: a silent server is asked, and left in time, also where no pings are sent by the clock",
    arguments: beats)
  func keepAliveWithoutPings(beat: String, subprotocol: String) throws {
    var harness = try silent(
      after: beat, every: .seconds(8), subprotocol, pingInterval: .zero)
    #expect(harness.server.pings.isEmpty)
    harness.advance(.seconds(8))
    #expect(harness.server.pings.count == 1)
    harness.advance(.milliseconds(9_999))
    #expect(harness.news().contains { if case .failed = $0 { true } else { false } } == false)
    harness.advance(.milliseconds(1))
    let failed = harness.news().compactMap { event -> Failure? in
      if case .failed(let failure) = event { failure } else { nil }
    }
    #expect(failed.map(\.short) == ["no pong 10 s"])
  }

  @Test("keep-alive: a sleep behind the question is no silence of the server's, without pings too")
  func keepAliveSleepBehindTheQuestion() throws {
    var harness = try silent(
      after: #"{"type":"ka"}"#, every: .seconds(8), Self.legacy, pingInterval: .zero)
    harness.advance(.seconds(8))
    harness.jump(.seconds(7_200))
    #expect(harness.server.pings.count == 2)
    harness.deliverAnswers()
    harness.serverSends(#"{"type":"ka"}"#)
    harness.advance(.seconds(8))
    #expect(harness.server.pings.count == 2)
    guard case .online = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
  }

  @Test("keep-alive: any message is a sign of life, and so is the answer to the question")
  func keepAliveLife() throws {
    var harness = try silent(
      after: #"{"type":"ka"}"#, every: .seconds(8), Self.transport)
    harness.advance(.seconds(8))
    harness.deliverAnswers()
    harness.advance(.seconds(9))
    harness.serverSends(#"{"type":"pong","payload":{"from":"parlour"}}"#)
    for _ in 1...10 {
      harness.advance(.seconds(15))
      harness.serverSends(#"{"type":"next","id":"nobody","payload":{}}"#)
    }
    guard case .online = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
  }

  @Test("keep-alive: beats around the acknowledgement do not make an interval")
  func keepAliveBurst() throws {
    var harness = try ready(subprotocol: Self.legacy) { $0.pingInterval = .zero }
    for _ in 1...5 {
      harness.serverSends(#"{"type":"ka"}"#)
      harness.advance(.milliseconds(20))
    }
    let pings = harness.server.pings.count
    harness.advance(.seconds(3_600))
    #expect(harness.server.pings.count == pings)
  }

  @Test("keep-alive: without any, silence is left to the pings of the WebSocket")
  func keepAliveNone() throws {
    var harness = try ready { $0.pingInterval = .zero }
    harness.advance(.seconds(3_600))
    #expect(harness.server.pings == [])
  }

  @Test("keep-alive: what AppSync says about its silence counts from the first moment")
  func keepAliveAnnounced() throws {
    var harness = try harness([Self.legacy]) { $0.pingInterval = .zero }
    harness.open(subprotocol: Self.legacy)
    harness.serverSends(
      #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#)
    harness.serverSends(#"{"type":"data","id":"2","payload":{"data":{"messages":[]}}}"#)
    harness.deliverAnswers()
    let pings = harness.server.pings.count
    harness.advance(.seconds(299))
    #expect(harness.server.pings.count == pings)
    harness.advance(.seconds(1))
    #expect(harness.server.pings.count == pings + 1)
    harness.deliverAnswers()
    harness.advance(.seconds(300))
    guard case .connecting = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
  }

  @Test("keep-alive: after a sleep of the machine the server gets another chance")
  func keepAliveSleep() throws {
    var harness = try silent(after: #"{"type":"ka"}"#, every: .seconds(8), Self.legacy)
    harness.jump(.seconds(7_200))
    #expect(harness.news().contains { if case .failed = $0 { true } else { false } } == false)
    harness.deliverAnswers()
    harness.serverSends(#"{"type":"ka"}"#)
    harness.advance(.seconds(15))
    guard case .online = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
  }
}
