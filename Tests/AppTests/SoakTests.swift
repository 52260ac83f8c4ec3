import Foundation
import TestKit
import Testing

/// Many messages in both directions over a line that is cut again and again, against a server that we did not
/// write: every message once on both sides, in order.
///
/// PARLOUR_SOAK_SEEDS="7 8 9" goes the whole way with other seeds.
@Suite(.ownThreads) struct SoakTests {
  static let count = 2000
  static let cuts = 40

  private static let chosen = (ProcessInfo.processInfo.environment["PARLOUR_SOAK_SEEDS"] ?? "")
    .split(separator: " ").compactMap { Int($0) }

  @Test(arguments: chosen.isEmpty ? [1, 20_261_130] : chosen)
  func everyMessageArrivesOnceAndInOrderWhateverIsCut(seed: Int) throws {
    // One seed goes the whole way; the other is there for another order of events.
    let isWhole = seed == 1 || Self.chosen.contains(seed)
    let count = isWhole ? Self.count : Self.count / 4
    let cuts = isWhole ? Self.cuts : Self.cuts / 4
    let server = try PeerServer.start(
      "strawberry_chat.py", ["--port", "0", "--protocols", "transport"])
    try server.admin("answerer?name=bob")
    let proxy = try PeerServer.start(
      "cutting_proxy.py", ["--target", server.url, "--seed", "\(seed)", "--cuts", "\(cuts)"])
    let cat = try CatRun([
      "--profile", Programs.root + "/Sources/App/Profiles/strawberry.json", "--room", "soak",
      "--nick", "ada", "--first-delay", "5ms", "--max-delay", "20ms", "--max-attempts", "1000",
      "--count", "\(2 * count)", "--wait", "60s", proxy.url,
    ])
    let texts = (1...count).map { "message \($0)" }
    cat.running.write(texts.map { $0 + "\n" }.joined())
    let result = try cat.running.finish(within: 280)
    #expect(result.status == 0, "\(result.errors)")

    var seen: [String: [String]] = [:]
    var ids: Set<String> = []
    for line in result.output where line.contains(#""event":"message""#) {
      let event = try CatRun.object(line)
      let id = try #require(event["id"] as? String)
      #expect(ids.insert(id).inserted, "\(line) came twice")
      seen[event["author"] as? String ?? "", default: []].append(event["text"] as? String ?? "")
    }
    #expect(seen["ada"] == texts)
    #expect(seen["bob"] == texts)
    #expect(!result.output.contains { $0.contains(#""event":"unsure""#) })
    // The proxy has made every cut that it was told to.
    _ = try proxy.running.line(containing: "cut \(cuts)", within: 5)

    let stored = try JSONSerialization.jsonObject(
      with: Data(server.admin("texts?room=soak").utf8))
    let lines = try #require(stored as? [[String]])
    #expect(lines.filter { $0[0] == "ada" }.map { $0[1] } == texts)
    #expect(lines.filter { $0[0] == "bob" }.map { $0[1] } == texts)
  }
}
