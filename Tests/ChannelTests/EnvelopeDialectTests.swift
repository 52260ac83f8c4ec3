import Channel
import JSON
import Testing
import Text
import WebSocket

@Suite struct EnvelopeDialectTests {
  private static func line(
    history: Int = 50, after: String? = nil
  ) -> DialectWire {
    DialectWire(
      .envelope, DialectContext(room: "lobby", nick: "ada", historyCount: history, after: after))
  }

  private static func frame(_ kind: String, _ payload: String) -> String {
    JSON.object([.init("kind", .string(kind)), .init("payload", .string(base64(payload)))]).text
  }

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = ""
    for byte in text.utf8 {
      let digits = String(byte, radix: 2)
      bits += String(repeating: "0", count: 8 - digits.count) + digits
    }
    var result = ""
    var rest = Substring(bits)
    while !rest.isEmpty {
      let group = rest.prefix(6) + String(repeating: "0", count: 6 - min(6, rest.count))
      result.append(alphabet[Int(group, radix: 2) ?? 0])
      rest = rest.dropFirst(6)
    }
    return result + String(repeating: "=", count: (4 - result.count % 4) % 4)
  }

  private static func message(_ id: String, _ text: String, room: String = "lobby") -> String {
    #"{"id":"\#(id)","room":"\#(room)","author":"bob","text":"\#(text)","time":"2026-01-01T00:00:07Z"}"#
  }

  /// The kinds and payloads of what was written.
  private static func opened(_ outputs: [DialectOutput]) throws -> [(String, JSON)] {
    try outputs.sent.map { frame in
      let kind = try #require(frame["kind"]?.string)
      let payload = try #require(frame["payload"]?.string)
      return (kind, try JSON.parse(unbase64(payload)))
    }
  }

  private static func unbase64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = ""
    for character in text where character != "=" {
      let digits = String(alphabet.firstIndex(of: character) ?? 0, radix: 2)
      bits += String(repeating: "0", count: 6 - digits.count) + digits
    }
    var bytes: [UInt8] = []
    var rest = Substring(bits)
    while rest.count >= 8 {
      bytes.append(UInt8(rest.prefix(8), radix: 2) ?? 0)
      rest = rest.dropFirst(8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func itJoinsTheRoomAndIsReadyWithTheHistory() throws {
    var wire = Self.line()
    let join = try Self.opened(wire.open())
    #expect(join.map(\.0) == ["join"])
    #expect(join.first?.1.text == #"{"room":"lobby","nick":"ada","last":50}"#)
    let answer = wire.receive(
      Self.frame("history", #"{"room":"lobby","messages":[\#(Self.message("m1", "hi"))]}"#))
    var expected = ChatMessage(
      id: "m1", author: UntrustedText("bob"), text: UntrustedText("hi"),
      time: Timestamp(milliseconds: 1_767_225_607_000))
    expected.cursor = "m1"
    #expect(answer == [.messages([expected], .history), .ready])
    #expect(wire.dialect.deadline == nil)
  }

  @Test func literalBytesOfAPostAreBase64OfCompactJSON() {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    // printf '{"room":"lobby","author":"ada","text":"hi","nonce":"n1"}' | base64 -w0
    let payload =
      "eyJyb29tIjoibG9iYnkiLCJhdXRob3IiOiJhZGEiLCJ0ZXh0IjoiaGkiLCJub25jZSI6Im4xIn0="
    #expect(
      wire.post("n1", "hi") == [.send(#"{"kind":"post","payload":"\#(payload)"}"#)])
  }

  @Test func aPayloadThatIsAnObjectIsUnderstoodToo() {
    var wire = Self.line()
    _ = wire.open()
    let answer = wire.receive(
      #"{"payload":{"messages":[\#(Self.message("m1", "hi"))]},"kind":"history"}"#)
    #expect(answer.ids == ["m1"])
    #expect(answer.isReady)
  }

  @Test func theHistoryIsReportedBeforeWhatCameMeanwhile() {
    var wire = Self.line()
    _ = wire.open()
    #expect(wire.receive(Self.frame("message", Self.message("m2", "b"))) == [])
    let answer = wire.receive(
      Self.frame("history", #"{"messages":[\#(Self.message("m1", "a"))]}"#))
    #expect(answer.origins == ["m1 history", "m2 live"])
  }

  @Test func aServerThatKnowsNoJoinGetsPostsAfterTwoSeconds() {
    var wire = Self.line()
    _ = wire.open()
    #expect(wire.dialect.deadline == Instant(.seconds(2)))
    #expect(!wire.pass(.milliseconds(1999)).isReady)
    #expect(wire.pass(.milliseconds(1)) == [.ready])
    let post = wire.post("n1", "hi")
    #expect(post.count == 2 && post.last == .barrier)
    #expect(wire.dialect.barrierPassed(at: wire.now) == [.sent(nonce: "n1", nil)])
    _ = wire.post("n2", "ho")
    #expect(wire.dialect.lost() == [.unsure(nonce: "n2")])
  }

  @Test func anOwnPostIsReportedOnceAsAMessageAndThenAsSent() {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    _ = wire.post("n1", "hi")
    let answer = wire.receive(
      Self.frame("posted", #"{"nonce":"n1","message":\#(Self.message("m1", "hi"))}"#))
    #expect(answer.origins == ["m1 live"])
    guard case .sent(nonce: "n1", let message?) = answer.last else {
      Issue.record("no sent: \(answer)")
      return
    }
    #expect(message.isMine)
    #expect(message.nonce == "n1")
    #expect(wire.receive(Self.frame("message", Self.message("m1", "hi"))) == [])
  }

  @Test func anEchoBeforeTheAnswerIsNotDoubled() {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    _ = wire.post("n1", "hi")
    #expect(wire.receive(Self.frame("message", Self.message("m1", "hi"))).ids == ["m1"])
    let answer = wire.receive(
      Self.frame("posted", #"{"nonce":"n1","message":\#(Self.message("m1", "hi"))}"#))
    #expect(answer.ids == [])
    #expect(answer.count == 1)
  }

  @Test func afterALossItGoesOnAtTheCursorAndReportsWhatWasMissed() throws {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[\#(Self.message("m1", "a"))]}"#))
    _ = wire.receive(Self.frame("message", Self.message("m2", "b")))
    #expect(wire.dialect.lost() == [])
    let join = try Self.opened(wire.open())
    #expect(join.first?.1["after"] == "m2")
    let answer = wire.receive(
      Self.frame(
        "history",
        #"{"messages":[\#(Self.message("m2", "b")),\#(Self.message("m3", "c"))]}"#))
    #expect(answer.origins == ["m3 missed"])
    #expect(answer.isReady)
  }

  @Test func aFullPageOfMissedMessagesIsFollowedByTheNext() throws {
    var wire = Self.line(after: "m0")
    let join = try Self.opened(wire.open())
    #expect(join.first?.1["after"] == "m0")
    let page = (1...50).map { Self.message("m\($0)", "t") }.joined(separator: ",")
    let first = wire.receive(Self.frame("history", #"{"messages":[\#(page)]}"#))
    #expect(first.ids.count == 50)
    #expect(!first.isReady)
    #expect(try Self.opened(first).first?.1["after"] == "m50")
    let second = wire.receive(
      Self.frame("history", #"{"messages":[\#(Self.message("m51", "t"))]}"#))
    #expect(second.origins == ["m51 missed"])
    #expect(second.isReady)
  }

  @Test func theFirstPostIsRepeatableWhereTheHistorySaysThatNoncesAreKnown() {
    for (said, isRepeatable) in [("true", true), ("false", false), ("null", false), ("1", false)] {
      var wire = Self.line()
      _ = wire.open()
      _ = wire.receive(Self.frame("history", #"{"messages":[],"nonces":\#(said)}"#))
      _ = wire.post("n1", "a")
      #expect(
        wire.dialect.lost() == [isRepeatable ? .repeatable(nonce: "n1") : .unsure(nonce: "n1")])
    }
  }

  @Test func whoWritesIsToldWhereTheServerKnowsIt() throws {
    var wire = Self.line()
    _ = wire.open()
    #expect(wire.dialect.typing().isEmpty)
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    #expect(wire.dialect.typing().isEmpty)
    _ = wire.dialect.lost()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[],"typing":true}"#))
    let sent = try Self.opened(wire.dialect.typing())
    #expect(sent.map(\.0) == ["typing"])
    #expect(
      sent.first?.1 == .object([.init("room", .string("lobby")), .init("nick", .string("ada"))]))
    func heard(_ payload: String) -> [DialectOutput] { wire.receive(Self.frame("typing", payload)) }
    #expect(heard(#"{"room":"lobby","nick":"ko"}"#) == [.typing(UntrustedText("ko"))])
    #expect(heard(#"{"nick":"ko"}"#) == [.typing(UntrustedText("ko"))])
    #expect(heard(#"{"room":"dev","nick":"ko"}"#).isEmpty)
    #expect(heard(#"{"room":"lobby","nick":"ada"}"#).isEmpty)
  }

  @Test func postsUnderWayAreRepeatableOnlyIfTheServerKnowsNonces() {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    _ = wire.post("n1", "a")
    #expect(wire.dialect.lost() == [.unsure(nonce: "n1")])
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    _ = wire.post("n2", "b")
    _ = wire.receive(
      Self.frame("posted", #"{"nonce":"n2","message":\#(Self.message("m1", "b"))}"#))
    _ = wire.post("n3", "c")
    _ = wire.post("n4", "d")
    #expect(wire.dialect.lost() == [.repeatable(nonce: "n3"), .repeatable(nonce: "n4")])
  }

  @Test func rejectionsMembersAndErrorsAreTold() {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    _ = wire.post("n1", "a")
    #expect(
      wire.receive(Self.frame("rejected", #"{"nonce":"n1","reason":"too long"}"#))
        == [.rejected(nonce: "n1", reason: UntrustedText("too long"))])
    #expect(
      wire.receive(Self.frame("members", #"{"room":"lobby","names":["ada",5,"bob"]}"#))
        == [.members([UntrustedText("ada"), UntrustedText("bob")])])
    #expect(wire.receive(Self.frame("members", #"{"room":"other","names":["x"]}"#)) == [])
    #expect(
      wire.receive(Self.frame("error", #"{"message":"no"}"#)) == [.notice(UntrustedText("no"))])
  }

  @Test func anotherRoomIsJoinedAndTheOldOnesMessagesAreNotShown() throws {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[\#(Self.message("m1", "a"))]}"#))
    let join = try Self.opened(wire.join("games"))
    #expect(join.first?.1.text == #"{"room":"games","nick":"ada","last":50}"#)
    #expect(wire.receive(Self.frame("message", Self.message("m2", "b"))) == [])
    let answer = wire.receive(
      Self.frame(
        "history",
        #"{"room":"games","messages":[\#(Self.message("m3", "c", room: "games"))]}"#))
    #expect(answer.origins == ["m3 history"])
    #expect(!answer.isReady)
    let back = try Self.opened(wire.join("lobby"))
    #expect(back.first?.1["after"] == "m1")
  }

  @Test func aNewNickIsToldToTheServer() throws {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    let join = try Self.opened(wire.dialect.rename(nick: "eve", at: wire.now))
    #expect(join.first?.1["nick"] == "eve")
    let post = try Self.opened(wire.post("n", "x"))
    #expect(post.first?.1["author"] == "eve")
  }

  @Test func withoutAWishForHistoryOnlyTheCursorIsTaken() throws {
    var wire = Self.line(history: 0)
    let join = try Self.opened(wire.open())
    #expect(join.first?.1["last"] == 1)
    let answer = wire.receive(
      Self.frame("history", #"{"messages":[\#(Self.message("m7", "a"))]}"#))
    #expect(answer == [.ready])
    _ = wire.dialect.lost()
    #expect(try Self.opened(wire.open()).first?.1["after"] == "m7")
  }

  static let foreign: [String] = [
    "", "hello", "[]", "{}", "5", #"{"kind":"message"}"#, #"{"kind":5,"payload":""}"#,
    #"{"kind":"message","payload":""}"#, #"{"kind":"message","payload":"!!!!"}"#,
    #"{"kind":"message","payload":"e30"}"#, #"{"kind":"message","payload":"W10="}"#,
    #"{"kind":"message","payload":[]}"#, #"{"kind":"message","payload":{"text":5e400}}"#,
    #"{"kind":"message","payload":{"text":[]}}"#, #"{"kind":"dance","payload":"e30="}"#,
    #"{"kind":"history","payload":{"messages":{}}}"#, #"{"kind":"posted","payload":{}}"#,
    #"{"kind":"rejected","payload":{"nonce":1}}"#, #"{"kind":"members","payload":{"names":1}}"#,
    #"{"kind":"error","payload":{}}"#, String(repeating: "[", count: 10_000),
  ]

  @Test(arguments: foreign)
  func framesThatAreNoEnvelopesAreDroppedWithANotice(frame: String) {
    var wire = Self.line()
    _ = wire.open()
    let outputs = wire.receive(frame)
    #expect(outputs.count == 1 && outputs.notices.count == 1, "\(outputs)")
  }

  @Test func aFloodOfForeignFramesIsToldWheneverItDoubles() {
    var wire = Self.line()
    _ = wire.open()
    let told = (1...100).filter { _ in !wire.receive("x").isEmpty }
    #expect(told == [1, 2, 4, 8, 16, 32, 64])
    let binary: [UInt8] = [1]
    #expect(wire.dialect.receive(.binary, binary.span.bytes, at: wire.now) == [])
  }

  @Test func aMebibyteOfTextIsTakenAndAnIDOfThatSizeIsReplaced() {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    let long = String(repeating: "x", count: 1 << 20)
    let outputs = wire.receive(
      #"{"kind":"message","payload":{"id":"\#(long)","text":"\#(long)"}}"#)
    #expect(outputs.texts == [long])
    #expect(outputs.ids.first.map { $0.utf8.count < 100 } == true)
  }

  @Test func idsThatAServerUsesAnewAfterARestartAreOtherMessages() {
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[\#(Self.message("m1", "a"))]}"#))
    let later =
      #"{"id":"m1","author":"bob","text":"after the restart","time":"2026-01-02T00:00:00Z"}"#
    #expect(wire.receive(Self.frame("message", later)).ids == ["m1~2"])
    #expect(wire.receive(Self.frame("message", later)) == [])
  }

  @Test func idsThatAServerUsesAnewWithinASecondAreOtherMessagesByTheirAuthorsAndNonces() {
    func frame(_ author: String, _ text: String, _ second: Int, nonce: String) -> String {
      Self.frame(
        "message",
        #"{"id":"m1","author":"\#(author)","text":"\#(text)","time":"2026-01-02T00:00:0\#(second)Z","nonce":"\#(nonce)"}"#
      )
    }
    var wire = Self.line()
    _ = wire.open()
    _ = wire.receive(Self.frame("history", #"{"messages":[]}"#))
    #expect(wire.receive(frame("sam", "old", 0, nonce: "a")).ids == ["m1"])
    #expect(wire.receive(frame("sam", "typed meanwhile", 1, nonce: "b")).ids == ["m1~2"])
    #expect(wire.receive(frame("bob", "bob's", 2, nonce: "")).ids == ["m1~3"])
    #expect(wire.receive(frame("bob", "bob's", 2, nonce: "")) == [])
  }
}
