import Channel
import Room
import Store
import TestKit
import Testing
import Text

/// Memory of the built program on a history of 24 MB in long messages.
@Suite(.ownThreads, .serialized) struct HistoryMemoryTests {
  private let state = StateFolder()
  private static let server = "ws://127.0.0.1:9/"

  private func fill() throws {
    let word = String(repeating: "abc def ", count: 130_000)
    let moment = Timestamp(milliseconds: 1_767_225_600_000)
    let store = try Store(folder: state.path + "/parlour", run: "test", at: moment)
    for number in 1...24 {
      let message = ChatMessage(
        id: "m\(number)", author: UntrustedText("ada"),
        text: UntrustedText("\(number) needle \(word)"), time: moment)
      let kept = KeptMessage(message: message, time: moment, place: number << 20)
      try store.write([.message(kept, room: "lobby")], of: Self.server)
    }
  }

  @Test func aStartAndASearchTakeInAFewOfThemOnly() throws {
    try fill()
    let chat = try Running(
      Programs.parlour, ["--plain", "--nick", "me", Self.server], environment: state.variables)
    _ = try chat.line(containing: "24 needle")
    chat.write("/search needle\n")
    _ = try chat.line(containing: "24 found for", within: 120)
    _ = try chat.line(containing: "23 needle")
    let peak = try #require(chat.peakMemory)
    #expect(peak < 60 << 20, "\(peak >> 20) MiB")
    chat.write("/quit\n")
    chat.endInput()
    #expect(try chat.finish().status == 0)
    let search = try Running(
      Programs.parlour, ["history", "search", "needle", "--limit", "100"],
      environment: state.variables)
    _ = try search.line(containing: "needle", within: 120)
    let most = try #require(search.peakMemory)
    #expect(most < 45 << 20, "\(most >> 20) MiB")
    #expect(try search.finish().output.count == 23)
  }
}
