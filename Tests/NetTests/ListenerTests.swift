import Net
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ListenerTests {
  @Test(arguments: [
    ("localhost:9000", "localhost", 9000), ("[::1]:80", "::1", 80), (":443", "", 443),
    ("8080", "", 8080), ("127.0.0.1:0", "127.0.0.1", 0),
    ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
  ])
  func hostAndPortAreRead(text: String, host: String, port: UInt16) {
    #expect(HostPort(parsing: text) == HostPort(host: host, port: port))
  }

  @Test(arguments: [
    "", "localhost", "localhost:", "localhost:65536", "localhost:+80", "localhost:-1", "::1:80",
    "[::1]", "[localhost]:80", "local host:80", "a:b", "a:8０",
  ])
  func whatIsNoHostAndPortIsRefused(text: String) {
    #expect(HostPort(parsing: text) == nil)
  }

  @Test func portZeroTakesAFreePort() throws {
    let loop = try Loop()
    let first = try Server.echo(loop)
    let second = try Server.echo(loop)
    #expect(first.address.port != 0)
    #expect(first.address.port != second.address.port)
    #expect(first.address.description == "127.0.0.1:\(first.address.port)")
  }

  @Test func aTakenPortIsToldInWords() throws {
    let loop = try Loop()
    let first = try Server.echo(loop)
    #expect(
      throws: Listener.Failure(
        message: "another program listens on \(first.address) already: choose another port with "
          + "--listen")
    ) { try Listener(on: first.address, reactor: loop.reactor, token: 1) }
  }

  @Test func anAddressOfAnotherMachineIsToldInWords() throws {
    let loop = try Loop()
    #expect(
      throws: Listener.Failure(
        message: "203.0.113.1:0 cannot be listened on, for this machine has no such address")
    ) {
      try Listener(on: HostPort(host: "203.0.113.1", port: 0), reactor: loop.reactor, token: 1)
    }
  }

  @Test(arguments: ["localhost", ""])
  func namesAndEveryAddressAreReachedByIPv4(host: String) throws {
    let loop = try Loop()
    let server = try Server.echo(loop, on: host)
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    #expect(server.listener?.accept(token: 1000) == nil)
  }
}
