import COpenSSL
import Glibc
import Net
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TLSTests {
  let loop: Loop
  let certificates: Certificates

  init() throws {
    loop = try Loop()
    certificates = try Certificates.made()
  }

  private func call(
    _ server: TLSServer, as host: String = "localhost", _ context: TLSContext
  ) throws -> Client {
    var target = LinkTarget(host: host, port: server.address.port, tls: context)
    if host != "127.0.0.1" { target.addresses = ["127.0.0.1"] }
    let client = Client(loop, to: target).start()
    loop.run { client.isOpen || client.end != nil }
    return client
  }

  private func call(
    certificate: String, as host: String = "localhost", _ context: TLSContext
  ) throws -> LinkFailure {
    let server = try TLSServer(loop, TLSServer.Manner(certificate: certificate))
    let client = try call(server, as: host, context)
    #expect(!client.isOpen)
    return try #require(client.failure)
  }

  // MARK: Who the server is

  @Test(
    "report 20: an address is no server name for TLS, and the certificate must name it",
    arguments: ["localhost", "127.0.0.1", "LOCALHOST", "localhost."])
  func aKnownAuthorityAndTheRightHostAreAccepted(host: String) throws {
    let server = try TLSServer(loop)
    let client = try call(server, as: host, try certificates.trusting())
    let peer = server.address.description
    #expect(
      client.events == [
        .connecting([peer]), .securing(peer: peer), .opened(peer: peer, tls: "TLSv1.3"),
      ])
    client.write("secret")
    loop.run { client.received.count == 6 }
    #expect(client.text == "secret")
    // RFC 6066 section 3: names only, and without the trailing dot.
    let name = server.sessions.first?.serverName
    #expect(name == (host == "127.0.0.1" ? nil : host == "localhost." ? "localhost" : host))
  }

  @Test("report 27: HTTP/2 is not offered, so that no server can choose it")
  func onlyHTTP1IsOffered() throws {
    let server = try TLSServer(loop, TLSServer.Manner(prefersHTTP2: true))
    let client = try call(server, try certificates.trusting())
    #expect(client.isOpen)
    #expect(server.sessions.first?.applicationProtocol == "http/1.1")
  }

  @Test func anUnknownAuthorityIsToldWithTheWayOut() throws {
    let failure = try call(certificate: "good", try TLSContext())
    #expect(failure.kind == .tls)
    #expect(failure.short == "unknown certificate authority")
    #expect(
      failure.message
        == "the certificate of localhost is signed by an authority that this machine does not know "
        + "(unable to get local issuer certificate): give its file with --cacert, or --insecure to "
        + "go on without checking")
  }

  @Test func aSelfSignedCertificateIsToldWithTheWayOut() throws {
    let failure = try call(certificate: "stranger", try certificates.trusting())
    #expect(
      failure.message.hasPrefix(
        "the certificate of localhost is signed by an authority that this machine does not know "
          + "(self-signed certificate): give its file with --cacert"))
  }

  @Test func aCertificateForAnotherHostIsToldWithBothNames() throws {
    let failure = try call(certificate: "other", try certificates.trusting())
    #expect(failure.kind == .tls)
    #expect(
      failure.message.hasPrefix(
        "the certificate is for other.example, *.other.example, 192.0.2.7, not for localhost: "))
    #expect(failure.short == "certificate for another host")
  }

  @Test func anAddressThatTheCertificateDoesNotNameIsRefused() throws {
    let failure = try call(certificate: "nameonly", as: "127.0.0.1", try certificates.trusting())
    #expect(failure.message.hasPrefix("the certificate is for localhost, not for 127.0.0.1: "))
  }

  @Test func anExpiredCertificateIsToldWithItsDay() throws {
    let failure = try call(certificate: "expired", try certificates.trusting())
    #expect(failure.short == "certificate expired")
    #expect(
      failure.message.contains(
        /^the certificate of localhost expired on \d{4}-\d\d-\d\d: it has to be renewed/))
  }

  @Test(arguments: ["good", "stranger", "other", "expired"])
  func insecureGoesOnWithAnybody(certificate: String) throws {
    var options = TLSOptions()
    options.isInsecure = true
    let server = try TLSServer(loop, TLSServer.Manner(certificate: certificate))
    let client = try call(server, try TLSContext(options))
    #expect(client.isOpen)
    client.write("x")
    loop.run { client.text == "x" }
  }

  @Test func theServerNameIsAskedForAndExpectedInsteadOfTheHost() throws {
    let server = try TLSServer(loop, TLSServer.Manner(certificate: "other"))
    let context = try certificates.trusting { $0.serverName = "chat.other.example" }
    let client = try call(server, context)
    #expect(client.isOpen)
    #expect(server.sessions.first?.serverName == "chat.other.example")
  }

  @Test(arguments: [false, true])
  func aPinnedKeyMustBeTheServers(isInsecure: Bool) throws {
    let pins = try certificates.pins()
    let server = try TLSServer(loop)
    let good = try #require(PublicKeyPin(parsing: pins.good))
    let stranger = try #require(PublicKeyPin(parsing: pins.stranger))
    #expect(good.description == pins.good)
    let right = try certificates.trusting {
      $0.isInsecure = isInsecure
      $0.pins = [stranger, good]
    }
    #expect(try call(server, right).isOpen)
    let wrong = try certificates.trusting {
      $0.isInsecure = isInsecure
      $0.pins = [stranger]
    }
    let client = try call(server, wrong)
    #expect(client.failure?.short == "another public key")
    #expect(client.failure?.message.contains(" but \(good): ") == true)
  }

  @Test(arguments: [
    "", "sha256//", "sha1//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF==",
    "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUA",
    "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZ*3hSuFU=",
  ])
  func whatIsNoPinIsRefused(text: String) {
    #expect(PublicKeyPin(parsing: text) == nil)
  }

  // MARK: Versions and ways to fail

  @Test func aServerOfTLS12IsAcceptedUnlessTheMinimumIsHigher() throws {
    let server = try TLSServer(loop, TLSServer.Manner(maximumVersion: TLS1_2_VERSION))
    let client = try call(server, try certificates.trusting())
    #expect(
      client.events.last == .opened(peer: server.address.description, tls: "TLSv1.2"))
    let strict = try call(server, try certificates.trusting { $0.minimumVersion = .tls13 })
    #expect(strict.failure?.kind == .tls)
    #expect(
      strict.failure?.message
        == "localhost:\(server.address.port) does not speak TLS 1.3 or newer: --tls-min sets the "
        + "oldest allowed")
  }

  @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "x"])
  func aServerWithoutTLSIsRecognised(answer: String) throws {
    let server = try Server(loop) { visitor in
      visitor.take = { [unowned visitor] _ in
        visitor.connection?.write(Array(answer.utf8))
        visitor.finish()
      }
    }
    let target = LinkTarget(
      host: "127.0.0.1", port: server.address.port, tls: try certificates.trusting())
    let client = Client(loop, to: target).start()
    loop.run { client.end != nil }
    #expect(client.failure?.kind == .tls)
    #expect(
      client.failure?.message
        == "\(server.address) answered without TLS: use ws:// instead of wss://?")
  }

  @Test func aServerThatHangsUpDuringTheHandshakeIsAFailureOfTLS() throws {
    let server = try Server(loop) { visitor in
      visitor.take = { [unowned visitor] _ in visitor.finish() }
    }
    let target = LinkTarget(
      host: "127.0.0.1", port: server.address.port, tls: try certificates.trusting())
    let client = Client(loop, to: target).start()
    loop.run { client.end != nil }
    #expect(client.failure?.kind == .tls)
    #expect(
      client.failure?.message.hasPrefix(
        "\(server.address) ended the connection during the TLS handshake: ") == true)
  }

  @Test func aClientCertificateIsShownWhereItIsWanted() throws {
    let server = try TLSServer(loop, TLSServer.Manner(wantsClientCertificate: true))
    let own = try certificates.trusting {
      $0.certificateFile = certificates.path("client.pem")
      $0.keyFile = certificates.path("client.key")
    }
    let client = try call(server, own)
    client.write("it is me")
    loop.run { client.text == "it is me" || client.end != nil }
    #expect(client.end == nil)
    // In TLS 1.3 the refusal comes after the client's handshake is done.
    let anonymous = try call(server, try certificates.trusting())
    loop.run { anonymous.end != nil }
    #expect(anonymous.failure?.kind == .tls)
    #expect(anonymous.failure?.short == "client certificate refused")
  }

  /// RFC 5246 section 7.4.6: what TLS 1.2 says where it is missing tells nothing of a certificate.
  @Test func aMissingClientCertificateIsHintedAtWithTLS12Too() throws {
    let server = try TLSServer(
      loop,
      TLSServer.Manner(maximumVersion: TLS1_2_VERSION, wantsClientCertificate: true))
    let anonymous = try call(server, try certificates.trusting())
    loop.run { anonymous.end != nil }
    #expect(anonymous.failure?.kind == .tls)
    #expect(anonymous.failure?.message.contains("give it with --cert and --key") == true)
  }

  /// The handshake is long over: no certificate of the client would help.
  @Test func anAlertOnAnOpenLineIsNoRefusalOfTheHandshake() throws {
    let server = try TLSServer(
      loop,
      TLSServer.Manner(maximumVersion: TLS1_2_VERSION) { session, bytes in
        session.send(bytes)
        session.askForRenegotiation()
      })
    let client = try call(server, try certificates.trusting())
    client.write("hello")
    loop.run { client.end != nil }
    #expect(client.text == "hello")
    #expect(client.failure?.kind == .tls)
    let message = client.failure?.message ?? ""
    #expect(message.contains("ended the line with a TLS alert ("), "\(message)")
    #expect(!message.contains("--cert"), "\(message)")
  }

  // MARK: The stream and its end

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func muchGoesBothWays(version: Int32) throws {
    let server = try TLSServer(loop, TLSServer.Manner(maximumVersion: version))
    let client = try call(server, try certificates.trusting())
    let sent = pattern(3 << 20)
    client.link?.write(sent)
    loop.run { client.received.count == sent.count }
    #expect(client.received == sent)
    #expect(client.link?.pendingBytes == 0)
  }

  /// OpenSSL keeps the beginning of a record to itself. What comes behind it must not decrypt to more than
  /// one read can take, for the reactor knows nothing of the rest.
  @Test func nothingStaysBehindInOpenSSL() throws {
    let server = try TLSServer(loop)
    let client = try call(server, try certificates.trusting())
    let link = try #require(client.link)
    let session = try #require(server.sessions.first)
    while !loop.turn(atMost: .zero).isEmpty {}
    let sent = pattern(4 * 16384 + 15_000)
    let records = session.encrypted(sent)
    #expect(records.count > sent.count + 5 * 5)

    // Less than the first record.
    let buffer = ReadBuffer(capacity: 65536)
    session.visitor.connection?.write(Array(records[..<16_000]))
    while loop.reactor.wait(atMost: .seconds(1)).isEmpty {}
    #expect(link.read(into: buffer) == .wouldBlock)
    session.visitor.connection?.write(Array(records[16_000...]))
    var received: [UInt8] = []
    while received.count < sent.count {
      guard !loop.reactor.wait(atMost: .seconds(2)).isEmpty else { break }
      if case .bytes = link.read(into: buffer) { received += buffer.contents }
    }
    #expect(received == sent)
  }

  @Test func collectedMessagesShareARecord() throws {
    var pieces: [Int] = []
    let server = try TLSServer(loop, TLSServer.Manner { pieces.append($1.count) })
    let client = try call(server, try certificates.trusting())
    for _ in 0..<100 { client.link?.collect([1, 2, 3]) }
    #expect(client.link?.pendingBytes == 300)
    client.link?.flush()
    loop.run { !pieces.isEmpty }
    #expect(pieces == [300])
  }

  @Test func finishDeliversEverythingAndSaysCloseNotify() throws {
    var count = 0
    let server = try TLSServer(loop, TLSServer.Manner { count += $1.count })
    let client = try call(server, try certificates.trusting())
    client.link?.write([UInt8](repeating: 7, count: 4 << 20))
    client.finish()
    loop.run { client.end != nil && server.sessions[0].visitor.end != nil }
    #expect(client.end == .closed)
    #expect(count == 4 << 20)
    #expect(server.sessions[0].hasReceivedCloseNotify)
  }

  @Test("report 55: an end with close_notify is in order")
  func closeNotifyIsAnEndInOrder() throws {
    let server = try TLSServer(
      loop,
      TLSServer.Manner { session, text in
        session.send(text)
        session.sendCloseNotify()
        session.visitor.finish()
      })
    let client = try call(server, try certificates.trusting())
    client.write("last words")
    loop.run { client.end != nil }
    #expect(client.text == "last words")
    #expect(client.end == .closed)
  }

  /// A peer that waits for our close_notify sends nothing more, not even the end of its stream.
  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func closeNotifyRightBehindTheLastBytesIsNoticed(version: Int32) throws {
    let server = try TLSServer(
      loop,
      TLSServer.Manner(maximumVersion: version) { session, text in
        session.send(text)
        session.sendCloseNotify()
      })
    let client = try call(server, try certificates.trusting())
    client.write("last words")
    loop.run { client.end != nil && server.sessions[0].visitor.end != nil }
    #expect(client.text == "last words")
    #expect(client.end == .closed)
    #expect(server.sessions[0].hasReceivedCloseNotify)
  }

  @Test("report 55: an end without close_notify is told apart as cut short")
  func anEndWithoutCloseNotifyIsCutShort() throws {
    let server = try TLSServer(
      loop,
      TLSServer.Manner { session, text in
        session.send(text)
        session.visitor.finish()
      })
    let client = try call(server, try certificates.trusting())
    client.write("cut off")
    loop.run { client.end != nil }
    #expect(client.text == "cut off")
    #expect(client.end == .truncated)
  }

  @Test func bytesThatAreNoRecordBreakTheSession() throws {
    let server = try TLSServer(
      loop,
      TLSServer.Manner { session, _ in
        session.visitor.connection?.write(Array("this is no record of TLS".utf8))
      })
    let client = try call(server, try certificates.trusting())
    client.write("x")
    loop.run { client.end != nil }
    #expect(client.failure?.kind == .tls)
    #expect(client.failure?.short == "TLS failed")
  }

  /// A server that we did not write.
  @Test func theServerOfTheOpenSSLCommandAnswers() throws {
    let child = try Child([
      "timeout", "600", "openssl", "s_server", "-accept", "127.0.0.1:0", "-rev", "-naccept", "1",
      "-cert", certificates.path("good.pem"), "-key", certificates.path("good.key"),
    ])
    defer {
      child.end()
    }
    var port: UInt16?
    while port == nil, let line = child.line() {
      if line.hasPrefix("ACCEPT ") { port = HostPort(parsing: String(line.dropFirst(7)))?.port }
    }
    let target = LinkTarget(
      host: "localhost", port: try #require(port), tls: try certificates.trusting())
    let client = Client(loop, to: target).start()
    loop.run { client.isOpen || client.end != nil }
    client.write("stressed\n")
    loop.run { client.received.count == 9 || client.end != nil }
    #expect(client.text == "desserts\n")
    client.finish()
    loop.run { client.end != nil }
    #expect(client.end == .closed)
  }
}
