import Foundation
import TestKit
import Testing

/// The built program against a chat server that is hostile on its first connections, and honest afterwards.
@Suite(.ownThreads) struct HostileServerTests {
  /// Classes that the second connection makes good at the latest; with what a person is told.
  static let borne: [(name: String, told: String)] = [
    ("late-ack", ""), ("double-ack", ""), ("early-results", ""), ("ping-before-ack", ""),
    ("unknown-ids", ""), ("numeric-id", "the id of next is not a text"),
    ("error-object", "ended the subscription: an object"),
    ("error-string", "ended the subscription: a text"),
    ("error-null", "no text was given"), ("error-empty", "no text was given"),
    ("error-extensions", "extended"), ("next-errors", "reports an error: half"),
    ("invalid-json", "not JSON"), ("array", "not an object"), ("scalar", "not an object"),
    ("empty", "not JSON"), ("binary", "Invalid message: binary"), ("deep", "nested too deeply"),
    ("deep-object", "nested too deeply"), ("ten-mib", ""), ("ten-mib-garbage", "not JSON"),
    ("many-keys", ""), ("too-big", "see --max-message"), ("drip", "fragments"), ("pings", ""),
    ("half-frame", "cut"), ("cut-before-ack", "cut"), ("cut-before-history", "cut"),
    ("cut-ready", "cut"), ("silent", "has not answered a ping"),
    ("silent-before-history", "has not answered a ping"),
    ("no-history", "did not give the history: no database"), ("http-503", "busy"),
    ("close-1000", "because 1000"), ("close-1001", "because 1001"), ("close-1011", "because 1011"),
    ("close-1012", "because 1012"), ("close-1013", "because 1013"), ("close-4408", "because 4408"),
    ("close-4500", "because 4500"),
  ]

  /// Far above what any of them needs, far below what keeping a hostile message some times over would.
  static let mostMemory = 256 << 20

  private static func cat(_ server: PeerServer, _ path: String, _ more: [String] = []) throws
    -> CatRun
  {
    try CatRun(
      [
        "--profile", "embedded", "--nick", "ada", "--first-delay", "50ms", "--max-delay", "400ms",
        "--ping-interval", "1s", "--ping-timeout", "12s",
      ] + more + [server.url + "/" + path])
  }

  @Test func everyMessageIsShownOnceAndTheReasonIsTold() throws {
    let server = try PeerServer.start("graphql_hostile.py")
    // A few at a time, so that a busy machine's pongs come in time.
    for start in stride(from: 0, to: Self.borne.count, by: 8) {
      let some = Self.borne[start..<min(start + 8, Self.borne.count)]
      let runs = try some.map { ($0, try Self.cat(server, $0.name)) }
      for ((name, told), run) in runs {
        var texts: [String] = []
        var sentences: [String] = []
        let end = Date(timeIntervalSinceNow: 90)
        while texts.count < 6 {
          try #require(end.timeIntervalSinceNow > 0, "\(name): \(texts) \(sentences)")
          let line = try run.running.line(containing: "\"event\"", within: 60)
          let event = try CatRun.object(line)
          if event["event"] as? String == "message" {
            texts.append(event["text"] as? String ?? "")
          }
          for key in ["message", "reason"] { sentences.append(event[key] as? String ?? "") }
        }
        let memory = run.running.peakMemory ?? .max
        // A history that failed first comes behind what was said in the meantime.
        if name == "no-history" { texts.sort() }
        #expect(texts == (1...5).map { "line \($0)" } + ["one more"], "\(name)")
        run.running.signal(SIGINT)
        let result = try run.running.finish()
        #expect(result.status == 130, "\(name)")
        for line in result.output {
          let event = try CatRun.object(line)
          #expect(event["event"] as? String != "message", "\(name): \(line)")
          for key in ["message", "reason"] { sentences.append(event[key] as? String ?? "") }
        }
        #expect(
          told.isEmpty || sentences.contains { $0.contains(told) },
          "\(name): \(sentences.filter { !$0.isEmpty })")
        #expect(memory < Self.mostMemory, "\(name): \(memory >> 20) MiB")
      }
    }
  }

  /// Classes that go on for ever or forbid another attempt; with the exit code.
  static let final: [(name: String, status: Int32, told: String)] = [
    ("flap?lines=0", 69, "restart"),
    ("invalid-json?lines=0", 69, "not JSON"), ("cut-ready?lines=0", 69, "cut"),
    ("connection-error", 77, "JWTExpired"), ("refuse-1000", 77, "terminated"),
    ("refuse-1002", 77, "Token expired"), ("refuse-errors?lines=0", 76, "not for you"),
    ("unauthenticated", 77, "log in"), ("http-401", 77, "who are you?"),
    ("http-404", 76, "no such path"), ("close-1008", 77, "because 1008"),
    ("close-1009", 76, "because 1009"), ("close-4400", 76, "because 4400"),
    ("close-4401", 77, "because 4401"), ("close-4403", 77, "because 4403"),
    ("close-4409", 76, "because 4409"), ("close-4429", 76, "because 4429"),
  ]

  @Test func whatNoAttemptMendsEndsWithItsCodeAndItsReason() throws {
    let server = try PeerServer.start("graphql_hostile.py")
    let runs = try Self.final.map {
      ($0, try Self.cat(server, $0.name, ["--max-attempts", "4", "--connect-timeout", "2s"]))
    }
    for ((name, status, told), run) in runs {
      let end = try run.running.finish(within: 90, endingInput: false)
      #expect(end.status == status, "\(name): \(end.output)")
      #expect(end.output.contains { $0.contains(told) }, "\(name): \(end.output)")
      let events = try end.output.map(CatRun.object)
      let texts = events.filter { $0["event"] as? String == "message" }
        .compactMap { $0["text"] as? String }
      #expect(Set(texts).count == texts.count, "\(name): \(texts)")
      let delays = events.filter { $0["event"] as? String == "waiting" }
        .compactMap { $0["delay_ms"] as? Int }
      #expect(delays.count == (name.hasSuffix("lines=0") && status == 69 ? 3 : 0), "\(name)")
      for (index, delay) in delays.enumerated() { #expect(delay >= 50 << index, "\(delays)") }
    }
  }

  /// A burst arrives whole and in order, and memory does not grow with it.
  @Test func aBurstOfTwentyThousandIsShownInOrder() throws {
    let server = try PeerServer.start("graphql_hostile.py")
    let run = try Self.cat(server, "burst", ["--ping-timeout", "20s", "--count", "20006"])
    let end = try run.running.finish(within: 120, endingInput: false)
    #expect(end.status == 0)
    let texts = try end.output.filter { $0.contains("\"event\":\"message\"") }.map {
      try CatRun.object($0)["text"] as? String ?? ""
    }
    let expected =
      (1...5).map { "line \($0)" } + (0..<20_000).map { "burst \($0)" } + ["one more"]
    #expect(texts == expected)
  }
}
