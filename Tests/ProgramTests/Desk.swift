import Channel
import Room
import Screen
import Server
import TestKit
import Text
import WebSocket

@testable import Program

/// A workspace against several embedded servers, all of them values: a server for each host. Bytes go over at once,
/// and time passes only when it is told to.
struct Desk {
  var workspace: Workspace
  private(set) var servers: [String: ChatServer] = [:]
  var now: Duration = .zero
  /// Hosts that nobody answers at.
  private(set) var downHosts: Set<String> = []
  private(set) var bells = 0
  private(set) var titles: [String] = []
  private(set) var quits: [Int32] = []
  private(set) var closed: [WindowID] = []
  private(set) var records: [(window: WindowID, record: Record)] = []
  /// Rooms with what an earlier run left, by host and room; windows keep nothing where this is nil.
  var memories: [String: RoomMemory]?
  private var open: [Line: (host: String, id: ConnectionID)] = [:]
  private var lastConnection = 0
  private var entropy = Entropy.seeded(7)
  private var serverEntropy = Entropy.seeded(8)

  private struct Line: Hashable {
    var window: WindowID
    var link: LinkID
  }

  private static let start: Int64 = 1_767_225_600_000

  init(
    host: String = "a.example", room: String = "lobby", width: Int = 80, height: Int = 24,
    memories: [String: RoomMemory]? = nil
  ) {
    self.memories = memories
    let configuration = Self.configuration(host: host, room: room)
    workspace = Workspace(configuration, theme: .fallback, width: width, height: height)
    if memories != nil { workspace.keepHistory(inputs: []) }
    if let memory = memories?["\(host) \(room)"] {
      run(.window(nil, .recalled(memory, room: room)))
    }
    run(.window(nil, .start))
  }

  static func configuration(
    host: String, room: String, nick: String = "ada"
  ) -> SessionConfiguration {
    var configuration = SessionConfiguration(
      endpoint: Endpoint(isSecure: false, host: host, port: 80, target: "/"),
      subprotocols: ["graphql-transport-ws"], context: DialectContext(room: room, nick: nick))
    configuration.backoff = Backoff(jitter: 0)
    return configuration
  }

  var wall: Timestamp {
    Timestamp(milliseconds: Self.start + now.components.seconds * 1000)
  }

  // MARK: - The person

  mutating func press(_ keys: Key...) {
    for key in keys { run(.window(nil, .key(key))) }
  }

  mutating func write(_ text: String) {
    for character in text { press(.character(character)) }
  }

  mutating func enter(_ text: String) {
    write(text)
    press(.enter)
  }

  /// Opens a window that stays behind.
  mutating func openBehind(host: String = "a.example", room: String) {
    open(workspace.nextID(), Self.configuration(host: host, room: room), isShown: false)
  }

  // MARK: - The world

  mutating func say(
    _ text: String, by author: String = "mira", in room: String, host: String = "a.example"
  ) {
    guard var server = servers[host] else { return }
    let actions = server.say(
      text, by: author, in: room, at: now, wall: wall.milliseconds, entropy: &serverEntropy)
    servers[host] = server
    perform(actions, host: host)
  }

  mutating func take(down host: String) {
    downHosts.insert(host)
    for (line, end) in open where end.host == host {
      open[line] = nil
      tell(host) { server, now, _ in server.ended(end.id, at: now) }
      run(.window(line.window, .session(.linkEnded(line.link, nil))))
    }
  }

  mutating func bring(up host: String) {
    downHosts.remove(host)
  }

  mutating func advance(by distance: Duration) {
    let end = now + distance
    for _ in 0..<100_000 {
      let dues = [workspace.deadline?.sinceStart] + servers.values.map(\.deadline)
      guard let due = dues.compactMap(\.self).min(), due <= end else { break }
      now = max(now, due)
      for host in servers.keys {
        tell(host) { server, now, entropy in server.timeReached(at: now, entropy: &entropy) }
      }
      run(.timeReached)
    }
    now = end
  }

  mutating func run(_ input: WorkspaceInput) {
    perform(workspace.handle(input, at: Instant(now), wall: wall, entropy: &entropy))
  }

  private mutating func perform(_ effects: [WorkspaceEffect]) {
    for effect in effects {
      switch effect {
      case .window(let id, let effect): perform(effect, of: id)
      case .open(let id, .room(let room, let nick, let like)):
        guard let index = workspace.index(of: like) else { continue }
        let host = workspace.windows[index].shownServer
        open(id, Self.configuration(host: host, room: room, nick: nick), isShown: true)
      case .open(let id, .server(let host, _)):
        open(id, Self.configuration(host: host, room: "lobby"), isShown: true)
      case .closed(let id): closed.append(id)
      }
    }
  }

  private mutating func open(_ id: WindowID, _ configuration: SessionConfiguration, isShown: Bool) {
    let place = "\(configuration.endpoint.host) \(configuration.context.room)"
    let memory = memories.map { $0[place] ?? RoomMemory() }
    run(.opened(id, .init(configuration: configuration, memory: memory, isShown: isShown)))
  }

  private mutating func perform(_ effect: ProgramEffect, of window: WindowID) {
    switch effect {
    case .openLink(let link, let endpoint): dial(Line(window: window, link: link), endpoint.host)
    case .write(let link, let bytes):
      guard let end = open[Line(window: window, link: link)] else { return }
      let wall = wall.milliseconds
      tell(end.host) { server, now, entropy in
        server.receive(bytes.span.bytes, from: end.id, at: now, wall: wall, entropy: &entropy)
      }
    case .finishLink(let link), .dropLink(let link):
      guard let end = open.removeValue(forKey: Line(window: window, link: link)) else { return }
      tell(end.host) { server, now, _ in server.ended(end.id, at: now) }
      run(.window(window, .session(.linkEnded(link, nil))))
    case .bell: bells += 1
    case .setTitle(let title): titles.append(title)
    case .keep(let kept): records += kept.map { (window, $0) }
    case .quit(let code): quits.append(code)
    default: break
    }
  }

  private mutating func dial(_ line: Line, _ host: String) {
    guard !downHosts.contains(host) else {
      let failure = Failure(kind: .tcp, message: "\(host) refused", short: "refused")
      return run(.window(line.window, .session(.linkEnded(line.link, failure))))
    }
    lastConnection += 1
    let id = ConnectionID(lastConnection)
    open[line] = (host, id)
    tell(host) { server, now, _ in server.accepted(id, at: now) }
    run(.window(line.window, .session(.linkOpened(line.link, peer: host, tls: nil))))
  }

  private mutating func tell(
    _ host: String, _ body: (inout ChatServer, Duration, inout Entropy) -> [ServerAction]
  ) {
    var server = servers[host] ?? ChatServer(ServerConfiguration())
    let actions = body(&server, now, &serverEntropy)
    servers[host] = server
    perform(actions, host: host)
  }

  private mutating func perform(_ actions: [ServerAction], host: String) {
    for action in actions {
      switch action {
      case .write(let id, let bytes):
        guard let line = line(of: id) else { continue }
        perform(
          workspace.receive(
            bytes.span.bytes, from: line.link, in: line.window, at: Instant(now), wall: wall,
            entropy: &entropy))
      case .finish(let id), .drop(let id):
        guard let line = line(of: id) else { continue }
        open[line] = nil
        tell(host) { server, now, _ in server.ended(id, at: now) }
        run(.window(line.window, .session(.linkEnded(line.link, nil))))
      }
    }
  }

  private func line(of id: ConnectionID) -> Line? {
    open.first { $0.value.id == id }?.key
  }

  // MARK: - What is seen

  var screen: String {
    workspace.grid(clock: Clock(now: Instant(now), wall: wall, offset: { _ in 0 })).text
  }

  var rows: [String] {
    screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  func shows(_ text: String) -> Bool { screen.contains(text) }

  /// The room of the window in front.
  var room: String { workspace.windows[workspace.current].program.roomName }

  /// What is typed in the window in front.
  var input: String { workspace.windows[workspace.current].program.view.editor.text }

  /// "1 2!1" for a window with two messages of which one is to the person, in order.
  var unread: [String] {
    workspace.windows.map { $0.mentions > 0 ? "\($0.unread)!\($0.mentions)" : "\($0.unread)" }
  }
}
