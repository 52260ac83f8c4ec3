import Glibc
import Net
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectTests {
  /// A port of 127.0.0.1 on which nobody listens any more.
  private func closedPort() throws -> UInt16 {
    let loop = try Loop()
    return try Server.echo(loop).address.port
  }

  @Test func aRefusalNamesHostAndPort() throws {
    let loop = try Loop()
    let port = try closedPort()
    let client = Client(loop, to: LinkTarget(host: "127.0.0.1", port: port)).start()
    loop.run { client.end != nil }
    #expect(
      client.failure
        == LinkFailure(
          kind: .tcp,
          message: "127.0.0.1:\(port) refused the connection: is the server running on that port?",
          short: "connection refused"))
  }

  @Test func aRefusalByAllAddressesNamesThem() throws {
    let loop = try Loop()
    let port = try closedPort()
    var target = LinkTarget(host: "chat.example", port: port)
    target.addresses = ["127.0.0.1", "127.0.0.2"]
    let client = Client(loop, to: target).start()
    loop.run { client.end != nil }
    #expect(
      client.failure?.message
        == "chat.example:\(port) refused the connection (tried 127.0.0.1:\(port), "
        + "127.0.0.2:\(port)): is the server running on that port?")
  }

  @Test func aSilentAddressIsOvertakenByTheNextAfter250Milliseconds() throws {
    let loop = try Loop()
    let silent = try SilentPort()
    let server = try Listener(
      on: HostPort(host: "127.0.0.2", port: silent.port), reactor: loop.reactor, token: 999)
    var target = LinkTarget(host: "chat.example", port: silent.port)
    target.addresses = ["127.0.0.1", "127.0.0.2"]
    let client = Client(loop, to: target).start()
    #expect(client.link?.deadline == .milliseconds(250))
    loop.now = .milliseconds(249)
    client.timeReached()
    #expect(!client.isOpen)
    loop.now = .milliseconds(250)
    client.timeReached()
    loop.run { client.isOpen }
    #expect(client.events.last == .opened(peer: "127.0.0.2:\(silent.port)", tls: nil))
    #expect(server.address.port == silent.port)
  }

  @Test func theTimeLimitNamesTheStageConnecting() throws {
    let loop = try Loop()
    loop.now = .seconds(100)
    let silent = try SilentPort()
    let client = Client(loop, to: LinkTarget(host: "127.0.0.1", port: silent.port)).start()
    while !loop.turn(atMost: .zero).isEmpty {}
    #expect(client.link?.deadline == .seconds(110))
    loop.now = .milliseconds(109_999)
    client.timeReached()
    #expect(client.end == nil)
    loop.now = .seconds(110)
    client.timeReached()
    #expect(client.failure?.kind == .timeout)
    #expect(client.failure?.short == "no answer in 10 s")
    #expect(
      client.failure?.message.hasPrefix(
        "no answer from 127.0.0.1:\(silent.port) within 10 s while connecting: ") == true)
  }

  @Test func theTimeLimitNamesTheStageTLS() throws {
    let loop = try Loop()
    let server = try Server(loop) { _ in }
    var target = LinkTarget(host: "127.0.0.1", port: server.address.port, tls: try TLSContext())
    target.timeLimit = .milliseconds(2500)
    let client = Client(loop, to: target).start()
    loop.run { client.events.count == 2 }
    let peer = server.address.description
    #expect(client.events == [.connecting([peer]), .securing(peer: peer)])
    #expect(client.link?.deadline == .milliseconds(2500))
    loop.now = .milliseconds(2500)
    client.timeReached()
    #expect(client.failure?.kind == .timeout)
    #expect(
      client.failure?.message.hasPrefix(
        "no answer from \(peer) within 2.5 s while agreeing on TLS: ") == true)
  }

  @Test func theTimeLimitNamesTheStageLookUp() throws {
    let loop = try Loop()
    let client = Client(loop, to: LinkTarget(host: Self.noName, port: 1)).start()
    #expect(client.events == [.lookingUp])
    loop.now = .seconds(10)
    client.timeReached()
    #expect(
      client.failure?.message.hasPrefix(
        "no answer from \(Self.noName):1 within 10 s while looking up the name: ") == true)
  }

  /// No name server is asked about an empty label: the resolver refuses it itself.
  private static let noName = "no..name"

  @Test func aHostThatDoesNotExistIsToldInWords() throws {
    let loop = try Loop()
    let client = Client(loop, to: LinkTarget(host: Self.noName, port: 1)).start()
    loop.run { client.end != nil }
    #expect(client.failure?.kind == .dns)
    #expect(
      client.failure?.message == "there is no host named no..name: check the spelling")
    #expect(
      client.failure?.sentence == "There is no host named no..name: check the spelling")
    #expect(client.failure?.short == "host not found")
  }

  @Test(arguments: ["", "a b", "evil\u{0}.example", "new\nline"])
  func whatIsNoHostNameIsNotAskedFor(host: String) throws {
    let loop = try Loop()
    let client = Client(loop, to: LinkTarget(host: host, port: 1)).start()
    #expect(client.failure?.short == "host not found")
    #expect(client.failure?.message.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
  }

  /// The first link is dropped before its answer comes, the second after it came.
  @Test func theAnswerOfAnAbandonedLookUpIsDropped() throws {
    let loop = try Loop()
    let target = LinkTarget(host: Self.noName, port: 1)
    let early = Client(loop, to: target).start()
    early.link?.drop()
    let late = Client(loop, to: target).start()
    while loop.reactor.wait(atMost: .seconds(1)).isEmpty {}
    late.link?.drop()
    let third = Client(loop, to: target).start()
    var tokens: Set<UInt64> = []
    while third.end == nil { tokens.formUnion(loop.turn()) }
    #expect(tokens == [try #require(third.link).token])
    #expect(early.events == [.lookingUp] && late.events == [.lookingUp])
  }

  @Test func finishBeforeItIsOpenEndsAtOnce() throws {
    let loop = try Loop()
    let silent = try SilentPort()
    let client = Client(loop, to: LinkTarget(host: "127.0.0.1", port: silent.port)).start()
    client.finish()
    #expect(client.end == .closed)
    #expect(loop.turn(atMost: .zero) == [])
  }
}

/// A port of 127.0.0.1 that answers nobody: its queue of one is full, so further SYNs are dropped.
final class SilentPort {
  let port: UInt16
  private var descriptors: [Int32]

  init() throws {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptors = [listening]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var length = size
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, size) == 0 && listen(listening, 0) == 0
          && getsockname(listening, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    try #require(isListening)
    for _ in 0..<3 {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
      let filler = socket(AF_INET, kind, 0)
      descriptors.append(filler)
      withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, size) }
      }
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
