import App
import Foundation
import TestKit
import Testing

/// The built program's `bench` against a server that we did not write.
@Suite(.ownThreads) struct BenchTests {
  static let jobs: [(job: String, path: String, size: Int)] = [
    ("gql", "gql?size=88", 88), ("echo", "echo", 125), ("echo", "echo", 70_000),
    ("flood", "flood?n=300&size=16", 16),
    ("flood", "flood?n=300&size=70000", 70_000), ("sink", "sink", 125), ("sink", "sink", 70_000),
  ]

  @Test(arguments: jobs)
  func aJobPrintsOneLineWithEveryFigure(job: String, path: String, size: Int) throws {
    let server = try PeerServer.start("bench_server.py")
    let result = try Running(
      Programs.parlour,
      ["bench", job, server.url + path, "--count", "300", "--size", "\(size)"]
    ).finish()
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.count == 1)
    let figures = try CatRun.object(try #require(result.output.first))
    #expect(
      Set(figures.keys) == [
        "client", "job", "n", "size", "tls", "seconds", "msgs_per_s", "mb_per_s", "p50_us",
        "p99_us", "cpu_s", "max_rss_kb",
      ])
    #expect(figures["client"] as? String == "parlour")
    #expect(figures["job"] as? String == job)
    #expect(figures["n"] as? Int == 300)
    // A result is the text with what GraphQL has around it.
    #expect(figures["size"] as? Int == (job == "gql" ? size + 98 : size))
    #expect(figures["tls"] as? Bool == false)
    for name in ["seconds", "msgs_per_s", "mb_per_s", "max_rss_kb"] {
      #expect(try #require(figures[name] as? Double, "\(name)") > 0)
    }
    for name in ["p50_us", "p99_us"] {
      #expect((figures[name] is NSNull) == (job != "echo"), "\(name)")
    }
  }

  static let misfits: [(words: [String], path: String, part: String)] = [
    (["flood", "--count", "9", "--size", "16"], "flood?n=8&size=16", "8 of 9"),
    (["flood", "--count", "8", "--size", "17"], "flood?n=8&size=16", "16 bytes"),
    (["echo", "--count", "8"], "nothing", "1008"),
    (["gql", "--count", "8"], "gql?n=7", "7 of 8"),
    (["sink", "--count", "8", "--size", "16"], "echo", "how many bytes"),
    (["flood", "--count", "8", "--size", "16"], "flood?n=9&size=16", "more than 8"),
    (["echo", "--count", "8", "--size", "16"], "mirror", "not what was sent"),
  ]

  @Test(arguments: misfits)
  func aServerThatDoesAnotherJobIsSaidAndEndsWith76(
    words: [String], path: String, part: String
  ) throws {
    let server = try PeerServer.start("bench_server.py")
    let result = try Running(Programs.parlour, ["bench"] + words + [server.url + path]).finish()
    #expect(result.status == 76)
    #expect(result.output.isEmpty)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains(part) == true, "\(result.errors)")
  }

  @Test(arguments: [
    ("bench gql --query nonsense ws://h/", 65), ("bench echo", 64), ("bench fly ws://h/", 64),
    ("bench echo --size 0 ws://h/", 64), ("bench echo --timeout 0 ws://h/", 64),
    ("bench echo --count many ws://h/", 64), ("bench echo ws://127.0.0.1:1/", 69),
    ("bench flood --cacert /nonexistent.pem wss://127.0.0.1:1/", 78),
  ])
  func mistakesEndWithTheirCodeAndOneSentence(words: String, status: Int32) throws {
    let result = try Running(Programs.parlour, words.split(separator: " ").map(String.init))
      .finish()
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(result.errors.count == 1, "\(result.errors)")
  }

  /// A chat server agrees to everything and says nothing.
  @Test(arguments: [
    ("echo", "has sent no echo for 300 ms"), ("flood", "has sent no message for 300 ms"),
    ("sink", "has not said how many bytes came for 300 ms"),
    ("gql", "has sent no result for 300 ms"),
  ])
  func aServerThatDoesNotPlayTheGameIsNotWaitedForForEver(job: String, part: String) throws {
    let server = try PeerServer.embedded()
    let result = try Running(
      Programs.parlour, ["bench", job, server.url, "--count", "100", "--timeout", "300ms"]
    ).finish()
    #expect(result.status == 69)
    #expect(result.output.isEmpty)
    #expect(result.errors.count == 1 && result.errors[0].contains(part), "\(result.errors)")
  }

  @Test func aServerThatAnswersNoUpgradeIsNotWaitedForEither() throws {
    let server = SilentServer()
    let url = try #require(server.url).absoluteString
    let result = try Running(Programs.parlour, ["bench", "echo", url, "--timeout", "200ms"])
      .finish()
    #expect(result.status == 69)
    #expect(result.errors.first?.contains("not answered the upgrade for 200 ms") == true)
  }

  @Test func whatMovesTheJobGivesItTimeAndNothingElse() {
    var patience = BenchPatience(limit: .seconds(10), at: .seconds(100))
    var progress = BenchProgress()
    func lasts(_ now: Duration) -> Bool { patience.lasts(progress, at: now) }
    #expect(patience.deadline == .seconds(110))
    #expect(lasts(.milliseconds(109_999)))
    #expect(!lasts(.seconds(110)))
    let steps: [(inout BenchProgress) -> Void] = [
      { $0.isUpgraded = true }, { $0.messages += 1 }, { $0.unwritten = 4096 },
      { $0.unwritten = 0 }, { $0.missing = 1 << 20 }, { $0.missing -= 1 },
    ]
    var now = Duration.seconds(110)
    for step in steps {
      step(&progress)
      #expect(lasts(now))
      now += .milliseconds(9_999)
      #expect(lasts(now))
    }
    #expect(!lasts(now + .milliseconds(1)))
  }

  // MARK: - make bench

  /// `.ci/bench` with the signals as a shell at a terminal hands them on: here some are blocked or ignored.
  private static func script(_ program: String) throws -> Running {
    let code = """
      import os, signal, sys
      for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.SIG_DFL)
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      os.execv(sys.argv[1], sys.argv[1:])
      """
    return try Running(Programs.python, ["-c", code, Programs.root + ".ci/bench", program])
  }

  @Test(arguments: [
    ("echo 'it could not' >&2; exit 76", Int32(76), "it could not"),
    ("kill -SEGV $$", 139, "ended by signal 11"),
    ("kill -INT $$; exit 1", 130, "was interrupted"),
  ])
  func aProgramThatFailsIsOneSentenceOfMakeBench(
    script: String, status: Int32, part: String
  ) throws {
    let program = FileManager.default.temporaryDirectory.appending(
      path: "parlour-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: program) }
    try writeProgram("#!/bin/bash\n\(script)\n", at: program.path())
    let result = try Self.script(program.path()).finish()
    #expect(result.status == status)
    #expect(result.errors.count == 1 && result.errors[0].contains(part), "\(result.errors)")
  }

  @Test func anInterruptedMakeBenchIsOneSentence() throws {
    let bench = try Self.script(Programs.parlour)
    _ = try bench.line(containing: "echo", within: 60)
    bench.signal(SIGTERM)
    let result = try bench.finish(within: 60)
    #expect(result.status == 130)
    #expect(result.errors == ["parlour: the measurement was interrupted"])
  }
}
