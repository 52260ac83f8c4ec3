import Testing
import WebSocket

@testable import Server

@Suite struct AdmissionTests {
  @Test(arguments: [
    (["graphql-transport-ws", "parlour-plain"], "graphql-transport-ws"),
    (["parlour-plain", "graphql-transport-ws"], "parlour-plain"),
    (["x", "parlour-envelope"], "parlour-envelope"),
    (["mqtt"], nil),
    ([], nil),
  ])
  func theFirstKnownSubprotocolOfTheClientsListIsChosen(offered: [String], chosen: String?) {
    let bench = Bench()
    let client = bench.connect("/any/path", offered)
    #expect(client.refusal == nil)
    #expect(client.subprotocol == chosen)
  }

  @Test func anUnknownSubprotocolLeavesThePlainDialect() {
    let bench = Bench()
    let ada = bench.connect("/?room=den&nick=ada", ["mqtt"])
    let bob = bench.connect("/chat?nick=bob&room=den")
    bench.send("hi", from: ada)
    #expect(bob.take() == ["ada: hi"])
  }

  @Test func namesInTheQueryAreDecoded() {
    let bench = Bench()
    let ada = bench.connect("/?room=d%65n+1&nick=a%C3%A9")
    let bob = bench.connect("/?room=den%201")
    bench.send("hi", from: ada)
    #expect(bob.take() == ["aé: hi"])
  }

  @Test func aRequestWithoutUpgradeIsToldWhatThisIs() {
    let answer = Bench().raw("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(answer.written.hasPrefix("HTTP/1.1 426 Upgrade Required\r\n"))
    #expect(answer.written.contains("\r\nUpgrade: websocket\r\n"))
    #expect(answer.written.contains("This is a WebSocket server"))
    #expect(answer.isFinished)
  }

  @Test func healthIsAnsweredEvenWhileUpgradesAreRefused() {
    let bench = Bench { $0.refuse = 1 }
    let answer = bench.raw("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(answer.written.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.written.hasSuffix("\r\n\r\nok\n"))
    #expect(bench.connect().refusal?.status == 503)
  }

  @Test func aMalformedRequestIsAnsweredAndEnded() {
    let answer = Bench().raw("\u{1}\u{2}\r\n\r\n")
    #expect(answer.written.hasPrefix("HTTP/1.1 400 "))
    #expect(answer.isFinished)
  }

  @Test func onlyTheNextConnectionsAreRefused() {
    let bench = Bench { $0.refuse = 2 }
    let refused = [bench.connect(), bench.connect()]
    #expect(refused.map { $0.refusal?.status } == [503, 503])
    #expect(refused.allSatisfy { $0.isFinished })
    #expect(refused[0].refusalText.contains("(1 more)"))
    #expect(bench.connect().refusal == nil)
    bench.server.refuse(next: 1)
    #expect(bench.connect().refusal?.status == 503)
  }

  @Test func aFullServerRefusesUntilSomebodyLeaves() {
    let bench = Bench { $0.maxConnections = 2 }
    let first = bench.connect()
    _ = bench.connect()
    #expect(bench.connect().refusal?.status == 503)
    bench.end(first)
    #expect(bench.connect().refusal == nil)
  }

  @Test func aFullServerCutsConnectionsThatPileUp() {
    let bench = Bench { $0.maxConnections = 1 }
    var actions: [ServerAction] = []
    for number in 1...65 {
      actions += bench.server.accepted(ConnectionID(number), at: .zero)
    }
    #expect(actions == [])
    #expect(
      bench.server.accepted(ConnectionID(66), at: .zero) == [.drop(ConnectionID(66))])
  }

  @Test(arguments: ["/?nick=%01", "/?room=", "/?nick=" + String(repeating: "x", count: 65)])
  func namesOutOfBoundsAreRefusedWithASentence(target: String) {
    let client = Bench().connect(target)
    #expect(client.refusal?.status == 400)
    #expect(client.refusalText.contains("choose"))
  }

  // MARK: Tokens

  private static func guarded() -> Bench { Bench { $0.tokens = ["other", "s3cret"] } }

  @Test(arguments: ["Bearer s3cret", "bearer  s3cret ", "s3cret", "Bearer other"])
  func aRightTokenInTheHeaderOpens(value: String) {
    let client = Self.guarded().connect("/", headers: [Header("authorization", value)])
    #expect(client.refusal == nil)
  }

  @Test(arguments: ["Bearer wrong", "Bearer s3cre", "Bearer s3crett", "Bearer ", "Basic s3cret"])
  func aWrongTokenIsRefusedInEveryDialect(value: String) {
    for offered in [[], ["parlour-envelope"], [Bench.transport]] {
      let client = Self.guarded().connect("/", offered, headers: [Header("Authorization", value)])
      #expect(client.refusal?.status == 401)
      #expect(client.refusal?.headers.contains { $0.name == "WWW-Authenticate" } == true)
      #expect(client.refusal?.body.isEmpty == false)
      #expect(client.isFinished)
    }
  }

  @Test func aTokenInTheQueryOpens() {
    #expect(Self.guarded().connect("/?access_token=s3cret").refusal == nil)
    #expect(Self.guarded().connect("/?access_token=wrong").refusal?.status == 401)
  }

  @Test func withoutATokenOnlyGraphQLGetsAsFarAsItsIntroduction() {
    #expect(Self.guarded().connect().refusal?.status == 401)
    #expect(Self.guarded().connect("/", ["parlour-envelope"]).refusal?.status == 401)
    #expect(Self.guarded().connect("/", [Bench.transport]).refusal == nil)
  }

  @Test(arguments: [
    #"{"Authorization":"Bearer s3cret"}"#, #"{"authToken":"s3cret"}"#, #"{"token":"s3cret"}"#,
    #"{"headers":{"Authorization":"Bearer s3cret"}}"#,
  ])
  func theIntroductionMayCarryTheToken(payload: String) {
    let bench = Self.guarded()
    let client = bench.connect("/", [Bench.transport])
    bench.send(#"{"type":"connection_init","payload":\#(payload)}"#, from: client)
    #expect(client.take() == [Bench.acknowledgement])
  }

  @Test(arguments: [
    #"{"type":"connection_init"}"#, #"{"type":"connection_init","payload":{"token":"wrong"}}"#,
    #"{"type":"connection_init","payload":{"token":5}}"#,
  ])
  func anIntroductionWithoutTheTokenIsForbidden(message: String) {
    let bench = Self.guarded()
    let client = bench.connect("/", [Bench.transport])
    bench.send(message, from: client)
    #expect(client.closed == CloseReason(CloseCode(rawValue: 4403), "Forbidden"))
    #expect(client.take() == [])
    #expect(client.isFinished)
  }

  @Test func aTokenInTheHeaderIsEnoughForTheIntroduction() {
    let bench = Self.guarded()
    let client = bench.connect(
      "/", [Bench.transport], headers: [Header("Authorization", "Bearer s3cret")])
    bench.send(#"{"type":"connection_init"}"#, from: client)
    #expect(client.take() == [Bench.acknowledgement])
  }
}
