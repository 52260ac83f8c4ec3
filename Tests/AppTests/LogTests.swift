import Foundation
import TestKit
import Testing

/// `--log` of the built program.
@Suite(.ownThreads) struct LogTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "parlour-log-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path() }

  private func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Without the time, which is checked here.
  private func entries(_ name: String) throws -> [String] {
    try lines(name).map { line in
      #expect(
        line.contains(/^[-0-9]{10}T[:0-9]{8}\.[0-9]{3}Z (error|notice|debug|frames) [^ ]/),
        "\(line)")
      return String(line.dropFirst(25))
    }
  }

  private func cat(
    _ options: [String], environment: [String: String] = [:]
  ) throws -> Running.Result {
    try Running(
      Programs.parlour, ["cat", "--send", "hello", "--count", "1", "--wait", "5s"] + options,
      environment: environment
    ).finish()
  }

  @Test func theUsualLogTellsHowTheLineFares() throws {
    let server = try PeerServer.start("echo_server.py")
    for _ in 0..<2 { #expect(try cat(["--log", path("log"), server.url]).status == 0) }
    let peer = server.url.dropFirst(5).dropLast()
    let once = [
      "notice connecting, attempt 1, to \(server.url)",
      "notice opened: \(peer), no TLS, subprotocol none, dialect plain, compressed",
      "notice closed: 1000 done", "notice disconnected", "notice leaving with exit code 0",
    ]
    // The second run has gone on behind the first.
    #expect(try entries("log") == once + once)
    let attributes = try FileManager.default.attributesOfItem(atPath: path("log"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func errorsAloneAreWhatFailed() throws {
    let server = try PeerServer.embedded(["--token", "right"])
    let result = try cat(
      ["--log", path("log"), "--log-level", "error", server.url],
      environment: ["PARLOUR_TOKEN": "wrong-token"])
    #expect(result.status == 77)
    let entries = try entries("log")
    #expect(entries.count == 2)
    #expect(entries.allSatisfy { $0.hasPrefix("error ") })
    #expect(entries.first?.hasPrefix("error failed (refused 401): ") == true)
  }

  @Test(arguments: ["header", "query", "init"])
  func theTokenIsInNoLogWhereverItTravels(placement: String) throws {
    let server = try PeerServer.embedded(["--token", "s3cret-token"])
    let result = try cat(
      ["--auth", placement, "--log", path("log"), "--log-level", "frames", server.url],
      environment: ["PARLOUR_TOKEN": "s3cret-token"])
    #expect(result.status == 0, "\(result)")
    let text = try lines("log").joined(separator: "\n")
    #expect(!text.contains("s3cret"))
    #expect(text.contains("…"))
    #expect(text.contains("connection_init") && text.contains("debug sent subscribe"))
    #expect(text.contains("frames < text fin"))
  }

  @Test func aHyphenIsStandardError() throws {
    let server = try PeerServer.start("echo_server.py")
    let result = try cat(["--log", "-", "--log-level", "debug", server.url])
    #expect(result.status == 0)
    #expect(result.output == ["hello"])
    #expect(result.errors.contains { $0.contains("Z debug > Host: 127.0.0.1") })
  }

  @Test func aFullDiskIsSaidOnceAndEndsNothing() throws {
    let server = try PeerServer.start("echo_server.py")
    let result = try cat(["--log", "/dev/full", "--log-level", "frames", server.url])
    #expect(result.status == 0)
    #expect(result.output == ["hello"])
    let complaints = result.errors.filter { $0.contains("/dev/full") }
    #expect(
      complaints == [
        "parlour: The log /dev/full takes no more: No space left on device. What follows is not logged"
          + " while that lasts."
      ])
  }

  @Test func aLimitOfSizesAndAReaderWhoIsGoneEndNothing() throws {
    let server = try PeerServer.start("echo_server.py")
    let words = "cat --send hello --count 1 --wait 5s --log-level frames"
    let limited = try Running(
      "/bin/bash",
      [
        "-c",
        "ulimit -f 0; exec \(Programs.parlour) \(words) --log \(path("small")) \(server.url) 2>/dev/null",
      ]
    ).finish()
    #expect(limited.status == 0)
    #expect(limited.output == ["hello"])
    let piped = try Running(
      "/bin/bash",
      [
        "-c",
        "mkfifo \(path("pipe")); exec 9<>\(path("pipe"));"
          + " \(Programs.parlour) \(words) --wait 500ms --log \(path("pipe")) \(server.url) 9<&- &"
          + " exec 9<&-; wait $!",
      ]
    ).finish()
    #expect(piped.status == 0 || piped.status == 78, "\(piped)")
  }

  @Test func aSymbolicLinkIsNotFollowed() throws {
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: path("elsewhere"))
    let result = try cat(["--log", path("link"), "ws://127.0.0.1:1/"])
    #expect(result.status == 78)
    #expect(result.errors.count == 1 && result.errors[0].contains("is a symbolic link"))
    #expect(!FileManager.default.fileExists(atPath: path("elsewhere")))
  }

  /// What to do next stands in each.
  @Test func aPlaceWhereNoLogCanBeIsToldWithAdvice() throws {
    let cases = [
      ("/", "/ is a directory: name a file in it."),
      (
        path("none/log"),
        "none/log cannot be made, since its directory is not there: make that first."
      ),
      ("/dev/null/log", "/dev/null/log cannot be written (Not a directory): name another file."),
    ]
    for (place, sentence) in cases {
      let result = try cat(["--log", place, "ws://127.0.0.1:1/"])
      #expect(result.status == 78)
      #expect(result.errors.count == 1 && result.errors[0].hasSuffix(sentence), "\(result.errors)")
    }
  }

  // MARK: - The keys of TLS

  private func certificate() throws {
    let made = try Running(
      "/bin/sh",
      [
        "-c",
        "cd '\(folder.path())' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
          + " -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -days 2 -keyout key -out cert 2>&1",
      ]
    ).finish()
    try #require(made.status == 0, "\(made.output)")
  }

  @Test func keysAreWrittenWithALogOfAllFramesOnly() throws {
    try certificate()
    let server = try PeerServer.start(
      "echo_server.py", ["--cert", path("cert"), "--key", path("key")])
    let trust = ["--cacert", path("cert")]
    let environment = ["SSLKEYLOGFILE": path("keys")]
    #expect(try cat(trust + [server.url], environment: environment).status == 0)
    let debug = trust + ["--log", path("log"), "--log-level", "debug", server.url]
    #expect(try cat(debug, environment: environment).status == 0)
    #expect(!FileManager.default.fileExists(atPath: path("keys")))
    #expect(try entries("log").contains { $0.contains("a full handshake") })

    let frames = trust + ["--log", path("log"), "--log-level", "frames", server.url]
    #expect(try cat(frames, environment: environment).status == 0)
    let keys = try lines("keys")
    #expect(keys.contains { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") })
    let attributes = try FileManager.default.attributesOfItem(atPath: path("keys"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let entries = try entries("log")
    #expect(entries.contains { $0.hasPrefix("notice the keys of TLS are written to ") })
    #expect(!entries.contains { $0.contains("TRAFFIC_SECRET") })
  }
}
