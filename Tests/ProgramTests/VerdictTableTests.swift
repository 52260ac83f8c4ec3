import Channel
import Foundation
import Program
import Testing
import WebSocket

/// The README's tables of close codes and of answers to the upgrade, compared with the functions that decide.
@Suite struct VerdictTableTests {
  struct Row: CustomTestStringConvertible {
    var codes: ClosedRange<Int>
    var meaning: String
    var course: String
    var exitCode: Int32
    var testDescription: String { "\(codes) \(meaning)" }
  }

  private static let endpoint = Endpoint(
    isSecure: true, host: "chat.example", port: 443, target: "/")

  /// The rows of the table whose first column has that title.
  private static func rows(_ title: String) -> [Row] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let lines = (readme ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("| \(title) |") }) else { return [] }
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.compactMap { line in
      let cells = line.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let bounds = cells[0].split(separator: "–").compactMap { Int($0) }
      guard cells.count == 4, let first = bounds.first, let last = bounds.last,
        let exitCode = Int32(cells[3])
      else { return nil }
      return Row(codes: first...last, meaning: cells[1], course: cells[2], exitCode: exitCode)
    }
  }

  private static let closes = rows("close code")
  private static let answers = rows("answer to the upgrade")

  /// Those codes of a row that have no row of their own.
  private func codes(of row: Row, among rows: [Row]) -> [Int] {
    if row.codes.count == 1 { return Array(row.codes) }
    let others = Set(rows.filter { $0.codes.count == 1 }.map(\.codes.lowerBound))
    return row.codes.filter { !others.contains($0) }
  }

  private func words(_ course: Verdict.Course) -> String {
    switch course {
    case .retry: "tries again"
    case .giveUp: "gives up"
    case .refused: "is refused"
    }
  }

  /// What the program ends with once no attempt follows.
  private func exitCode(_ verdict: Verdict, after limit: Int = 10) -> Int32 {
    let end: SessionState.Offline =
      switch verdict.course {
      case .retry: .gaveUp(attempts: limit, verdict.failure)
      case .giveUp: .gaveUp(attempts: 1, verdict.failure)
      case .refused: .refused(verdict.failure)
      }
    return ExitStatus.of(end, attemptLimit: limit)
  }

  @Test(arguments: closes)
  func closeCodesMeanWhatTheReadmeSays(row: Row) {
    for code in codes(of: row, among: Self.closes) {
      let code = CloseCode(rawValue: UInt16(code))
      let verdict = verdict(onClose: CloseReason(code), from: Self.endpoint)
      #expect(code.words == row.meaning, "\(code)")
      #expect(words(verdict.course) == row.course, "\(code)")
      #expect(exitCode(verdict) == row.exitCode, "\(code)")
    }
  }

  @Test(arguments: answers)
  func answersToTheUpgradeMeanWhatTheReadmeSays(row: Row) {
    for status in codes(of: row, among: Self.answers) {
      let refusal = Refusal(status: status, reason: "", headers: [], body: [])
      let verdict = verdict(onRefusal: refusal, from: Self.endpoint)
      let reason = row.meaning == "any other" ? "" : " " + row.meaning
      #expect(
        verdict.failure.message.hasPrefix(
          "chat.example answered \(status)\(reason) to the upgrade; "), "\(status)")
      #expect(words(verdict.course) == row.course, "\(status)")
      #expect(exitCode(verdict) == row.exitCode, "\(status)")
    }
  }

  /// What another attempt can mend is 69, be there one attempt or ten.
  @Test func anAnswerThatMayComeYetHasTheSameCodeWithAndWithoutReconnecting() {
    let refusals = [408, 425, 429, 500, 503].map {
      verdict(
        onRefusal: Refusal(status: $0, reason: "", headers: [], body: []), from: Self.endpoint)
    }
    let cuts = [true, false].map {
      verdict(onHandshakeError: .endedEarly, from: Self.endpoint, isEmpty: $0)
    }
    for verdict in refusals + cuts {
      #expect(exitCode(verdict, after: 1) == 69, "\(verdict)")
      #expect(exitCode(verdict, after: 10) == 69, "\(verdict)")
    }
  }

  /// Every code that a Close can bring has a row, and every final status but 101.
  @Test func theTablesLeaveNothingOut() {
    let closes = Set(Self.closes.flatMap(\.codes))
    let received = [1000, 1001, 1002, 1003, 1005, 1006] + Array(1007...1014) + Array(3000...4999)
    #expect(received.filter { !closes.contains($0) } == [])
    let answers = Set(Self.answers.flatMap(\.codes))
    #expect((200...999).filter { !answers.contains($0) } == [])
  }
}
