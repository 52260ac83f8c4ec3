import Channel
import Testing

/// A proxy between the session and its server.
struct SessionProxyTests {
  private static let proxy = ProxyEndpoint(
    kind: .http, host: "px", port: 3128, source: "https_proxy")

  private func harness() throws -> SessionHarness {
    try SessionHarness("wss://chat.example/") { $0.proxy = Self.proxy }
  }

  private static func failure(_ status: Int) -> Failure {
    Failure(kind: .proxy, status: status, message: "The proxy said no", short: "proxy: no")
  }

  @Test func theProxyIsAStageOfItsOwnBeforeTLS() throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.handle(.linkStage(harness.link, .tunnelling))
    harness.handle(.linkStage(harness.link, .securing))
    let stages = harness.events().compactMap { event -> SessionState.Stage? in
      guard case .stateChanged(.connecting(let connecting)) = event,
        case .dialling(let stage, _) = connecting.phase
      else { return nil }
      return stage
    }
    #expect(stages == [.connecting, .tunnelling, .securing])
    #expect(stages.map(\.number) == [1, 1, 2])
  }

  @Test func aProxyThatRefusesIsNotAskedAgain() throws {
    var harness = try harness()
    harness.handle(.connect)
    let failure = Self.failure(407)
    harness.handle(.tunnelFailed(harness.link, Verdict(.refused, failure)))
    #expect(harness.session.state == .offline(.refused(failure)))
    #expect(harness.news() == [.connecting(attempt: 1), .failed(failure)])
  }

  @Test func aProxyThatCannotJustNowIsAskedAgainAfterThePauseItWants() throws {
    var harness = try harness()
    harness.handle(.connect)
    let first = harness.link
    let failure = Self.failure(503)
    harness.handle(.tunnelFailed(first, Verdict(.retry(after: .seconds(20)), failure)))
    #expect(
      harness.news() == [
        .connecting(attempt: 1), .failed(failure), .waiting(attempt: 2, delay: .seconds(20)),
      ])
    harness.advance(.seconds(20))
    #expect(harness.link != first)
    // The failure of an old link is no news.
    harness.handle(.tunnelFailed(first, Verdict(.refused, failure)))
    #expect(harness.news() == [.connecting(attempt: 2)])
  }

  @Test func theTimeLimitNamesTheProxy() throws {
    var harness = try harness()
    harness.handle(.connect)
    harness.advance(.seconds(10))
    #expect(
      harness.lastFailure?.message
        == "There was no connection to the proxy http://px:3128 (https_proxy) within 10 s; "
        + "check the address, or raise --connect-timeout")
    harness.advance(.seconds(2))
    harness.handle(.linkStage(harness.link, .tunnelling))
    harness.advance(.seconds(10))
    #expect(
      harness.lastFailure?.message
        == "No way to chat.example was opened by the proxy http://px:3128 (https_proxy) within 10 s; "
        + "check the address, or raise --connect-timeout")
  }
}

extension SessionHarness {
  fileprivate var lastFailure: Failure? {
    guard case .connecting(let connecting) = session.state else { return nil }
    return connecting.lastFailure
  }
}
