import Foundation
import Glibc
import Sockets

/// Cancels a task at every point where it can wait, many times, and counts what is left.
struct CancelProbe {
  let base: String
  let repetitions: Int

  private typealias Point = @Sendable () async throws -> Void

  private func url(_ path: String) -> URL { URL(string: base + path) ?? URL(filePath: "/") }

  func run() async -> Bool {
    let silent = SilentServer()
    // What a first use leaves behind in the libraries is none of ours.
    await settle("warm-up") { try await conversation() }
    await idle()
    let before = descriptors()
    var isWhole = true
    for (name, point) in points(silent) {
      let begin = ContinuousClock.now
      for repetition in 0..<repetitions {
        let task = Task { try await point() }
        for _ in 0..<(repetition % 50) { await Task.yield() }
        task.cancel()
        _ = await task.result
      }
      print("\(name): \(repetitions) in \(ContinuousClock.now - begin)")
    }
    // From before the first step to behind the last.
    for steps in 0..<(repetitions * 5) {
      let task = Task { try await conversation() }
      for _ in 0..<steps { await Task.yield() }
      task.cancel()
      _ = await task.result
    }
    await idle()
    for (name, count) in [("descriptors", descriptors() - before), ("threads", threads())] {
      print("\(name) left: \(count)")
      if count != 0 { isWhole = false }
    }
    return isWhole
  }

  private func settle(_ name: String, _ body: Point) async {
    do { try await body() } catch { print("\(name): \(error)") }
  }

  private var quick: SocketConfiguration {
    var configuration = SocketConfiguration()
    configuration.closeTimeout = .milliseconds(20)
    configuration.sendBuffer = SocketBuffer(bytes: 65_536, messages: 16)
    return configuration
  }

  private var patient: ReconnectPolicy {
    var policy = ReconnectPolicy()
    policy.firstDelay = .seconds(3600)
    policy.longestDelay = .seconds(3600)
    return policy
  }

  private func conversation() async throws {
    let channel = SocketChannel(url: url("/echo"), configuration: quick)
    channel.keepAlive(every: .milliseconds(1))
    try await channel.open()
    for number in 0..<10 { try await channel.send("\(number)") }
    try await channel.flush()
    var texts = 0
    for await event in channel.events {
      if case .text = event { texts += 1 }
      if texts == 10 { break }
    }
    await channel.close()
  }

  private func points(_ silent: SilentServer) -> [(String, Point)] {
    let quick = quick
    let patient = patient
    let (echo, stuck) = (url("/echo"), url("/stuck"))
    let nobody = URL(string: "ws://127.0.0.1:1/") ?? echo
    let mute = silent.url ?? echo
    let kibibytes = Data(count: 65_536)
    return [
      ("open during the upgrade", { try await SocketChannel(url: mute).open() }),
      (
        "open during a look-up",
        {
          try await SocketChannel(url: URL(string: "ws://nowhere.invalid/") ?? echo).open()
        }
      ),
      ("open of a good line", { try await SocketChannel(url: echo, configuration: quick).open() }),
      (
        "next before the line is open",
        {
          for await _ in SocketChannel(url: mute).connect() {}
        }
      ),
      (
        "next on a quiet line",
        {
          for await _ in SocketChannel(url: echo, configuration: quick).connect() {}
        }
      ),
      (
        "send before the line is open",
        {
          let channel = SocketChannel(url: mute)
          channel.connect()
          try await channel.send("x")
        }
      ),
      (
        "send to a peer that does not read",
        {
          let channel = SocketChannel(url: stuck, configuration: quick)
          try await channel.open()
          while true { try await channel.send(kibibytes) }
        }
      ),
      (
        "flush to a peer that does not read",
        {
          let channel = SocketChannel(url: stuck, configuration: quick)
          try await channel.open()
          while true {
            try await channel.send(kibibytes)
            try await channel.flush()
          }
        }
      ),
      (
        "close of a peer that does not read",
        {
          let channel = SocketChannel(url: stuck, configuration: quick)
          try await channel.open()
          await channel.close()
        }
      ),
      (
        "dropping an open line",
        {
          let channel = SocketChannel(url: echo, configuration: quick)
          try await channel.open()
          try await channel.send("x")
        }
      ),
      ("open in a wait", { try await ResilientChannel(url: nobody, policy: patient).open() }),
      (
        "next in a wait",
        {
          for await _ in ResilientChannel(url: nobody, policy: patient).connect() {}
        }
      ),
      (
        "send in a wait",
        {
          let channel = ResilientChannel(url: nobody, policy: patient)
          channel.connect()
          try await channel.send("x")
        }
      ),
      (
        "disconnect of a resilient line",
        {
          let channel = ResilientChannel(url: echo, policy: patient, configuration: quick)
          try await channel.open()
          await channel.disconnect()
        }
      ),
    ]
  }

  // MARK: What is left

  /// Until the driving thread has ended.
  private func idle() async {
    while Hub.isRunning || threads() > 0 { await Task.yield() }
  }

  private func descriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }

  private func threads() -> Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return numbers.count { number in
      let name = try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8)
      return name == Hub.threadName + "\n"
    }
  }
}

/// Takes connections in the kernel's queue and never says anything.
private final class SilentServer: Sendable {
  private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  let url: URL?

  init() {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(descriptor, address, size)
        _ = listen(descriptor, 4096)
        _ = getsockname(descriptor, address, &size)
      }
    }
    url = URL(string: "ws://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
  }

  deinit { close(descriptor) }
}
