import Channel
import Testing
import Text
import WebSocket

/// Cookies of the upgrade, kept for the attempts to come.
@Suite struct SessionCookieTests {
  private let sticky = Header("Set-Cookie", "route=node-0001; HttpOnly")

  @Test func aCookieOfThe101GoesAlongWithTheReconnect() throws {
    var harness = try SessionHarness { $0.headers = [Header("cookie", "theme=dark")] }
    harness.handle(.connect)
    harness.linkOpened()
    #expect(harness.server.header("Cookie") == ["theme=dark"])
    harness.receive(
      ServerHandshake.accept(
        key: harness.server.request?.key ?? "", subprotocol: nil, headers: [sticky]))
    harness.advance(.seconds(5))
    harness.handle(.linkEnded(harness.link, nil))
    harness.advance(.seconds(1))
    harness.linkOpened()
    #expect(harness.server.header("Cookie") == ["theme=dark; route=node-0001"])
    #expect(harness.server.header("cookie").isEmpty)
  }

  @Test(arguments: [503, 429, 401, 302])
  func aCookieOfARefusalGoesAlongToo(status: Int) throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(status, [sticky])
    harness.handle(.connect)
    harness.linkOpened()
    #expect(harness.server.header("Cookie") == ["route=node-0001"])
  }

  @Test func aCookieThatIsOverStaysAtHome() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(503, [Header("Set-Cookie", "route=node-0001; Max-Age=2")])
    harness.advance(.seconds(2))
    harness.linkOpened()
    #expect(harness.server.header("Cookie").isEmpty)
  }

  @Test func theValueIsShownNowhere() throws {
    var refused = try SessionHarness()
    refused.handle(.connect)
    refused.linkOpened()
    refused.answer(403, [sticky], body: "no session node-0001 here")
    var closed = try SessionHarness()
    closed.handle(.connect)
    closed.linkOpened()
    closed.receive(
      ServerHandshake.accept(
        key: closed.server.request?.key ?? "", subprotocol: nil, headers: [sticky]))
    closed.serverCloses(4403, "node-0001 is gone")
    var redirected = try SessionHarness()
    redirected.handle(.connect)
    redirected.linkOpened()
    redirected.redirect(to: "/?id=node-0001", [sticky])
    for events in [refused.news(), closed.news(), redirected.news()] {
      #expect(!"\(events)".contains("node-0001"))
      #expect("\(events)".contains("…"))
    }
  }
}
