import Glibc
import Net
import Testing

/// Links through a proxy whose language is that of the test: `ASK HOST:PORT`, answered by `YES`, `NO` or `BUT`, each
/// a line of its own; what follows a `BUT` explains the refusal.
@Suite(.timeLimit(.minutes(1)))
struct ProxyLinkTests {
  private final class PlainTunnel: Tunnel {
    private(set) var asked: [String] = []
    private(set) var hasEnded = false
    private var answer: [UInt8] = []

    func begin(to place: HostPort) -> TunnelStep {
      asked.append(place.description)
      answer = []
      return .waiting(send: Array("ASK \(place)\n".utf8))
    }

    func receive(_ bytes: RawSpan) -> TunnelStep {
      let new = bytes.withUnsafeBytes { Array($0) }
      let known = answer.count
      answer += new
      guard let end = answer.firstIndex(of: 10) else { return .waiting(send: []) }
      switch String(decoding: answer[..<end], as: UTF8.self) {
      case "YES": return .open(consumed: end + 1 - known)
      case "BUT": return .refusing
      default: return .failed(triesNextAddress: true)
      }
    }

    func ended() -> TunnelStep {
      hasEnded = true
      return .failed(triesNextAddress: false)
    }
  }

  /// A proxy that gives these answers to the connections in turn, each as the pieces that are written; what it
  /// gets afterwards it sends back.
  private func proxy(_ loop: Loop, _ answers: [[String]]) throws -> Server {
    var rest = answers[...]
    return try Server(loop) { visitor in
      let answer = rest.popFirst() ?? []
      var isAsked = false
      visitor.take = { [unowned visitor] bytes in
        guard isAsked else {
          isAsked = true
          for piece in answer { visitor.connection?.write(Array(piece.utf8)) }
          return
        }
        visitor.connection?.write(bytes)
      }
    }
  }

  private func target(
    _ tunnel: PlainTunnel, _ proxy: HostPort, tls: TLSContext? = nil
  ) -> LinkTarget {
    var target = LinkTarget(host: "chat.example", port: 80, tls: tls)
    target.proxy = LinkProxy(
      host: proxy.host, port: proxy.port, name: "the proxy px (test)", tunnel: tunnel)
    return target
  }

  @Test func theProxyIsAskedByNameAndCarriesBytesBothWays() throws {
    let loop = try Loop()
    let tunnel = PlainTunnel()
    let server = try proxy(loop, [["YES\n"]])
    let client = Client(loop, to: target(tunnel, server.address)).start()
    loop.run { client.isOpen }
    #expect(tunnel.asked == ["chat.example:80"])
    let peer = server.address.description
    #expect(
      client.events
        == [
          .connecting([peer]), .tunnelling(peer: peer), .opened(peer: "chat.example:80", tls: nil),
        ])
    client.write("hello")
    loop.run { client.text == "hello" }
    client.finish()
    loop.run { client.end != nil }
    #expect(client.end == .closed)
  }

  @Test(arguments: [
    ["YES\nearly "], ["Y", "ES\nearly "], ["YES\n", "early "], ["YES\nea", "rly "],
  ])
  func whatComesRightBehindTheAnswerIsTheServers(pieces: [String]) throws {
    let loop = try Loop()
    let server = try proxy(loop, [pieces])
    let client = Client(loop, to: target(PlainTunnel(), server.address)).start()
    loop.run { client.text == "early " }
    client.write("late")
    loop.run { client.text == "early late" }
  }

  @Test func aServerThatSpeaksBeforeTLSIsToldApart() throws {
    let loop = try Loop()
    let server = try proxy(loop, [["YES\nSSH-2.0-x\r\n"]])
    let client = Client(loop, to: target(PlainTunnel(), server.address, tls: try TLSContext()))
    client.start()
    loop.run { client.end != nil }
    #expect(client.events.contains(.securing(peer: "chat.example:80")))
    #expect(client.failure?.kind == .tls)
    #expect(
      client.failure?.message
        == "chat.example:80 answered without TLS: use ws:// instead of wss://?")
  }

  @Test func theNextAddressIsAskedForOnANewConnection() throws {
    let loop = try Loop()
    let tunnel = PlainTunnel()
    let server = try proxy(loop, [["NO\n"], ["YES\nhi"]])
    var target = target(tunnel, server.address)
    target.proxy?.looksUpServer = true
    target.addresses = ["192.0.2.1", "2001:db8::1", "192.0.2.3"]
    let client = Client(loop, to: target).start()
    loop.run { client.text == "hi" }
    #expect(tunnel.asked == ["192.0.2.1:80", "[2001:db8::1]:80"])
    #expect(server.visitors.count == 2)
  }

  @Test func aRefusalOfTheLastAddressEndsTheLink() throws {
    let loop = try Loop()
    let tunnel = PlainTunnel()
    let server = try proxy(loop, [["NO\n"], ["NO\n"]])
    var target = target(tunnel, server.address)
    target.proxy?.looksUpServer = true
    target.addresses = ["192.0.2.1", "192.0.2.2"]
    let client = Client(loop, to: target).start()
    loop.run { client.end != nil }
    #expect(client.end == .tunnelFailed)
    #expect(tunnel.asked.count == 2)
  }

  @Test func theEndOfTheConnectionIsTheTunnelsToExplain() throws {
    let loop = try Loop()
    let tunnel = PlainTunnel()
    let server = try Server(loop) { visitor in
      visitor.take = { [unowned visitor] _ in visitor.finish() }
    }
    let client = Client(loop, to: target(tunnel, server.address)).start()
    loop.run { client.end != nil }
    #expect(client.end == .tunnelFailed)
    #expect(tunnel.hasEnded)
  }

  @Test func aRefusalWithoutEndIsWaitedForOneSecondOnly() throws {
    let loop = try Loop()
    let tunnel = PlainTunnel()
    let server = try proxy(loop, [["BUT\nas I was about to say"]])
    let client = Client(loop, to: target(tunnel, server.address)).start()
    loop.now = .seconds(2)
    loop.run { client.link?.deadline != .seconds(10) }
    #expect(client.link?.deadline == .seconds(3))
    loop.now = .seconds(3)
    client.timeReached()
    #expect(client.end == .tunnelFailed)
    #expect(tunnel.hasEnded)
  }

  @Test func theTimeLimitNamesTheProxyAndTheServer() throws {
    let loop = try Loop()
    let server = try proxy(loop, [])
    let client = Client(loop, to: target(PlainTunnel(), server.address)).start()
    loop.run { client.events.count == 2 }
    loop.now = .seconds(10)
    client.timeReached()
    #expect(client.failure?.kind == .timeout)
    #expect(
      client.failure?.message
        == "the proxy px (test) cannot be used: no answer from \(server.address) within 10 s while "
        + "asking for chat.example:80: is it up, and a proxy of that kind, and is the time limit long enough?"
    )
  }

  @Test func aProxyThatIsNotThereIsNamedAsTheProxy() throws {
    let loop = try Loop()
    let gone = try Server.echo(try Loop()).address
    let client = Client(loop, to: target(PlainTunnel(), gone)).start()
    loop.run { client.end != nil }
    #expect(
      client.failure
        == LinkFailure(
          kind: .proxy,
          message:
            "the proxy px (test) cannot be used: \(gone) refused the connection: is it running "
            + "on that port?", short: "proxy: connection refused"))
    let nameless = Client(
      loop, to: target(PlainTunnel(), HostPort(host: "no..name", port: 1))
    ).start()
    loop.run { nameless.end != nil }
    #expect(nameless.failure?.kind == .proxy)
  }

  @Test func aServerThatCannotBeLookedUpHereIsNotTheProxysFault() throws {
    let loop = try Loop()
    var target = target(PlainTunnel(), HostPort(host: "127.0.0.1", port: 1))
    target.proxy?.looksUpServer = true
    target.addresses = ["no address"]
    let client = Client(loop, to: target).start()
    #expect(client.failure?.kind == .dns)
  }

  /// The outer certificate is checked against the proxy's name, and the words are about the proxy.
  @Test(arguments: [true, false])
  func theProxysCertificateIsChecked(knowsAuthority: Bool) throws {
    let loop = try Loop()
    let certificates = try Certificates.made()
    var manner = TLSServer.Manner()
    manner.answer = { session, _ in session.send(Array("YES\nhi".utf8)) }
    let server = try TLSServer(loop, manner)
    var options = TLSOptions()
    options.peer = .proxy
    if knowsAuthority { options.certificateAuthorityFile = certificates.path("authority.pem") }
    var target = target(PlainTunnel(), server.address)
    target.proxy?.tls = try TLSContext(options)
    let client = Client(loop, to: target).start()
    loop.run { client.text == "hi" || client.end != nil }
    if knowsAuthority {
      #expect(client.events.last == .opened(peer: "chat.example:80", tls: nil))
    } else {
      #expect(client.failure?.kind == .tls)
      #expect(client.failure?.message.contains("--insecure") == false)
      #expect(
        client.failure?.message.hasPrefix("the proxy px (test) cannot be used: the certificate of ")
          == true)
    }
  }

  /// TLS with the proxy goes on where it stood too, and a proxy that cannot bear that is asked once more.
  @Test func anHTTPSProxyThatHangsUpOnAnOfferIsAskedAgainWithoutOne() throws {
    let loop = try Loop()
    let certificates = try Certificates.made()
    var options = TLSOptions()
    options.peer = .proxy
    options.certificateAuthorityFile = certificates.path("authority.pem")
    let context = try TLSContext(options)
    var manner = TLSServer.Manner()
    manner.answer = { session, _ in session.send(Array("YES\nhi".utf8)) }
    func visit(_ port: UInt16) -> (client: Client, asked: [String]) {
      let tunnel = PlainTunnel()
      var target = target(tunnel, HostPort(host: "127.0.0.1", port: port))
      target.addresses = ["192.0.2.1"]
      target.proxy?.looksUpServer = true
      target.proxy?.tls = context
      let client = Client(loop, to: target).start()
      loop.run { client.text == "hi" || client.end != nil }
      return (client, tunnel.asked)
    }
    let first = try TLSServer(loop, manner)
    let port = first.address.port
    #expect(visit(port).client.link?.tlsDetails?.isResumed == false)
    #expect(visit(port).client.link?.tlsDetails?.isResumed == true)
    first.stop()
    var hangUps = 0
    let second = try TLSServer(loop, port: port, manner) { visitor in
      guard hangUps == 0 else { return false }
      hangUps += 1
      visitor.take = { [unowned visitor] _ in visitor.finish() }
      return true
    }
    let again = visit(port)
    #expect(again.client.text == "hi")
    #expect(again.client.link?.tlsDetails?.isResumed == false)
    #expect(again.asked == ["192.0.2.1:80"])
    #expect(hangUps == 1 && second.sessions.count == 1)
  }
}
