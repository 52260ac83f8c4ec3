import Channel
import Program
import Room
import Screen
import Server
import TestKit
import Text
import WebSocket

/// The whole program against the embedded server, both as values: bytes go over at once, and time passes only
/// when it is told to.
struct Conversation {
  var program: Program
  var server: ChatServer
  var now: Duration = .zero
  /// Nobody answers while false, and lines that are up are cut.
  var isServerUp = true { didSet { if !isServerUp { cut() } } }
  /// Bytes to the server vanish, and none come from it.
  var isSilent = false
  /// Bytes to the server arrive, and what it answers vanishes.
  var isDeaf = false
  /// While true nothing comes of dialling.
  var isStalling = false
  private(set) var links = 0
  private(set) var bells = 0
  private(set) var notices: [Notice] = []
  private(set) var titles: [String] = []
  private(set) var quits: [Int32] = []
  private(set) var others: [ProgramEffect] = []
  /// Everything that was to be kept.
  private(set) var records: [Record] = []
  private var all: [ProgramEffect] = []
  private var open: Set<Int> = []
  private var entropy = Entropy.seeded(7)
  private var serverEntropy = Entropy.seeded(8)

  private static let start: Int64 = 1_767_225_600_000

  init(
    _ subprotocol: String = "graphql-transport-ws", nick: String = "ada",
    token: String? = nil, tokens: [String] = [], width: Int = 80, height: Int = 24,
    sharing other: Conversation? = nil, recalling memory: RoomMemory? = nil, inputs: [String] = [],
    configure: (inout SessionConfiguration) -> Void = { _ in }
  ) {
    var serverConfiguration = ServerConfiguration()
    serverConfiguration.tokens = tokens
    // A server that has been talked to, without the lines to it.
    server = other?.server ?? ChatServer(serverConfiguration)
    var configuration = SessionConfiguration(
      endpoint: Endpoint(isSecure: false, host: "127.0.0.1", port: 9000, target: "/"),
      subprotocols: [subprotocol], context: DialectContext(room: "lobby", nick: nick))
    configuration.token = token.flatMap { Bearer(firstLineOf: $0) }
    configuration.backoff = Backoff(jitter: 0)
    configure(&configuration)
    program = Program(configuration, theme: .fallback, width: width, height: height)
    if let memory {
      program.keepHistory(inputs: inputs)
      run(.recalled(memory, room: "lobby"))
      run(.keeping(reachesDisk: true, isNew: false))
    }
    run(.start)
  }

  var wall: Timestamp {
    Timestamp(milliseconds: Self.start + now.components.seconds * 1000)
  }

  // MARK: - The person

  mutating func press(_ keys: Key...) {
    for key in keys { run(.key(key)) }
  }

  mutating func write(_ text: String) {
    for character in text { run(.key(.character(character))) }
  }

  mutating func enter(_ text: String) {
    write(text)
    press(.enter)
  }

  mutating func resize(_ width: Int, _ height: Int) {
    run(.resized(width: width, height: height))
  }

  // MARK: - The world

  /// Somebody else speaks.
  mutating func say(_ text: String, by author: String = "mira", in room: String = "lobby") {
    perform(
      server.say(
        text, by: author, in: room, at: now, wall: wall.milliseconds, entropy: &serverEntropy))
  }

  /// Every line is cut without a Close.
  mutating func cut() {
    for number in open.sorted() {
      open.remove(number)
      perform(server.ended(ConnectionID(number), at: now))
      run(.session(.linkEnded(LinkID(number), nil)))
    }
  }

  /// Time goes by, with a stop at every deadline.
  mutating func advance(by distance: Duration) {
    let end = now + distance
    for _ in 0..<10_000 {
      let due = [program.deadline?.sinceStart, isServerUp ? server.deadline : nil]
        .compactMap(\.self).min()
      guard let due, due <= end else { break }
      now = max(now, due)
      if isServerUp { perform(server.timeReached(at: now, entropy: &serverEntropy)) }
      run(.session(.timeReached))
    }
    now = end
  }

  mutating func run(_ input: ProgramInput) {
    perform(program.handle(input, at: Instant(now), wall: wall, entropy: &entropy))
  }

  private mutating func perform(_ effects: [ProgramEffect]) {
    all += effects
    for effect in effects {
      switch effect {
      case .openLink(let link, _): dial(link)
      case .write(let link, let bytes):
        guard open.contains(link.number), !isSilent else { continue }
        perform(
          server.receive(
            bytes.span.bytes, from: ConnectionID(link.number), at: now, wall: wall.milliseconds,
            entropy: &serverEntropy))
      case .finishLink(let link), .dropLink(let link):
        guard open.remove(link.number) != nil else { continue }
        perform(server.ended(ConnectionID(link.number), at: now))
        run(.session(.linkEnded(link, nil)))
      case .log: break
      case .bell: bells += 1
      case .setTitle(let title): titles.append(title)
      case .keep(let kept): records += kept
      case .quit(let code): quits.append(code)
      case .notify(let notice): notices.append(notice)
      case .loadTheme, .listThemes, .checkTheme, .saveSettings, .suspend, .repaint, .manage,
        .loadEarlier, .loadLater, .loadPage, .search, .forget, .copy, .browse, .save, .lookUp,
        .editExternally:
        others.append(effect)
      }
    }
  }

  private mutating func dial(_ link: LinkID) {
    links += 1
    if isStalling { return }
    guard isServerUp else {
      let failure = Failure(
        kind: .tcp, message: "127.0.0.1 port 9000 refused the connection", short: "refused")
      return run(.session(.linkEnded(link, failure)))
    }
    open.insert(link.number)
    perform(server.accepted(ConnectionID(link.number), at: now))
    run(.session(.linkOpened(link, peer: "127.0.0.1:9000", tls: nil)))
  }

  private mutating func perform(_ actions: [ServerAction]) {
    for action in actions {
      switch action {
      case .write(let id, let bytes):
        guard open.contains(id.number), !isSilent, !isDeaf else { continue }
        perform(
          program.receive(
            bytes.span.bytes, from: LinkID(id.number), at: Instant(now), wall: wall,
            entropy: &entropy))
      case .finish(let id), .drop(let id):
        guard open.remove(id.number) != nil else { continue }
        perform(server.ended(id, at: now))
        run(.session(.linkEnded(LinkID(id.number), nil)))
      }
    }
  }

  /// Everything that the program wanted meanwhile.
  mutating func effects(of body: (inout Conversation) -> Void) -> [ProgramEffect] {
    all = []
    body(&self)
    return all
  }

  // MARK: - What is seen

  var screen: String {
    program.grid(clock: Clock(now: Instant(now), wall: wall, offset: { _ in 0 })).text
  }

  var rows: [String] {
    screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  func shows(_ text: String) -> Bool { screen.contains(text) }

  /// How many rows end with that text.
  func count(_ text: String) -> Int { rows.count { $0.hasSuffix(text) } }

  /// The row number of the last row that ends with that text.
  func row(_ text: String) -> Int? { rows.lastIndex { $0.hasSuffix(text) } }
}
