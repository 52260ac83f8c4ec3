import Channel
import Program
import Server
import TestKit
import Testing
import Text
import WebSocket

/// `parlour cat` against the embedded server.
private struct CatConversation {
  var cat: CatClient
  var server = ChatServer(ServerConfiguration())
  var now: Duration = .zero
  var isServerUp = true
  /// What the client writes is lost.
  var isSilent = false
  var output = ""
  var errors = ""
  var exit: Int32?
  private var open: Set<Int> = []
  private var entropy = Entropy.seeded(3)
  private var serverEntropy = Entropy.seeded(4)

  init(
    _ subprotocol: String, configure: (inout SessionConfiguration) -> Void = { _ in },
    options change: (inout CatOptions) -> Void = { _ in }
  ) {
    var configuration = SessionConfiguration(
      endpoint: Endpoint(isSecure: false, host: "127.0.0.1", port: 9000, target: "/"),
      subprotocols: [subprotocol], context: DialectContext(room: "lobby", nick: "ada"))
    configuration.backoff = Backoff(jitter: 0)
    configure(&configuration)
    var options = CatOptions(url: "")
    options.format = .json
    options.wait = .zero
    change(&options)
    cat = CatClient(configuration, options)
  }

  mutating func run(_ input: CatClientInput) {
    perform(
      cat.handle(input, at: Instant(now), wall: Timestamp(milliseconds: 0), entropy: &entropy))
  }

  mutating func advance(by distance: Duration) {
    let end = now + distance
    for _ in 0..<1_000 {
      guard let due = cat.deadline?.sinceStart, due <= end else { break }
      now = max(now, due)
      run(.session(.timeReached))
    }
    now = end
  }

  mutating func cut() {
    for number in open.sorted() { end(number) }
  }

  private mutating func end(_ number: Int) {
    guard open.remove(number) != nil else { return }
    perform(server.ended(ConnectionID(number), at: now))
    run(.session(.linkEnded(LinkID(number), nil)))
  }

  private mutating func perform(_ effects: [CatEffect]) {
    for effect in effects {
      switch effect {
      case .openLink(let link, _):
        guard isServerUp else {
          run(.session(.linkEnded(link, Failure(kind: .tcp, message: "refused"))))
          continue
        }
        open.insert(link.number)
        perform(server.accepted(ConnectionID(link.number), at: now))
        run(.session(.linkOpened(link, peer: "127.0.0.1:9000", tls: nil)))
      case .write(let link, let bytes):
        guard open.contains(link.number), !isSilent else { continue }
        perform(
          server.receive(
            bytes.span.bytes, from: ConnectionID(link.number), at: now, wall: 0,
            entropy: &serverEntropy))
      case .finishLink(let link), .dropLink(let link): end(link.number)
      case .log: break
      case .standardOutput(let bytes): output += String(decoding: bytes, as: UTF8.self)
      case .standardError(let sentence): errors += sentence
      case .exit(let code): exit = code
      }
    }
  }

  private mutating func perform(_ actions: [ServerAction]) {
    for action in actions {
      switch action {
      case .write(let id, let bytes):
        guard open.contains(id.number) else { continue }
        perform(
          cat.receive(
            bytes.span.bytes, from: LinkID(id.number), at: Instant(now),
            wall: Timestamp(milliseconds: 0), entropy: &entropy))
      case .finish(let id), .drop(let id): end(id.number)
      }
    }
  }

  /// The event names in order.
  var events: [String] {
    output.split(separator: "\n").map {
      String($0.dropFirst(#"{"event":""#.count).prefix { $0 != "\"" })
    }
  }

  /// The texts of the events of that name.
  func texts(of event: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix(#"{"event":"\#(event)""#) }.compactMap {
      let parts = String($0).split(separator: #""text":""#, maxSplits: 1)
      return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }
  }
}

extension [UInt8] {
  fileprivate init(_ text: String) { self = Array(text.utf8) }
}

@Suite struct CatConversationTests {
  @Test(arguments: ["graphql-transport-ws", "parlour-envelope"])
  func linesGoOutInOrderAndEachMessageIsPrintedOnce(subprotocol: String) {
    var talk = CatConversation(subprotocol)
    talk.run(.start)
    talk.run(.standardInput([UInt8]("one\ntwo\nthree\n")))
    talk.run(.standardInputEnded)
    talk.advance(by: .seconds(10))
    #expect(talk.texts(of: "message") == ["one", "two", "three"])
    #expect(talk.texts(of: "sent") == ["one", "two", "three"])
    #expect(talk.events.first == "connecting")
    #expect(talk.events.dropFirst().first == "opened")
    #expect(talk.events.last == "closed")
    #expect(talk.output.hasSuffix(#""code":1000,"reason":"","clean":true}"# + "\n"))
    #expect(talk.exit == 0)
    #expect(talk.errors.isEmpty)
  }

  @Test func inPlainEverythingIsSentAndNothingIsToldTwice() {
    var talk = CatConversation("parlour-plain")
    talk.run(.start)
    talk.run(.standardInput([UInt8]("a\nb")))
    talk.run(.standardInputEnded)
    talk.advance(by: .seconds(10))
    #expect(talk.events.filter { $0 == "sent" || $0 == "message" || $0 == "unsure" }.isEmpty)
    #expect(talk.exit == 0)
  }

  @Test(arguments: ["graphql-transport-ws", "parlour-envelope"])
  func linesTypedWhileTheLineIsDownArriveOnceInOrder(subprotocol: String) {
    var talk = CatConversation(subprotocol)
    talk.run(.start)
    talk.run(.standardInput([UInt8]("before\n")))
    talk.advance(by: .seconds(3))
    talk.isSilent = true
    talk.run(.standardInput([UInt8]("swallowed\n")))
    talk.isServerUp = false
    talk.cut()
    talk.run(.standardInput([UInt8]("while down\nand then\n")))
    talk.run(.standardInputEnded)
    talk.isSilent = false
    talk.advance(by: .seconds(2))
    talk.isServerUp = true
    talk.advance(by: .seconds(60))
    let all = ["before", "swallowed", "while down", "and then"]
    #expect(talk.texts(of: "message") == all)
    #expect(talk.texts(of: "sent") == all)
    #expect(talk.exit == 0)
  }

  @Test func anUnreachableServerIsExitCode69() {
    var talk = CatConversation("graphql-transport-ws", configure: { $0.maxAttempts = 3 })
    talk.isServerUp = false
    talk.run(.start)
    talk.advance(by: .seconds(60))
    #expect(talk.events.filter { $0 == "failed" }.count == 3)
    #expect(talk.events.last == "gave-up")
    #expect(talk.exit == 69)
  }

  @Test func withoutReconnectingOneFailureIsTheEnd() {
    var talk = CatConversation("graphql-transport-ws", configure: { $0.reconnects = false })
    talk.isServerUp = false
    talk.run(.start)
    #expect(talk.events.prefix(2) == ["connecting", "failed"])
    #expect(talk.exit == 69)
  }

  @Test func itWaitsAndThenLeaves() {
    var talk = CatConversation("graphql-transport-ws", options: { $0.wait = .seconds(5) })
    talk.run(.start)
    talk.run(.standardInputEnded)
    talk.advance(by: .milliseconds(4_900))
    #expect(talk.exit == nil)
    talk.advance(by: .milliseconds(200))
    #expect(talk.exit == 0)
  }
}
