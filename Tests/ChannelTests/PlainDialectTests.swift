import Channel
import Testing
import WebSocket

@Suite struct PlainDialectTests {
  private static let now = Instant(.zero)

  private static func ready() -> any Dialect {
    var dialect = makeDialect(.plain, DialectContext(room: "r", nick: "n"))
    #expect(dialect.opened(at: now) == [.ready])
    return dialect
  }

  @Test func messagesAreHandedOnAsTheyAre() {
    var dialect = Self.ready()
    let text = Array("{\"type\":1}".utf8)
    #expect(dialect.receive(.text, text.span.bytes, at: Self.now) == [.raw(.text, text)])
    let bytes: [UInt8] = [0, 255]
    #expect(dialect.receive(.binary, bytes.span.bytes, at: Self.now) == [.raw(.binary, bytes)])
    let none: [UInt8] = []
    #expect(dialect.receive(.text, none.span.bytes, at: Self.now) == [.raw(.text, [])])
  }

  @Test func aPostIsSentOnceThePongOfAPingBehindItIsThere() {
    var dialect = Self.ready()
    #expect(
      dialect.post(Post(nonce: "1", text: "hi"), at: Self.now) == [.send("hi"), .barrier])
    #expect(dialect.barrierPassed(at: Self.now) == [.sent(nonce: "1", nil)])
    #expect(dialect.barrierPassed(at: Self.now) == [])
  }

  @Test func postsWrittenAfterThePingNeedAnotherOne() {
    var dialect = Self.ready()
    _ = dialect.post(Post(nonce: "1", text: "a"), at: Self.now)
    #expect(dialect.post(Post(nonce: "2", text: "b"), at: Self.now) == [.send("b")])
    #expect(dialect.post(Post(nonce: "3", text: "c"), at: Self.now) == [.send("c")])
    #expect(dialect.barrierPassed(at: Self.now) == [.sent(nonce: "1", nil), .barrier])
    #expect(
      dialect.barrierPassed(at: Self.now) == [.sent(nonce: "2", nil), .sent(nonce: "3", nil)])
  }

  @Test func whatIsNotConfirmedWhenTheLineIsLostIsUnsure() {
    var dialect = Self.ready()
    _ = dialect.post(Post(nonce: "1", text: "a"), at: Self.now)
    _ = dialect.post(Post(nonce: "2", text: "b"), at: Self.now)
    #expect(dialect.lost() == [.unsure(nonce: "1"), .unsure(nonce: "2")])
    #expect(dialect.opened(at: Self.now) == [.ready])
    // A barrier of the old line confirms nothing of the new one.
    #expect(dialect.barrierPassed(at: Self.now) == [])
    #expect(dialect.lost() == [])
  }

  @Test func roomsAndNicksAreUnknownAndTheGeneralTableOfCloseCodesHolds() {
    var dialect = Self.ready()
    #expect(dialect.join(room: "x", at: Self.now) == [])
    #expect(dialect.rename(nick: "x", at: Self.now) == [])
    #expect(dialect.timeReached(at: Self.now) == [])
    #expect(dialect.deadline == nil)
    #expect(dialect.verdict(on: CloseReason(.normal), isReady: true) == nil)
  }

  @Test func subprotocolsChooseTheirDialect() {
    #expect(
      Subprotocols.all.map(\.name)
        == ["graphql-transport-ws", "graphql-ws", "parlour-envelope", "parlour-plain"])
    #expect(Subprotocols.dialect(of: "graphql-transport-ws") == .graphql)
    #expect(Subprotocols.dialect(of: "parlour-envelope") == .envelope)
    #expect(Subprotocols.dialect(of: "parlour-plain") == .plain)
    #expect(Subprotocols.dialect(of: "graphql-ws") == .graphql)
    #expect(Subprotocols.dialect(of: "GraphQL-Transport-WS") == nil)
    #expect(Subprotocols.dialect(of: nil) == nil)
    for name in DialectName.allCases {
      let dialect = makeDialect(name, DialectContext(room: "r", nick: "n"))
      #expect(type(of: dialect).name == name)
    }
  }
}
