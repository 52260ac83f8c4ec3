import Channel
import Testing
import WebSocket

/// The table of close codes of the research, section 1.3.
@Suite struct GraphQLVerdictTests {
  private static func verdict(_ code: UInt16, _ text: String = "", isReady: Bool) -> Verdict? {
    makeDialect(.graphql, DialectContext(room: "r", nick: "n"))
      .verdict(on: CloseReason(CloseCode(rawValue: code), text), isReady: isReady)
  }

  @Test(
    arguments: [
      (4401, true), (4401, false), (4403, true), (4403, false), (1008, true), (1008, false),
      (1000, false), (1002, false),
    ] as [(UInt16, Bool)])
  func refusalsShowTheServersReason(code: UInt16, isReady: Bool) {
    let verdict = Self.verdict(code, "token expired", isReady: isReady)
    #expect(verdict?.course == .refused)
    #expect(verdict?.failure.kind == .refused)
    #expect(
      verdict?.failure.message
        == "The server refused the connection: “token expired” (close code \(code)); "
        + "check the token and connect again.")
    #expect(verdict?.failure.short == "\(code) token expired")
  }

  @Test func aRefusalWithoutAReasonSaysSo() {
    #expect(
      Self.verdict(1000, isReady: false)?.failure.message
        == "The server refused the connection without a reason (close code 1000); "
        + "check the token and connect again.")
  }

  @Test(
    arguments: [
      (1002, true), (1003, true), (1003, false), (1007, true), (1009, true), (1009, false),
      (1010, false), (4400, true), (4400, false), (4406, false), (4409, true), (4429, false),
    ] as [(UInt16, Bool)])
  func faultsThatAnotherAttemptDoesNotMendAreFinal(code: UInt16, isReady: Bool) {
    let verdict = Self.verdict(code, "why", isReady: isReady)
    #expect(verdict?.course == .giveUp)
    #expect(verdict?.failure.kind == .protocol)
    #expect(verdict?.failure.message.contains("“why”") == true)
  }

  @Test(
    arguments: [
      (1000, true), (1001, true), (1001, false), (1005, true), (1006, true), (1011, true),
      (1011, false), (1012, true), (1013, false), (1014, true), (3008, true), (4408, false),
      (4499, true), (4500, true), (4504, false), (4004, true), (4005, true),
    ] as [(UInt16, Bool)])
  func lossesAreTriedAgain(code: UInt16, isReady: Bool) {
    let verdict = Self.verdict(code, "why", isReady: isReady)
    #expect(verdict?.course == .retry(after: nil))
    #expect(verdict?.failure.message.contains("“why”") == true)
    #expect(verdict?.failure.message.hasSuffix(".") == true)
  }

  @Test(arguments: [3000, 3999, 1015, 2000, 0, 5000] as [UInt16])
  func otherCodesAreLeftToTheGeneralTable(code: UInt16) {
    #expect(Self.verdict(code, isReady: true) == nil)
  }

  @Test func onceAcknowledgedACloseWith1000IsNoRefusal() {
    var line = GraphQLWire()
    _ = line.open()
    let reason = CloseReason(.normal, "bye")
    #expect(line.wire.dialect.verdict(on: reason, isReady: false)?.course == .refused)
    _ = line.acknowledge()
    #expect(line.wire.dialect.verdict(on: reason, isReady: false)?.course == .retry(after: nil))
  }

  @Test func theServersTextIsMadeSafe() {
    let verdict = Self.verdict(
      4403, "\u{1B}[31mred\u{202E}\r\n" + String(repeating: "x", count: 5_000), isReady: true)
    for text in [verdict?.failure.message ?? "\u{1B}", verdict?.failure.short ?? "\u{1B}"] {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
      #expect(text.count < 400)
    }
  }
}
