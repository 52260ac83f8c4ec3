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
    ("bench echo --size 0 ws://h/", 64),
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
}
