import Channel
import Foundation
import Glibc
import Room
import Store
import TestKit
import Testing
import Text

/// The program is killed at moments that a seed chooses, in the middle of a talk with a server that is killed too.
///
/// Four talks of 50 rounds; PARLOUR_CRASH_ROUNDS and PARLOUR_CRASH_TALKS ask for more, PARLOUR_CRASH_SEED says where the
/// seeds begin.
@Suite(.ownThreads) struct CrashTests {
  private static let talks =
    UInt64(ProcessInfo.processInfo.environment["PARLOUR_CRASH_TALKS"] ?? "") ?? 4

  @Test(arguments: 0..<talks) func killsLoseNoMessageAndDoubleNone(talk number: UInt64) throws {
    let variables = ProcessInfo.processInfo.environment
    let first = UInt64(variables["PARLOUR_CRASH_SEED"] ?? "") ?? 1
    var talk = try KilledTalk(seed: first + number)
    for round in 1...(Int(variables["PARLOUR_CRASH_ROUNDS"] ?? "") ?? 50) {
      try talk.play(round: round)
    }
    try talk.finish()
  }
}

/// A talk of one person with a room in which others talk as well.
private struct KilledTalk {
  private var random: SplitMix
  private let state = StateFolder()
  private let log = StateFolder()
  private var server: PeerServer
  private let port: Int
  /// What was on disk after one of the kills.
  private var accepted: Set<String> = []
  private var typed: [String] = []

  init(seed: UInt64) throws {
    random = SplitMix(state: seed)
    try FileManager.default.createDirectory(
      atPath: log.path, withIntermediateDirectories: true)
    server = try PeerServer.start(
      "strawberry_chat.py", ["--port", "0", "--keep", log.path + "/log"])
    port = try #require(URL(string: server.url)?.port)
  }

  mutating func play(round: Int) throws {
    if random.below(4) == 0 { try restartServer() }
    let program = try start()
    // Anything from a program that has hardly begun to one that is on line. What is typed before it reads keys is
    // the terminal's.
    let beginning = random.below(6)
    if beginning > 0 { #expect(program.read(untilOutput: "me>")) }
    if beginning > 2 { _ = program.read(untilOutput: "online", rounds: 250) }
    for number in 0..<(beginning > 0 ? random.below(6) : 0) {
      switch random.below(8) {
      case 0: server.running.signal(SIGKILL)
      case 1, 2: say("other \(round)-\(number)")
      default:
        let text = "mine \(round)-\(number)"
        typed.append(text)
        // A draft may have come back.
        program.type("\u{15}" + text + "\r")
      }
      rest(program, rounds: random.below(5))
    }
    rest(program, rounds: random.below(12))
    program.signal(SIGKILL)
    #expect(program.waitForEnd() == .signalled(SIGKILL))
    try check(round: round)
    if !server.running.isRunning { try restartServer() }
  }

  /// Everybody comes back and says what is left to say.
  mutating func finish() throws {
    try restartServer()
    let program = try start()
    #expect(program.read(untilOutput: "online"))
    let last = "mine at the end"
    typed.append(last)
    program.type("\u{15}" + last + "\r")
    for _ in 0..<1_000 {
      if try serverTexts().contains(last) { break }
      rest(program, rounds: 1)
    }
    // The answer comes after the server has it.
    rest(program, rounds: 25)
    program.type("/quit\r")
    #expect(program.waitForEnd() == .exited(0))
    accepted.insert(last)

    let said = try serverTexts()
    let mine = said.filter { $0.hasPrefix("mine") }
    #expect(Set(mine).count == mine.count, "something was sent twice")
    #expect(mine == typed.filter(accepted.contains), "lost, or in another order")
    let store = try store()
    #expect(try store.faults() == [])
    var kept: [HistoryMessage] = []
    try store.forEachMessage {
      kept.append($0)
      return true
    }
    #expect(kept.map(\.kept.message.text.raw) == said, "the transcript is not what the server has")
    #expect(kept.filter(\.kept.message.isMine).map(\.kept.message.text.raw) == mine)
    let memory = try store.recall("lobby", of: kept[0].server, messages: 1)
    #expect(memory.outbox == [])
    #expect(accepted.count > 1)
  }

  /// The state on disk after a kill.
  private mutating func check(round: Int) throws {
    let store = try store()
    #expect(store.warnings == [])
    #expect(try store.faults() == [], "round \(round)")
    var here: [String] = []
    var serverName = ""
    try store.forEachMessage {
      here.append($0.kept.message.text.raw)
      serverName = $0.server
      return true
    }
    #expect(Set(here).count == here.count, "round \(round): a message stands twice")
    let name = serverName.isEmpty ? "ws://127.0.0.1:\(port)/graphql" : serverName
    let waiting = try store.recall("lobby", of: name, messages: 1).outbox.map(\.post.text)
    let known = Set(here + waiting).filter { $0.hasPrefix("mine") }
    for text in try serverTexts() where text.hasPrefix("mine") {
      #expect(known.contains(text), "round \(round): \(text) was on the wire before it was on disk")
    }
    #expect(accepted.isSubset(of: known), "round \(round): lost \(accepted.subtracting(known))")
    accepted.formUnion(known)
  }

  private func store() throws -> Store {
    try Store(
      folder: state.path + "/parlour", run: UUID().uuidString, at: .init(milliseconds: 0),
      patience: 5_000)
  }

  private func start() throws -> Pty {
    try Pty(
      Programs.parlour,
      [
        "--nick", "me", "--first-delay", "50ms", "--max-delay", "100ms", "--max-attempts", "10000",
        server.url,
      ], environment: state.variables)
  }

  private mutating func restartServer() throws {
    server.running.signal(SIGKILL)
    _ = try? server.running.finish(within: 10)
    server = try PeerServer.start(
      "strawberry_chat.py", ["--port", "\(port)", "--keep", log.path + "/log"])
  }

  /// Lets the program work, and reads what it writes, for a number of 20 ms.
  private func rest(_ program: Pty, rounds: Int) {
    for _ in 0..<rounds {
      program.readWhatIsThere()
      letOthersWork()
    }
  }

  private func say(_ text: String) {
    let words = text.replacing(" ", with: "%20")
    httpGet(port: port, path: "/admin/say?author=mira&text=\(words)")
  }

  /// Everything that the server has, in its order.
  private func serverTexts() throws -> [String] {
    let data = try Data(contentsOf: URL(filePath: log.path + "/log"))
    return try data.split(separator: 10).map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      return value?["text"] as? String ?? ""
    }
  }
}

/// Asks for a page of a server on the loopback and waits for the answer; nobody there is no error.
private func httpGet(port: Int, path: String) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  let connected = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard connected == 0 else { return }
  let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
  _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  var limit = timeval(tv_sec: 5, tv_usec: 0)
  setsockopt(
    descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  var buffer = [UInt8](repeating: 0, count: 4_096)
  while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
}
