import Channel
import Testing
import Text
import WebSocket

/// A refusal asks for a fresh token once, and dials with it at once.
@Suite struct SessionTokenTests {
  private func harness(
    renews: Bool = true, auth: SessionConfiguration.AuthPlacement = .header,
    _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionHarness {
    try SessionHarness(profile: .bare(authHeader: "Bearer {token}")) {
      $0.dialect = .graphql
      $0.token = Bearer(firstLineOf: "old")
      $0.context.token = auth == .`init` ? $0.token : nil
      $0.auth = auth
      $0.renewsToken = renews
      $0.pingInterval = .zero
      configure(&$0)
    }
  }

  private func token(_ text: String) throws -> Bearer {
    try #require(Bearer(firstLineOf: text))
  }

  private func refusal(of harness: SessionHarness) -> Failure? {
    if case .offline(.refused(let failure)) = harness.session.state { failure } else { nil }
  }

  /// Each way to refuse before the line is ready.
  enum Way: CaseIterable {
    case unauthorized, forbidden, close4401, close4403, close1008, close1000

    func refuse(_ harness: inout SessionHarness) {
      switch self {
      case .unauthorized: harness.answer(401)
      case .forbidden: harness.answer(403)
      case .close4401: close(4401, &harness)
      case .close4403: close(4403, &harness)
      case .close1008: close(1008, &harness)
      case .close1000: close(1000, &harness)
      }
    }

    private func close(_ code: Int, _ harness: inout SessionHarness) {
      harness.accept()
      harness.serverCloses(code)
    }
  }

  @Test(arguments: Way.allCases)
  func aRefusalAsksForATokenAndDialsWithItAtOnce(way: Way) throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.linkOpened()
    #expect(harness.server.header("Authorization") == ["Bearer old"])
    way.refuse(&harness)
    #expect(harness.session.wantsToken)
    #expect(refusal(of: harness) == nil)
    harness.handle(.renewToken(try token("new")))
    #expect(!harness.session.wantsToken)
    #expect(harness.link == LinkID(2))
    harness.linkOpened()
    #expect(harness.server.header("Authorization") == ["Bearer new"])
    // A server that takes no token of ours is not asked for ever.
    way.refuse(&harness)
    #expect(!harness.session.wantsToken)
    #expect(refusal(of: harness)?.message.contains("a fresh token was refused as well") == true)
    #expect(harness.session.deadline == nil)
  }

  @Test(arguments: Way.allCases)
  func theSameTokenAgainStopsAndSaysSo(way: Way) throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.linkOpened()
    way.refuse(&harness)
    harness.handle(.renewToken(try token("old")))
    #expect(harness.link == LinkID(1))
    #expect(!harness.session.wantsToken)
    #expect(refusal(of: harness)?.message.contains("the same token came again") == true)
  }

  @Test func withoutAFreshTokenTheRefusalStandsWithTheReason() throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(401)
    harness.handle(.noFreshToken("the command failed"))
    #expect(refusal(of: harness)?.message.hasSuffix("the command failed") == true)
    #expect(refusal(of: harness)?.status == 401)
  }

  @Test func anExpiryInTheMiddleOfATalkIsFollowedByANewLineEachTime() throws {
    var harness = try harness(auth: .`init`)
    harness.open()
    harness.serverSends("ack")
    for round in 1...20 {
      harness.advance(.seconds(60))
      _ = harness.events()
      harness.serverCloses(4403, "expired")
      #expect(harness.session.wantsToken)
      harness.handle(.renewToken(try token("new\(round)")))
      let news = harness.news()
      #expect(!news.contains { if case .failed = $0 { true } else { false } })
      #expect(news.last == .connecting(attempt: 1))
      harness.linkOpened()
      harness.accept()
      #expect(harness.server.texts == ["init new\(round)"])
      harness.serverSends("ack")
    }
  }

  @Test func linesThatAreRefusedAsSoonAsTheyAreReadyAreNotTriedForEver() throws {
    var harness = try harness { $0.maxAttempts = 4 }
    harness.open()
    var tokens = 0
    while tokens < 100 {
      harness.serverSends("ack")
      harness.serverCloses(4403)
      guard harness.session.wantsToken else { break }
      tokens += 1
      harness.handle(.renewToken(try token("new\(tokens)")))
      harness.linkOpened()
      harness.accept()
    }
    #expect(tokens == 3)
    #expect(refusal(of: harness) != nil)
  }

  @Test func whoCannotRenewOrWantsOneAttemptIsNotAsked() throws {
    for renews in [true, false] {
      var harness = try harness(renews: renews) { $0.reconnects = !renews }
      harness.handle(.connect)
      harness.linkOpened()
      harness.answer(401)
      #expect(!harness.session.wantsToken)
      #expect(refusal(of: harness) != nil)
    }
  }

  @Test func theProxysRefusalAsksForNoToken() throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(407)
    #expect(!harness.session.wantsToken)
  }

  @Test func aStopWhileTheTokenIsAwaitedEndsThat() throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(401)
    harness.handle(.disconnect)
    #expect(!harness.session.wantsToken)
    #expect(harness.session.state == .offline(.stopped))
    harness.handle(.renewToken(try token("new")))
    #expect(harness.link == LinkID(1))
  }
}
