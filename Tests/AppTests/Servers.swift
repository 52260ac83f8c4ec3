import Foundation
import TestKit
import Testing

/// A server of another kind on a free port of the loopback, ended with the value.
struct PeerServer {
  let running: Running
  /// Such as ws://127.0.0.1:41234/.
  let url: String

  /// Starts a peer of Tests/Peers and waits until it listens.
  static func start(_ script: String, _ arguments: [String] = []) throws -> PeerServer {
    try #require(
      FileManager.default.isExecutableFile(atPath: Programs.python),
      "the peers are not set up: make test does it")
    let running = try Running(Programs.python, [Programs.peer(script)] + arguments)
    return PeerServer(running: running, url: try listeningURL(running))
  }

  /// The embedded server by the built program.
  static func embedded(_ arguments: [String] = []) throws -> PeerServer {
    let running = try Running(
      Programs.parlour, ["serve", "--listen", "127.0.0.1:0"] + arguments)
    return PeerServer(running: running, url: try listeningURL(running))
  }

  private static func listeningURL(_ running: Running) throws -> String {
    let line = try running.line(containing: "listening on ", within: 60)
    return String(line.dropFirst("listening on ".count))
  }

  /// Asks an /admin path of the GraphQL peers and returns the body.
  @discardableResult
  func admin(_ path: String) throws -> String {
    let base = url.replacing("ws://", with: "http://").replacing("/graphql", with: "")
    let asked = try Running(
      "/usr/bin/env", [Programs.python, "-c", Self.fetch, base + "/admin/" + path])
    return try asked.finish().output.joined(separator: "\n")
  }

  private static let fetch = """
    import sys, urllib.request
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    print(opener.open(sys.argv[1], timeout=10).read().decode())
    """
}

/// A run of `parlour cat --format json` with its events read as values.
struct CatRun {
  let running: Running

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    running = try Running(
      Programs.parlour, ["cat", "--format", "json"] + arguments, environment: environment)
  }

  /// The next event of that name; those before it are passed over.
  func event(_ name: String, containing part: String = "") throws -> [String: Any] {
    while true {
      let line = try running.line(containing: "\"event\":\"\(name)\"")
      if part.isEmpty || line.contains(part) { return try Self.object(line) }
    }
  }

  static func object(_ line: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any])
  }

  static func names(_ lines: [String]) throws -> [String] {
    try lines.map { try object($0)["event"] as? String ?? "" }
  }
}
