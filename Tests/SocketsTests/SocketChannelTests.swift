import Foundation
import Sockets
import TestKit
import Testing

/// One line against a server that we did not write.
@Suite(.timeLimit(.minutes(2))) struct SocketChannelTests {
  private let server: Server

  init() throws {
    server = try Server.shared.get()
  }

  @Test func aHundredThousandMessagesComeInOrder() async throws {
    let own = try Server()
    let channel = SocketChannel(url: try own.url("/count?n=100000&size=125"))
    var next = 0
    var last: SocketEvent?
    for await event in channel.connect() {
      if case .text(let text) = event {
        #expect(text.count == 125)
        let number = Int(text.prefix { $0 != " " })
        if number != next { Issue.record("\(text) came instead of \(next)") }
        next += 1
      }
      last = event
    }
    #expect(next == 100_000)
    #expect(last == .closed(code: .normalClosure, reason: "all sent"))
  }

  @Test func aHundredThousandMessagesLeaveInOrder() async throws {
    let own = try Server()
    let channel = SocketChannel(url: try own.url("/collect"))
    try await channel.open()
    for number in 0..<100_000 { try await channel.send(String(number)) }
    try await channel.send("done")
    #expect(try await channel.text() == "100000")
    await channel.close()
  }

  @Test func bothDirectionsAtOnceLoseNothing() async throws {
    let channel = SocketChannel(url: try server.url("/echo"))
    try await channel.open()
    async let sending: Void = {
      for number in 0..<20_000 { try await channel.send("\(number)") }
    }()
    var next = 0
    for await event in channel.events {
      guard case .text(let text) = event else { continue }
      if text != "\(next)" { Issue.record("\(text) came instead of \(next)") }
      next += 1
      if next == 20_000 { break }
    }
    try await sending
    #expect(next == 20_000)
  }

  @Test func textAndDataComeBackAsTheyWere() async throws {
    let text = "naïve 日本語 👩‍👩‍👧 \u{0}\u{202E} end"
    let data = Data((0..<300).map { UInt8($0 % 256) })
    let channel = SocketChannel(url: try server.url("/echo"))
    channel.connect()
    try await channel.send(text)
    try await channel.send(data)
    try await channel.send(text: "")
    try await channel.send(data: Data())
    try await channel.flush()
    var came: [SocketEvent] = []
    for await event in channel.events {
      came.append(event)
      if came.count == 5 { break }
    }
    #expect(
      came == [
        .opened(subprotocol: nil), .text(text), .binary(data), .text(""), .binary(Data()),
      ])
    await channel.close()
  }

  @Test func sixteenMebibytesComeBackWhole() async throws {
    let channel = SocketChannel(url: try server.url("/echo"))
    try await channel.open()
    var data = Data(count: 16 << 20)
    for index in stride(from: 0, to: data.count, by: 4099) { data[index] = UInt8(index % 251) }
    try await channel.send(data)
    for await event in channel.events {
      guard case .binary(let back) = event else { continue }
      #expect(back == data)
      break
    }
    await channel.close()
  }

  @Test func aMessageAboveTheLimitFailsTheLineAndThePeerIsTold1009() async throws {
    var configuration = SocketConfiguration()
    configuration.maximumMessageSize = 1000
    let own = try Server()
    let channel = SocketChannel(url: try own.url("/closed"), configuration: configuration)
    try await channel.open()
    await channel.close(code: 4321, reason: "bye")
    #expect(try own.line(containing: "closed after") == "closed after 0: 4321 bye")

    let large = SocketChannel(url: try server.url("/echo"), configuration: configuration)
    try await large.open()
    try await large.send(String(repeating: "x", count: 1001))
    let events = await large.allEvents()
    guard case .failed(let error)? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(error.kind == .messageTooBig)
    #expect(error.message.contains("maximumMessageSize"))
  }

  @Test(arguments: [
    (1000, "done"), (1001, ""), (1008, "policy"), (1012, "restart"), (4000, "größer"), (4999, "x"),
  ])
  func thePeersCloseIsTold(code: Int, reason: String) async throws {
    let path = "/close?code=\(code)&reason=\(reason)"
    let url = try #require(
      URL(
        string: server.base
          + (path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "")))
    let channel = SocketChannel(url: url)
    channel.connect()
    #expect(
      await channel.allEvents() == [
        .opened(subprotocol: nil),
        .closed(code: SocketCloseCode(rawValue: code), reason: reason),
      ])
    let error = await socketError { try await channel.send("late") }
    #expect(error?.kind == .closed)
    #expect(error?.closeCode?.rawValue == code)
  }

  @Test func aLineThatEndsWithoutACloseHasFailed() async throws {
    let channel = SocketChannel(url: try server.url("/cut?after=1"))
    try await channel.open()
    try await channel.send("x")
    let events = await channel.allEvents()
    #expect(events.first == .opened(subprotocol: nil))
    guard case .failed(let error)? = events.last, events.count == 2 else {
      Issue.record("\(events)")
      return
    }
    #expect(error.kind == .tcp)
  }

  @Test func whatIsSentBeforeACloseArrivesBeforeIt() async throws {
    let own = try Server()
    let channel = SocketChannel(url: try own.url("/closed"))
    try await channel.open()
    for number in 0..<1000 { try await channel.send("\(number)") }
    await channel.close()
    #expect(try own.line(containing: "closed after") == "closed after 1000: 1000 ")
  }

  @Test func aCloseBeforeTheLineIsOpenEndsAtOnce() async throws {
    let silent = SilentServer()
    let channel = SocketChannel(url: try #require(silent.url))
    channel.connect()
    await channel.close(code: 4000, reason: "never mind")
    #expect(await channel.allEvents() == [.closed(code: 4000, reason: "never mind")])
    withExtendedLifetime(silent) {}
  }

  @Test func aChannelThatWasNeverConnectedTakesNothing() async throws {
    let channel = SocketChannel(url: try server.url("/echo"))
    #expect(await socketError { try await channel.send("x") }?.kind == .notConnected)
    await channel.close()
  }

  @Test func compressedMessagesComeBackWhole() async throws {
    let own = try Server(["--compression"])
    let channel = SocketChannel(url: try own.url("/echo"))
    try await channel.open()
    let texts = (0..<200).map { String(repeating: "abc \($0) ", count: 1 + $0 * 50) }
    async let sending: Void = { for text in texts { try await channel.send(text) } }()
    for text in texts { #expect(try await channel.text() == text) }
    try await sending
    await channel.close()
  }

  @Test func aFrozenPeerIsFoundByItsSilence() async throws {
    let own = try Server()
    var configuration = SocketConfiguration()
    configuration.pingTimeout = .seconds(2)
    let channel = SocketChannel(url: try own.url("/echo"), configuration: configuration)
    channel.keepAlive(every: .milliseconds(50))
    try await channel.open()
    try await channel.send("x")
    #expect(try await channel.text() == "x")
    own.signal(SIGSTOP)
    guard case .failed(let error)? = await channel.allEvents().last else {
      Issue.record("the line goes on")
      return
    }
    #expect(error.kind == .timeout)
    own.signal(SIGCONT)
  }

  @Test func aFrozenPeerDoesNotHoldUpAClose() async throws {
    let own = try Server()
    var configuration = SocketConfiguration()
    configuration.closeTimeout = .milliseconds(100)
    let channel = SocketChannel(url: try own.url("/echo"), configuration: configuration)
    try await channel.open()
    own.signal(SIGSTOP)
    await channel.close()
    guard case .failed(let error)? = await channel.allEvents().last else {
      Issue.record("no failure")
      return
    }
    #expect(error.kind == .timeout)
    own.signal(SIGCONT)
  }
}
