import Channel
import Testing
import Text
import WebSocket

struct SessionDiallingTests {
  @Test func aPlainLineGoesThroughItsStages() throws {
    var harness = try SessionHarness("wss://chat.example/room")
    harness.now = Instant(.seconds(1))
    harness.handle(.connect)
    harness.handle(.linkStage(harness.link, .securing))
    harness.handle(.linkOpened(harness.link, peer: "192.0.2.1:443", tls: "TLSv1.3"))
    harness.now = Instant(.seconds(2))
    harness.accept()

    func dialling(_ stage: SessionState.Stage) -> ChannelEvent {
      .stateChanged(
        .connecting(
          .init(attempt: 1, phase: .dialling(stage, since: Instant(.seconds(1))))))
    }
    let online = SessionState.Online(
      since: Instant(.seconds(2)), subprotocol: nil, dialect: .plain, peer: "192.0.2.1:443",
      tls: "TLSv1.3")
    #expect(
      harness.events() == [
        dialling(.connecting), .connecting(attempt: 1), dialling(.securing), dialling(.upgrading),
        dialling(.introducing),
        .opened(subprotocol: nil, dialect: .plain, peer: "192.0.2.1:443", tls: "TLSv1.3"),
        .notice(UntrustedText("line 1 in lobby")), .stateChanged(.online(online)), .ready,
      ])
    #expect(harness.session.state == .online(online))
  }

  @Test func theEndpointIsHandedToTheLinkAndItsTargetToTheRequest() throws {
    var harness = try SessionHarness("ws://chat.example:8080/a?b=1")
    harness.handle(.connect)
    let endpoint = try Endpoint(parsing: "ws://chat.example:8080/a?b=1")
    #expect(harness.actions.last == .openLink(LinkID(1), endpoint))
    harness.linkOpened()
    #expect(harness.server.request?.target == "/a?b=1")
    #expect(harness.server.header("Host") == ["chat.example:8080"])
  }

  @Test("rule H3: the subprotocol that was selected chooses the dialect")
  func ruleH3() throws {
    var harness = try SessionHarness(subprotocols: ["graphql-transport-ws", "other"])
    harness.open(subprotocol: "graphql-transport-ws")
    #expect(harness.server.request?.subprotocols == ["graphql-transport-ws", "other"])
    let peer = "192.0.2.1:80"
    #expect(
      harness.news().contains(
        .opened(subprotocol: "graphql-transport-ws", dialect: .graphql, peer: peer, tls: nil)))
    #expect(harness.server.texts == ["init nobody"])
    guard case .connecting(let connecting) = harness.session.state else {
      Issue.record("on line before the introduction was acknowledged")
      return
    }
    #expect(connecting.phase == .dialling(.introducing, since: Instant()))
    harness.serverSends("ack")
    #expect(harness.news() == [.ready])
  }

  @Test func withoutASubprotocolTheConfiguredDialectIsSpoken() throws {
    var harness = try SessionHarness(subprotocols: ["graphql-transport-ws"]) {
      $0.dialect = .envelope
    }
    harness.open()
    #expect(
      harness.news().contains(
        .opened(subprotocol: nil, dialect: .envelope, peer: "192.0.2.1:80", tls: nil)))
  }

  @Test("rule H2: where a subprotocol is demanded, none ends the loop")
  func ruleH2Missing() throws {
    var harness = try SessionHarness(subprotocols: ["a", "b"]) { $0.requiresSubprotocol = true }
    harness.open()
    let failure = Failure(
      kind: .upgrade,
      message: "chat.example selected no subprotocol, where a, b was offered; "
        + "check --subprotocol, or go without --require-subprotocol",
      short: "no subprotocol agreed")
    #expect(harness.session.state == .offline(.gaveUp(attempts: 1, failure.asFinal)))
    #expect(harness.actions.contains(.finishLink(LinkID(1))))
    #expect(
      harness.news() == [
        .connecting(attempt: 1), .failed(failure), .gaveUp(attempts: 1, failure.asFinal),
      ])
    #expect(
      harness.server.closes == [CloseReason(.protocolError, "no subprotocol was agreed")])
  }

  @Test("rule H2: a subprotocol that was not offered ends the loop")
  func ruleH2() throws {
    var harness = try SessionHarness(subprotocols: ["a"])
    harness.open(subprotocol: "b")
    guard case .offline(.gaveUp(1, let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.kind == .upgrade)
    #expect(failure.message.contains("“b”"))
    #expect(harness.actions.contains(.dropLink(LinkID(1))))
  }

  @Test func framesBehindThe101InTheSameBytesAreRead() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.accept(then: [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    #expect(harness.news().last == .raw(.text, Array("Hello".utf8)))
  }

  @Test func theAnswerMayComeByteByByte() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    let bytes = harness.server.acceptance(subprotocol: nil) + [0x81, 0x02, 0x68, 0x69]
    for byte in bytes { harness.receive([byte]) }
    #expect(harness.news().last == .raw(.text, Array("hi".utf8)))
  }

  @Test(arguments: [
    ("no token", "ws://h/", [String]()),
    ("header", "ws://h/", ["Bearer s3cret"]),
    ("init", "ws://h/", []),
    ("query", "ws://h/", []),
    ("no token", "ws://us%40er:p%3Ass@h/", ["Basic dXNAZXI6cDpzcw=="]),
    ("no token", "ws://user@h/", ["Basic dXNlcjo="]),
    ("header", "ws://user:pass@h/", ["Bearer s3cret"]),
    ("query", "ws://user:pass@h/", ["Basic dXNlcjpwYXNz"]),
  ])
  func credentials(placement: String, url: String, authorization: [String]) throws {
    var harness = try SessionHarness(url) {
      $0.token = placement == "no token" ? nil : Bearer(firstLineOf: "s3cret")
      $0.auth = SessionConfiguration.AuthPlacement(rawValue: placement) ?? .header
      $0.dialect = .graphql
    }
    harness.open()
    #expect(harness.server.header("Authorization") == authorization)
    let target = placement == "query" ? "/?access_token=s3cret" : "/"
    #expect(harness.server.request?.target == target)
    #expect(harness.server.texts == [placement == "init" ? "init s3cret" : "init nobody"])
  }

  @Test func theProfilesTemplateWritesTheAuthorizationOfGraphQL() throws {
    var harness = try SessionHarness(profile: .bare(authHeader: "JWT {token}")) {
      $0.token = Bearer(firstLineOf: "s3cret")
      $0.dialect = .graphql
    }
    harness.open()
    #expect(harness.server.header("Authorization") == ["JWT s3cret"])
  }

  @Test func aHeaderOfThePersonsOwnTakesThePlaceOfOurs() throws {
    var harness = try SessionHarness("ws://user:pass@h/") {
      $0.headers = [Header("authorization", "Custom x"), Header("X-Room", "1")]
    }
    harness.open()
    #expect(harness.server.header("authorization") == ["Custom x"])
    #expect(harness.server.header("Authorization").isEmpty)
    #expect(harness.server.header("X-Room") == ["1"])
  }

  @Test(arguments: [
    (SessionState.Stage.connecting, "There was no connection to chat.example within 10 s"),
    (.securing, "chat.example did not finish the TLS handshake within 10 s"),
    (.upgrading, "chat.example did not answer the upgrade within 10 s"),
  ])
  func theTimeLimitNamesTheStage(stage: SessionState.Stage, beginning: String) throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    if stage == .securing { harness.handle(.linkStage(harness.link, .securing)) }
    if stage == .upgrading { harness.linkOpened() }
    harness.advance(.milliseconds(9999))
    #expect(harness.news() == [.connecting(attempt: 1)])
    harness.advance(.milliseconds(1))
    #expect(harness.actions.first == .dropLink(LinkID(1)))
    guard case .failed(let failure) = harness.news().first else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .timeout)
    #expect(failure.message == beginning + "; check the address, or raise --connect-timeout")
    #expect(failure.short == "no answer 10 s")
  }

  @Test func aRefusalWhoseBodyNeverEndsIsToldWhenTheTimeIsOver() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.receive(
      Array("HTTP/1.1 401 No\r\nContent-Length: 1000\r\n\r\nwho are you?".utf8))
    #expect(harness.news() == [.connecting(attempt: 1)])
    harness.advance(.seconds(10))
    guard case .offline(.refused(let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.status == 401)
    #expect(failure.message.contains("who are you?"))
  }

  @Test func aBodyThatRunsToTheEndOfTheStreamIsWhole() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.receive(Array("HTTP/1.1 404 Not Found\r\n\r\nno chat here".utf8))
    harness.handle(.linkEnded(harness.link, nil))
    guard case .offline(.gaveUp(1, let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.status == 404)
    #expect(failure.message.contains("no chat here"))
  }

  @Test func whatIsNoHTTPIsGivenUp() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.receive(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))
    guard case .offline(.gaveUp(1, let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.kind == .upgrade)
    #expect(failure.message.contains("SSH-2.0-OpenSSH_9.2"))
  }
}
