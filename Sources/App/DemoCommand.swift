import Channel
import Glibc
import Net
import Server
import Terminal

/// `parlour demo`: the embedded server, scripted visitors and the chat in one process and one thread.
struct DemoCommand {
  private let arguments: Arguments
  private let chosen: Configuration

  init(_ arguments: Arguments, _ chosen: Configuration) {
    self.arguments = arguments
    self.chosen = chosen
  }

  func run() throws(CommandFailure) -> Int32 {
    let signals = try Machine.signals(ChatCommand.signals)
    var configuration = try ServeCommand.configuration(arguments)
    configuration.dropEvery = configuration.dropEvery ?? .seconds(20)
    let reactor = try Machine.reactor()
    let tokens = Tokens()
    let server = try ServerDriver(
      configuration, on: HostPort(host: "127.0.0.1", port: 0), reactor: reactor, tokens: tokens)
    var chat = arguments
    chat.operands = ["ws://\(server.address)/"]
    // Long enough for a newcomer to see the countdown and to type into it.
    if !chat.has("first-delay") { chat.options["first-delay"] = ["5s"] }
    // Its server is in this process, whatever proxy the environment names.
    chat.options["proxy"] = [""]
    // A token of the environment belongs to another server.
    unsetenv("PARLOUR_TOKEN")
    let servers = ChatServers(chat, Configuration(file: ""))
    let windows = try servers.first()
    let visitors = DemoVisitors(server, room: windows[0].session.context.room)
    if ChatCommand.isPlain(arguments) {
      let loop = try PlainLoop(
        windows, servers: servers, settings: chosen.chosen, keys: chosen.keyMap, reactor: reactor,
        tokens: tokens, signals: signals, companion: visitors,
        greetings: ChatCommand.plainGreetings(arguments) + [Self.greeting])
      return loop.run()
    }
    let screen = try ChatScreen(arguments, chosen)
    defer { screen.presenter.leave() }
    let loop = try ChatLoop(
      windows, servers: servers, screen: screen, reactor: reactor, tokens: tokens,
      signals: signals,
      companion: visitors, greetings: [Self.greeting])
    return loop.run()
  }

  private static let greeting = "Nothing of this demo is kept: it is all gone once you leave."
}

/// The visitors of the demo: they talk by the clock, also while the chat's line is down.
final class DemoVisitors: ChatCompanion {
  private static let script: [(author: String, text: String)] = [
    ("mira", "morning all"),
    ("mira", "the build is green again: https://ci.example/4711"),
    ("ko", "日本語の行も折り返す、と言われたので試しています"),
    ("sana", "welcome! this line is cut every 20 s, look at the bottom when it happens"),
    ("ko", "type while it is down: what you write waits, and goes out once the line is back"),
    ("mira", "and what we say meanwhile is fetched when you return"),
    ("sana", "/help shows the commands, F1 the keys, /theme gruvbox-dark other colours"),
    ("ko", "PgUp scrolls back, Alt-> returns to the end 🙂"),
  ]
  private static let pause: Duration = .seconds(6)

  private let server: ServerDriver
  private let room: String
  private var said = 0
  private var next: Duration

  init(_ server: ServerDriver, room: String) {
    self.server = server
    self.room = room
    next = MachineClock.now() + Self.pause
    for name in Set(Self.script.map(\.author)).sorted() { server.seat(name, in: room) }
    for _ in 0..<4 { sayNext(at: MachineClock.now()) }
  }

  var deadline: Duration? {
    [server.deadline, next].compactMap { $0 }.min()
  }

  func ready(_ ready: Ready, at now: Duration) -> Bool {
    server.ready(ready, at: now)
  }

  func timeReached(at now: Duration) {
    server.timeReached(at: now)
    guard next <= now else { return }
    next = now + Self.pause
    sayNext(at: now)
  }

  /// The script once; afterwards a line in each ten pauses keeps the room alive.
  private func sayNext(at now: Duration) {
    defer { said += 1 }
    if said < Self.script.count {
      let (author, text) = Self.script[said]
      server.say(text, by: author, in: room, at: now)
    } else if said % 10 == 0 {
      server.say("still here (\(said))", by: "sana", in: room, at: now)
    }
  }
}
