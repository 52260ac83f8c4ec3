import Glibc
import Net
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LinkTests {
  static let hasIPv6: Bool = {
    guard let loop = try? Loop() else { return false }
    return (try? Server.echo(loop, on: "::1")) != nil
  }()

  @Test func bytesGoThereAndComeBack() throws {
    let loop = try Loop()
    let server = try Server.echo(loop)
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen }
    let peer = "127.0.0.1:\(server.address.port)"
    #expect(client.events == [.connecting([peer]), .opened(peer: peer, tls: nil)])
    client.write("hello")
    loop.run { client.received.count == 5 }
    #expect(client.text == "hello")
    #expect(client.link?.deadline == nil)
  }

  @Test(.enabled(if: hasIPv6)) func addressesOfIPv6StandInBrackets() throws {
    let loop = try Loop()
    let server = try Server.echo(loop, on: "::1")
    let client = Client(loop, host: "::1", to: server.address).start()
    loop.run { client.isOpen }
    #expect(client.events.last == .opened(peer: "[::1]:\(server.address.port)", tls: nil))
    #expect(server.address.description == "[::1]:\(server.address.port)")
    #expect(server.visitors.first?.connection?.peer.hasPrefix("[::1]:") == true)
  }

  /// Time stands still: the second address must not wait for the 250 ms of RFC 8305.
  @Test(arguments: ["127.0.0.1", "::1"])
  func localhostIsFoundWhicheverFamilyListens(host: String) throws {
    guard host == "127.0.0.1" || Self.hasIPv6 else { return }
    let loop = try Loop()
    let server = try Server.echo(loop, on: host)
    let client = Client(loop, host: "localhost", to: server.address).start()
    loop.run { client.isOpen || client.end != nil }
    let peer = server.address.description
    #expect(client.events.last == .opened(peer: peer, tls: nil))
  }

  @Test func onlyTheFamilyAskedForIsTried() throws {
    let loop = try Loop()
    let server = try Server.echo(loop)
    var target = LinkTarget(host: "localhost", port: server.address.port)
    target.family = .ipv4
    let client = Client(loop, to: target).start()
    loop.run { client.isOpen }
    #expect(client.events.first == .connecting(["127.0.0.1:\(server.address.port)"]))
  }

  @Test func largeWritesWaitForASlowReader() throws {
    let loop = try Loop()
    let sent = pattern(8 << 20)
    var received: [UInt8] = []
    let server = try Server(loop) { visitor in
      visitor.connection?.wantsInput = false
      visitor.take = { received += $0 }
    }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.link?.write(sent)
    while !loop.turn(atMost: .zero).isEmpty {}
    let waiting = client.link?.pendingBytes ?? 0
    #expect(waiting > 0 && waiting < sent.count)
    #expect(received.isEmpty)
    client.write("end")
    #expect(client.link?.pendingBytes == waiting + 3)

    server.visitors.first?.connection?.wantsInput = true
    loop.run { received.count == sent.count + 3 }
    #expect(received == sent + Array("end".utf8))
    #expect(client.link?.pendingBytes == 0)
    #expect(client.events.last == .drained)
  }

  /// The memory that `write` gives back is written into again, while bytes of before still wait.
  @Test func exchangedMemoryArrivesInOrderThoughTheSocketIsFull() throws {
    let loop = try Loop()
    var received: [UInt8] = []
    let server = try Server(loop) { visitor in
      visitor.connection?.wantsInput = false
      visitor.take = { received += $0 }
    }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    var expected: [UInt8] = []
    var bytes: [UInt8] = []
    for number in UInt8(0)..<60 {
      #expect(bytes.isEmpty)
      bytes += [UInt8](repeating: number, count: number % 3 == 0 ? 300_000 : 30_000)
      expected += bytes
      client.link?.write(exchanging: &bytes)
    }
    client.write("end")
    #expect((client.link?.pendingBytes ?? 0) > 0)
    server.visitors.first?.connection?.wantsInput = true
    loop.run { received.count == expected.count + 3 }
    #expect(received == expected + Array("end".utf8))
    #expect(client.link?.pendingBytes == 0)
  }

  @Test func collectedBytesLeaveTogether() throws {
    let loop = try Loop()
    var pieces: [[UInt8]] = []
    let server = try Server(loop) { $0.take = { pieces.append($0) } }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen }
    for byte in UInt8(1)...100 { client.link?.collect([byte]) }
    #expect(client.link?.pendingBytes == 100)
    while !loop.turn(atMost: .zero).isEmpty {}
    #expect(pieces.isEmpty)
    client.link?.flush()
    loop.run { !pieces.isEmpty }
    #expect(pieces == [Array(1...100)])
  }

  @Test func finishDeliversEverything() throws {
    let loop = try Loop()
    let sent = [UInt8](repeating: 0x55, count: 8 << 20)
    var count = 0
    let server = try Server(loop) { $0.take = { count += $0.count } }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.link?.write(sent)
    client.finish()
    #expect(client.end == nil)
    #expect(client.link?.deadline == .seconds(5))
    loop.run { client.end != nil && server.visitors[0].end != nil }
    #expect(count == sent.count)
    #expect(server.visitors[0].end == .closed)
    #expect(client.end == .closed)
    #expect(client.link?.deadline == nil)
  }

  @Test("report 50: the end of our side waits for the peer, and throws away what still comes in")
  func finishThrowsAwayWhatStillComesIn() throws {
    let loop = try Loop()
    let server = try Server(loop) { $0.connection?.write([UInt8](repeating: 1, count: 4 << 20)) }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.finish()
    loop.run { server.visitors[0].end != nil && client.end != nil }
    #expect(client.end == .closed)
    #expect(client.received.isEmpty)
  }

  @Test("report 53: a peer that does not end its side is given five seconds")
  func aPeerThatDoesNotEndItsSideIsGivenFiveSeconds() throws {
    let loop = try Loop()
    let server = try Server(loop) { $0.connection?.wantsInput = false }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.finish()
    loop.now = .milliseconds(4999)
    client.timeReached()
    #expect(client.end == nil)
    loop.now = .seconds(5)
    client.timeReached()
    #expect(client.end == .closed)
  }

  @Test func bytesThatThePeerDoesNotTakeAreReportedWhenTimeIsUp() throws {
    let loop = try Loop()
    let server = try Server(loop) { $0.connection?.wantsInput = false }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.link?.write([UInt8](repeating: 1, count: 8 << 20))
    client.finish()
    while !loop.turn(atMost: .zero).isEmpty {}
    let unsent = client.link?.pendingBytes ?? 0
    #expect(unsent > 0)
    loop.now = .seconds(5)
    client.timeReached()
    #expect(client.failure?.kind == .tcp)
    #expect(
      client.failure?.message
        == "\(server.address) did not take the last \(unsent) bytes before the connection ended")
  }

  @Test func dropEndsAtOnceAndSaysNothing() throws {
    let loop = try Loop()
    let server = try Server.echo(loop)
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.link?.drop()
    loop.run { server.visitors[0].end != nil }
    #expect(server.visitors[0].end == .closed)
    client.write("nobody hears this")
    #expect(client.end == nil && client.link?.pendingBytes == 0)
    #expect(client.link?.finish(at: .zero) == [])
  }

  @Test func aServerThatEndsIsReportedWhenReading() throws {
    let loop = try Loop()
    let server = try Server(loop) {
      $0.connection?.write(Array("bye".utf8))
      $0.finish()
    }
    let client = Client(loop, to: server.address).start()
    loop.run { client.end != nil && server.visitors[0].end != nil }
    #expect(client.text == "bye")
    #expect(client.end == .closed)
    #expect(server.visitors[0].end == .closed)
  }

  /// Closing with unread bytes makes Linux answer with a reset (RFC 2525 section 2.17).
  @Test("report 54: a reset while we write is a failure and no SIGPIPE")
  func aConnectionThatIsCutIsAFailureAndNoSignal() throws {
    let loop = try Loop()
    let server = try Server(loop) { $0.connection?.wantsInput = false }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.write("unread")
    while !loop.turn(atMost: .zero).isEmpty {}
    server.visitors[0].connection?.drop()
    client.write("after the end")
    client.write("long after the end")
    loop.run { client.end != nil }
    #expect(client.failure?.kind == .tcp)
    #expect(client.failure?.message == "\(server.address) cut the connection")
  }

  @Test func aPausedConnectionThatHangsUpDoesNotKeepTheThreadBusy() throws {
    let loop = try Loop()
    let server = try Server(loop) { $0.connection?.wantsInput = false }
    let client = Client(loop, to: server.address).start()
    loop.run { client.isOpen && server.visitors.count == 1 }
    client.write("unread")
    while !loop.turn(atMost: .zero).isEmpty {}
    client.link?.wantsInput = false
    server.visitors[0].connection?.drop()
    loop.turn()
    #expect(loop.turn(atMost: .zero) == [])
    client.link?.wantsInput = true
    loop.run { client.end != nil }
    #expect(client.failure?.short == "connection cut")
  }
}
