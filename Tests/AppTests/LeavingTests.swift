import Foundation
import TestKit
import Testing

/// The built program when a signal ends it, against a server that says how it was left.
@Suite(.ownThreads) struct LeavingTests {
  static let ways: [[String]] = [
    ["cat", "--dialect", "plain"], ["--plain", "--no-history", "--dialect", "plain"],
    ["subscribe", "--query", "subscription { a }", "--dialect", "graphql"],
  ]

  @Test(arguments: ways, [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalClosesTheLineWith1001(way: [String], signal: (number: Int32, status: Int32)) throws {
    let server = try PeerServer.start("ending_server.py")
    let program = try Running(Programs.parlour, way + [server.url + "/polite"])
    _ = try server.running.line(containing: "open")
    program.signal(signal.number)
    _ = try server.running.line(containing: "closed with 1001")
    #expect(try program.finish(within: 20).status == signal.status)
  }

  @Test func checkAndBenchAreLeftInTheSameWay() throws {
    let server = try PeerServer.start("ending_server.py")
    for way in [["check", "--dialect", "plain"], ["bench", "flood", "--count", "9"]] {
      let program = try Running(Programs.parlour, way + [server.url + "/mute"])
      _ = try server.running.line(containing: "open")
      program.signal(SIGINT)
      _ = try server.running.line(containing: "closed with 1001")
      let start = Date()
      #expect(try program.finish(within: 20).status == 130, "\(way)")
      #expect(-start.timeIntervalSinceNow < 8, "\(way)")
    }
  }

  @Test(arguments: [ways[0], ways[1]])
  func aServerThatDoesNotAnswerTheCloseIsNotWaitedForLong(way: [String]) throws {
    let server = try PeerServer.start("ending_server.py")
    let program = try Running(
      Programs.parlour, way + ["--close-timeout", "60s", server.url + "/mute"])
    _ = try server.running.line(containing: "open")
    program.signal(SIGTERM)
    _ = try server.running.line(containing: "closed with 1001")
    let start = Date()
    #expect(try program.finish(within: 20).status == 143)
    #expect(-start.timeIntervalSinceNow < 8)
  }

  /// Who is gone at once has the answer refused, and with it what the server still sends: it is waited for, not long.
  @Test func quitWaitsForTheAnswerToItsClose() throws {
    let server = try PeerServer.start("ending_server.py")
    let program = try Running(Programs.parlour, Self.ways[1] + [server.url + "/mute"])
    _ = try program.line(containing: "connected to")
    let start = Date()
    program.write("/quit\n")
    _ = try server.running.line(containing: "closed with 1000")
    #expect(try program.finish(within: 20).status == 0)
    #expect(-start.timeIntervalSinceNow >= 1)
  }

  /// Nobody reads what it prints, so that it waits in the middle of printing.
  @Test func aProgramThatWaitsForItsReaderIsLeftToo() throws {
    let server = try PeerServer.start("ending_server.py")
    let program = try Running(
      Programs.parlour, ["cat", "--dialect", "plain", server.url + "/flood"])
    _ = try server.running.line(containing: "open")
    program.signal(SIGINT)
    _ = try server.running.line(containing: "closed with 1001")
    #expect(try program.finish(within: 20).status == 130)
  }

  @Test func beforeThereIsALineThereIsNothingToWaitFor() throws {
    let server = try PeerServer.start("ending_server.py")
    for path in ["/in-turn/503", "/nothing"] {
      let program = try Running(
        Programs.parlour,
        [
          "cat", "--format", "json", "--dialect", "plain", "--first-delay", "60s",
          server.url + path,
        ])
      _ = try program.line(containing: "waiting")
      program.signal(SIGINT)
      #expect(try program.finish(within: 20).status == 130)
    }
  }

  @Test func theLimitOfTheCloseIsNamed() throws {
    let server = try PeerServer.start("ending_server.py")
    let result = try Running(
      Programs.parlour,
      [
        "cat", "--dialect", "plain", "--wait", "0s", "--close-timeout", "300ms",
        server.url + "/mute",
      ]
    ).finish()
    #expect(
      result.errors.contains {
        $0.contains("did not answer the Close within 300 ms (--close-timeout)")
      },
      "\(result.errors)")
  }

  // MARK: Final verdicts

  @Test(
    arguments: [("503/404", 76), ("503/401", 77), ("503/426", 76), ("503/503", 69)]
      as [(String, Int32)])
  func theExitCodeOfAFinalAnswerIsTheSameInTheLastAttempt(answers: String, status: Int32) throws {
    let server = try PeerServer.start("ending_server.py")
    for most in ["2", "5"] where answers != "503/503" || most == "2" {
      // Each path counts for itself.
      let url = server.url + "/in-turn/" + answers + (most == "2" ? "" : "/404")
      let result = try Running(
        Programs.parlour,
        ["cat", "--dialect", "plain", "--first-delay", "50ms", "--max-attempts", most, url]
      ).finish()
      #expect(result.status == status, "\(most) attempts: \(result.errors)")
    }
  }

  @Test func anEmptyAnswerIsCalledSo() throws {
    let server = try PeerServer.start("ending_server.py")
    let result = try Running(
      Programs.parlour, ["cat", "--dialect", "plain", "--no-reconnect", server.url + "/nothing"]
    ).finish()
    #expect(result.status == 69)
    #expect(
      result.errors.contains { $0.contains("without an answer to the upgrade") }, "\(result.errors)"
    )
  }

  // MARK: Addresses

  @Test(arguments: [
    (["--ipv4", "ws://[::1]:9/"], "::1"), (["--ipv6", "ws://127.0.0.1:9/"], "127.0.0.1"),
    (["--ipv4", "--resolve", "h.example:9:[::1]", "ws://h.example:9/"], "--resolve"),
    (["--resolve", "h.example:9:nowhere", "ws://h.example:9/"], "nowhere"),
    (["--resolve", "h.example:9:127.0.0.1,", "ws://h.example:9/"], "no IP address"),
    (["--resolve", "h.example:127.0.0.1", "ws://h.example:9/"], "HOST:PORT:ADDRESS"),
  ])
  func addressesThatNoAttemptCouldReachAreWrongUsage(words: [String], part: String) throws {
    let result = try Running(Programs.parlour, ["cat"] + words).finish()
    #expect(result.status == 64)
    #expect(result.errors.count == 1 && result.errors[0].contains(part), "\(result.errors)")
  }

  // MARK: Memory

  @Test func fewBytesThatStandForManyCostLittleMemory() throws {
    let server = try PeerServer.start("ending_server.py")
    let cat = try Running(
      Programs.parlour,
      [
        "cat", "--dialect", "plain", "--no-reconnect", "--max-message", "1MiB",
        server.url + "/compressed",
      ])
    var lines = 0
    while lines < 400 {
      _ = try cat.line(containing: "aaaa", within: 60)
      lines += 1
    }
    let memory = try #require(cat.peakMemory)
    #expect(memory < 48 << 20, "\(memory >> 20) MiB")
    cat.signal(SIGINT)
  }

  @Test func pingsOfAServerThatDoesNotReadCostLittleMemory() throws {
    let server = try PeerServer.start("ending_server.py")
    let cat = try Running(
      Programs.parlour, ["cat", "--dialect", "plain", "--no-reconnect", server.url + "/pings"])
    _ = try server.running.line(containing: "all pings were taken", within: 60)
    let memory = try #require(cat.peakMemory)
    #expect(memory < 40 << 20, "\(memory >> 20) MiB")
    _ = try server.running.line(containing: "answered", within: 60)
    cat.signal(SIGINT)
    #expect(try cat.finish(within: 20).status == 130)
  }
}
