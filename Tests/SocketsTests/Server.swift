import Foundation
import Sockets
import TestKit
import Testing

/// The Python server of Tests/Peers/sockets_server.py on a free port of the loopback.
final class Server: Sendable {
  /// Asked from one test at a time, under the lock.
  nonisolated(unsafe) private let running: Running
  private let lock = NSLock()
  let base: String

  /// The one that tests share which do not harm it; it ends with this process.
  static let shared = Result { try Server() }

  init(_ arguments: [String] = []) throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Programs.python),
      "the peers are not set up: make test does it")
    running = try Running(
      Programs.python, [Programs.peer("sockets_server.py")] + arguments)
    let line = try running.line(containing: "listening on ", within: 60)
    base = String(line.dropFirst("listening on ".count))
  }

  var port: String { String(base.split(separator: ":").last ?? "") }

  func url(_ path: String) throws -> URL {
    try #require(URL(string: base + path))
  }

  func line(containing part: String) throws -> String {
    try lock.withLock { try running.line(containing: part) }
  }

  func signal(_ number: Int32) {
    lock.withLock { running.signal(number) }
  }

  func kill() throws {
    signal(SIGKILL)
    _ = try lock.withLock { try running.finish() }
  }
}

extension SocketChannel {
  /// All events to the end.
  func allEvents() async -> [SocketEvent] {
    var all: [SocketEvent] = []
    for await event in events { all.append(event) }
    return all
  }

  /// The next text.
  func text() async throws -> String {
    for await event in events {
      if case .text(let text) = event { return text }
      if case .failed(let error) = event { throw error }
    }
    throw CancellationError()
  }
}

/// The error that `body` throws.
func socketError(_ body: () async throws -> Void) async -> SocketError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? SocketError
  }
}
