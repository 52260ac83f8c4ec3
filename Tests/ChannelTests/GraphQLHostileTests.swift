import Channel
import JSON
import Testing
import Text
import WebSocket

/// What a broken or hostile server sends (rules H6 and M1).
@Suite struct GraphQLHostileTests {
  static let broken: [String] = [
    "", " ", "x", "null", "true", "5", "\"connection_ack\"", "[]", "[1,2,3]", "{", "{}",
    #"{"type":null}"#, #"{"type":5}"#, #"{"type":["next"]}"#, #"{"type":""}"#,
    #"{"type":"dance"}"#, #"{"type":"Next"}"#, #"{"type":"data","id":"1","payload":{}}"#,
    #"{"type":"connection_terminate"}"#, #"{"type":"subscribe","id":"1"}"#,
    #"{"type":"connection_ack","payload":[]}"#, #"{"type":"ping","payload":"x"}"#,
    #"{"type":"pong","payload":5}"#, #"{"type":"next","payload":{}}"#,
    #"{"type":"next","id":null,"payload":{}}"#, #"{"type":"next","id":1,"payload":{}}"#,
    #"{"type":"next","id":"","payload":{}}"#, #"{"type":"next","id":"1","payload":[]}"#,
    #"{"type":"next","id":"1","payload":"x"}"#, #"{"type":"next","id":"1","payload":7}"#,
    #"{"type":"error","id":1,"payload":[]}"#, #"{"type":"error","id":[],"payload":[]}"#,
    #"{"type":"complete","id":1}"#, #"{"type":"complete","id":{}}"#, #"{"type":"ka"}]"#,
    #"{"type":"ka"} {"type":"ka"}"#, #"{"type":"pong","a":"\ud80"}"#,
    String(repeating: "[", count: 10_000),
    String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
    #"{"type":"ping","payload":{"a":"# + String(repeating: "[", count: 10_000)
      + String(repeating: "]", count: 10_000) + "}}",
  ]

  @Test(
    "rules H6 and M1: a broken message closes the line with 4400, and it is dialled again",
    arguments: broken)
  func ruleM1(frame: String) {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1))
    let outputs = line.receive(frame)
    #expect(outputs.count == 1)
    #expect(outputs.failure?.reason.code == CloseCode(rawValue: 4400))
    #expect(outputs.failure?.reason.text.isEmpty == false)
    #expect(outputs.failure?.failure.kind == .protocol)
    #expect(outputs.failure?.retry == true)
    // Nothing of this line counts any more, and the next one goes on at the cursor.
    #expect(line.say(GraphQLWire.message(2)) == [])
    #expect(line.wire.dialect.deadline == nil)
    #expect(line.reconnect().variables(of: "query").first?["after"] == "m1")
  }

  @Test("rule H6: a binary message is broken")
  func ruleH6Binary() {
    var line = GraphQLWire.ready()
    let bytes = Array(#"{"type":"ping"}"#.utf8)
    let outputs = line.wire.dialect.receive(.binary, bytes.span.bytes, at: line.wire.now)
    #expect(
      outputs.failure?.reason == CloseReason(CloseCode(rawValue: 4400), "Invalid message: binary"))
  }

  @Test("rule H6: a message that is cut in the middle of UTF-8 is broken")
  func ruleH6UTF8() {
    var line = GraphQLWire.ready()
    let bytes: [UInt8] = Array("{\"type\":\"".utf8) + [0xC3]
    #expect(
      line.wire.dialect.receive(.text, bytes.span.bytes, at: line.wire.now).failure?.retry == true)
  }

  /// Bug 23 and rule M7: at most 123 bytes, cut between characters.
  @Test(
    "rule M7, report 23: the reason of a Close has at most 123 bytes, cut between characters",
    arguments: ["x", "é", "女", "😀"])
  func ruleM7(character: String) {
    var line = GraphQLWire.ready()
    let type = String(repeating: character, count: 10_000)
    let reason = line.receive(#"{"type":"\#(type)"}"#).failure?.reason.text ?? ""
    #expect(reason.hasPrefix("Invalid message: unknown type \(character)"))
    #expect(reason.utf8.count <= 123)
    #expect(!reason.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test func controlsOfTheServerNeverReachTheSentence() {
    var line = GraphQLWire.ready()
    let failure = line.receive("{\"type\":\"\\u001b]0;x\\u0007\\u202e\"}").failure?.failure
    let scalars = (failure?.message ?? "\u{1B}").unicodeScalars
    #expect(!scalars.contains { $0.value < 0x20 || $0.value == 0x202E })
  }

  @Test func aMessageOfTenMebibytesIsDelivered() {
    var line = GraphQLWire.ready()
    let long = String(repeating: "女", count: 10 << 18)
    let outputs = line.say(#"{"id":"m1","text":"\#(long)"}"#)
    #expect(outputs.texts == [long])
  }

  @Test func aMebibyteInEveryPlaceIsBorne() {
    var line = GraphQLWire.ready()
    let long = String(repeating: "x", count: 1 << 20)
    let outputs = line.say(
      #"{"id":"\#(long)","author":"\#(long)","text":"t","sentAt":"\#(long)","clientId":"\#(long)"}"#
    )
    #expect(outputs.texts == ["t"])
    // Neither kept as an id nor sent back as a cursor.
    #expect(outputs.ids.first.map { $0.utf8.count < 100 } == true)
    for frame in line.reconnect().sent { #expect(frame.text.utf8.count < 2_000) }
    #expect(line.receive(#"{"id":"\#(long)","type":"complete"}"#) == [])
    #expect(line.error(line.live, #"[{"message":"\#(long)"}]"#).notices.count == 1)
  }

  @Test func aFloodOfErrorsIsNoFloodOfNotices() {
    var line = GraphQLWire.ready()
    var told = 0
    for _ in 0..<1_000 {
      told +=
        line.receive(
          #"{"id":"\#(line.live)","type":"next","payload":{"errors":[{"message":"x"}]}}"#
        ).count
    }
    #expect(told == 10)
  }

  @Test func thousandsOfErrorsInOneAnswerAreCutShort() {
    var line = GraphQLWire.ready()
    _ = line.post("k", "x")
    let errors = Array(repeating: #"{"message":"x"}"#, count: 5_000).joined(separator: ",")
    guard case .rejected(_, let reason) = line.error(line.mutation, "[\(errors)]").first else {
      Issue.record("not rejected")
      return
    }
    #expect(reason.raw == Array(repeating: "x", count: 8).joined(separator: "; "))
  }

  @Test func repeatedKeysAndUnknownMembersAreBorne() {
    var line = GraphQLWire.ready()
    let outputs = line.receive(
      #"{"id":"x","type":"complete","id":"\#(line.live)","type":"next","zebra":{},"payload":"#
        + #"{"data":{"messageAdded":\#(GraphQLWire.message(1))},"hasNext":true,"extensions":{}}}"#)
    #expect(outputs.ids == ["m1"])
  }

  /// A burst arrives whole, in order, once.
  @Test func aBurstOfFiveThousandMessagesIsReportedInOrder() {
    var line = GraphQLWire.ready()
    var ids: [String] = []
    for number in 1...5_000 {
      ids += line.say(#"{"id":"\#(number)","text":"x"}"#).ids
    }
    #expect(ids == (1...5_000).map(String.init))
  }
}
