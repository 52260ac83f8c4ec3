import Testing
import Text
import WebSocket

@testable import Channel

/// Redirects: followed within the origin, shown beyond it (report 10 and issue 3).
@Suite struct RedirectTests {
  private func dialled(
    _ url: String, _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionHarness {
    var harness = try SessionHarness(url, configure)
    harness.handle(.connect)
    harness.linkOpened()
    return harness
  }

  private func dials(_ harness: SessionHarness) -> [String] {
    harness.actions.compactMap {
      if case .openLink(_, let endpoint) = $0 { endpoint.shown } else { nil }
    }
  }

  private func givenUp(_ harness: SessionHarness) -> Failure? {
    if case .offline(.gaveUp(1, let failure)) = harness.session.state { failure } else { nil }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectWithinTheOriginIsFollowedWithTheToken(status: Int) throws {
    var harness = try dialled("wss://chat.example/a/b?x=1") {
      $0.token = Bearer(firstLineOf: "s3cret")
    }
    _ = harness.events()
    harness.redirect(status, to: "../room?y=2#part")
    let target = "wss://chat.example/room?y=2"
    #expect(
      harness.actions.suffix(4) == [
        .dropLink(LinkID(1)),
        .event(.notice(UntrustedText("chat.example points to \(target) (\(status)): following"))),
        .event(
          .stateChanged(
            .connecting(
              .init(attempt: 1, phase: .dialling(.connecting, since: Instant()))))),
        .openLink(LinkID(2), try Endpoint(parsing: target)),
      ])
    harness.linkOpened()
    #expect(harness.server.request?.target == "/room?y=2")
    #expect(harness.server.header("Authorization") == ["Bearer s3cret"])
    harness.accept()
    guard case .online = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    // The next attempt begins at the URL that was given.
    harness.handle(.reconnect)
    #expect(dials(harness).last == "wss://chat.example/a/b?x=1")
  }

  private static let elsewhere: [(from: String, location: String, shown: String)] = [
    ("ws://h/", "http://other.example/chat", "ws://other.example/chat"),
    ("ws://h/", "//other.example/chat", "ws://other.example/chat"),
    ("ws://h/", "ws://h:81/", "ws://h:81/"), ("ws://h:81/", "ws://h/", "ws://h/"),
    ("wss://h/", "wss://h.evil.example/", "wss://h.evil.example/"),
    ("wss://h/", "https://user:s3cret@evil.example/?access_token=s3cret", "wss://evil.example/"),
    ("wss://h/", "wss://h@evil.example/", "wss://evil.example/"),
    ("ws://h:8080/", "wss://h:8443/", "wss://h:8443/"),
    ("ws://h:8080/", "wss://h/", "wss://h/"), ("wss://h/", "ws://h/", "ws://h/"),
    ("wss://h/", "http://h:443/x", "ws://h:443/x"),
    ("wss://[::1]/", "wss://[::2]/", "wss://[::2]/"),
  ]

  @Test(
    "report 10: a redirect to another origin is shown and not followed, with a token or without",
    arguments: elsewhere, [true, false])
  func aRedirectToAnotherOriginIsShownAndNotFollowed(
    redirect: (from: String, location: String, shown: String), hasToken: Bool
  ) throws {
    var harness = try dialled(redirect.from) {
      $0.token = hasToken ? Bearer(firstLineOf: "s3cret") : nil
    }
    harness.redirect(to: redirect.location)
    let failure = try #require(givenUp(harness))
    #expect(failure.status == 302)
    #expect(failure.kind == .upgrade)
    #expect(failure.message.contains(redirect.shown), "\(failure.message)")
    #expect(failure.message.contains("call parlour with that URL"))
    #expect(!failure.message.contains("s3cret"))
    #expect(dials(harness).count == 1)
  }

  @Test func fromPlainToTLSOnTheUsualPortsIsFollowedWhereNothingGoesAlong() throws {
    var bare = try dialled("ws://h/a") { $0.headers = [Header("Origin", "https://h")] }
    bare.redirect(308, to: "https://h/a")
    #expect(dials(bare) == ["ws://h/a", "wss://h/a"])
    bare.linkOpened()
    #expect(bare.server.header("Host") == ["h"])
    bare.redirect(to: "http://h/b")
    #expect(givenUp(bare)?.message.contains("ws://h/b, where nothing is encrypted") == true)
  }

  @Test(arguments: ["token", "init", "user", "cookie", "header", "jar"])
  func fromPlainToTLSIsAnotherOriginWhereSomethingWouldGoAlong(_ what: String) throws {
    var harness = try dialled(what == "user" ? "ws://ann:pass@h/a" : "ws://h/a") {
      switch what {
      case "token": $0.token = Bearer(firstLineOf: "s3cret")
      case "init":
        $0.token = Bearer(firstLineOf: "s3cret")
        $0.auth = .`init`
      case "cookie": $0.headers = [Header("Cookie", "a=1")]
      case "header": $0.headers = [Header("X-Api-Key", "1")]
      default: break
      }
    }
    harness.redirect(to: "wss://h/a", what == "jar" ? [Header("Set-Cookie", "id=1")] : [])
    #expect(givenUp(harness)?.message.contains("wss://h/a, which is another server") == true)
    #expect(dials(harness).count == 1)
  }

  @Test(arguments: ["", "mailto:ann@h", "javascript:alert(1)", "ws://", "wss://h:99999/", "http:g"])
  func aLocationThatIsNoPlaceIsQuoted(_ location: String) throws {
    var harness = try dialled("wss://h/a")
    harness.redirect(to: location)
    let message = try #require(givenUp(harness)).message
    // An empty reference is the URL itself.
    let what = location.isEmpty ? "in a circle" : "“\(location)”, which is no URL of a WebSocket"
    #expect(message.contains(what), "\(message)")
  }

  @Test func aHostileLocationIsMadeSafe() throws {
    var harness = try dialled("wss://h/a")
    harness.redirect(to: "x://\u{202E}evil" + String(repeating: "y", count: 5000))
    let message = try #require(givenUp(harness)).message
    #expect(!message.unicodeScalars.contains("\u{202E}"))
    #expect(message.count < 400)
  }

  @Test func aRedirectWithoutALocationIsARefusal() throws {
    var harness = try dialled("wss://h/a")
    harness.answer(302)
    #expect(
      givenUp(harness)?.message
        == "h answered 302 Found to the upgrade; check the URL")
  }

  @Test(arguments: [300, 304, 305, 306, 399])
  func otherAnswersOfTheirClassAreNotFollowed(status: Int) throws {
    var harness = try dialled("wss://h/a")
    harness.redirect(status, to: "/b")
    #expect(givenUp(harness)?.status == status)
    #expect(dials(harness).count == 1)
  }

  @Test func aCircleIsFound() throws {
    var harness = try dialled("wss://h/a")
    harness.redirect(to: "/b")
    harness.linkOpened()
    harness.redirect(to: "/a")
    #expect(
      givenUp(harness)?.message
        == "h answered 302 Found to the upgrade; it points back to wss://h/a, in a circle: "
        + "check the URL")
  }

  @Test func tenRedirectsAreFollowedAndNoMore() throws {
    var harness = try dialled("wss://h/0")
    for number in 1...11 {
      harness.redirect(to: "/\(number)")
      if number <= 10 { harness.linkOpened() }
    }
    #expect(dials(harness).count == 11)
    #expect(givenUp(harness)?.message.contains("wss://h/11 after 10 redirects") == true)
  }

  @Test func aRedirectToItselfThatSetsACookieIsFollowed() throws {
    var harness = try dialled("wss://h/a")
    harness.redirect(to: "/a", [Header("Set-Cookie", "seen=1")])
    harness.linkOpened()
    #expect(harness.server.header("Cookie") == ["seen=1"])
    harness.redirect(to: "/a", [Header("Set-Cookie", "seen=1")])
    #expect(givenUp(harness)?.message.contains("in a circle") == true)
  }

  @Test func userAndPasswordOfTheURLGoAlongAndTheLocationsOwnDoNot() throws {
    var harness = try dialled("wss://ann:pass@h/a")
    harness.redirect(to: "wss://mallory:x@h/b")
    harness.linkOpened()
    // ann:pass
    #expect(harness.server.header("Authorization") == ["Basic YW5uOnBhc3M="])
  }

  @Test func theTokenOfTheQueryGoesAlongUnseen() throws {
    var harness = try dialled("wss://h/a") {
      $0.token = Bearer(firstLineOf: "s3cret")
      $0.auth = .query
    }
    harness.redirect(to: "/s3cret/b?access_token=s3cret")
    harness.linkOpened()
    #expect(harness.server.request?.target == "/s3cret/b?access_token=s3cret")
    #expect(!"\(harness.news())".contains("s3cret"))
  }

  /// Its body may never end.
  @Test func aRedirectIsFollowedAsSoonAsItsHeadIsThere() throws {
    var harness = try dialled("wss://h/a")
    harness.receive(Array("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 900\r\n".utf8))
    #expect(dials(harness).count == 1)
    harness.receive(Array("\r\n<html>".utf8))
    #expect(dials(harness) == ["wss://h/a", "wss://h/b"])
    // What comes late of the old line is nobody's.
    harness.receive(Array("</html>".utf8), from: LinkID(1))
    harness.handle(.linkEnded(LinkID(1), nil))
    harness.linkOpened()
    harness.accept()
    #expect(harness.news().contains(.ready))
  }

  @Test func theTimeLimitIsThatOfTheWholeAttempt() throws {
    var harness = try dialled("wss://h/a")
    harness.advance(.seconds(6))
    harness.redirect(to: "/b")
    harness.linkOpened()
    harness.advance(.seconds(4))
    #expect(
      harness.news().suffix(2).first.map { "\($0)" }?.contains("did not answer the upgrade") == true
    )
    #expect(harness.news().isEmpty)
    #expect(harness.session.deadline == Instant(.seconds(12)))
  }
}
