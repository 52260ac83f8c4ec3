import Channel
import Room
import Testing
import Text

/// Who is in the room.
@Suite struct MemberTests {
  private static func notices(_ bench: Bench) -> [String] {
    bench.room.entries.compactMap { entry in
      if case .notice(let text, _) = entry.kind { text.raw } else { nil }
    }
  }

  @Test func membersStandByTheirNamesWithoutRegardToCase() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(
      .members(["mira", "Zoe", "ada", "Émile", "ko", "Bob", "苺"].map { UntrustedText($0) }))
    #expect(bench.room.members.map(\.raw) == ["ada", "Bob", "ko", "mira", "Zoe", "Émile", "苺"])
  }

  @Test func namesAreToldWithTheOwnOneMarked() {
    var bench = Bench()
    bench.enter("/names")
    #expect(
      Self.notices(bench).last == "Who is in #lobby is known on line only: /connect opens the line."
    )
    bench.goOnline()
    bench.enter("/names")
    #expect(Self.notices(bench).last == "The server does not say who is in #lobby.")
    bench.channel(.members(["ko", "ada", "\u{202E}eve"].map { UntrustedText($0) }))
    bench.enter("/names")
    #expect(Self.notices(bench).last == "3 here: ada (you), ko, eve")
    bench.channel(.members((1...400).map { UntrustedText("guest\($0)") }))
    bench.enter("/names")
    #expect(Self.notices(bench).last?.hasSuffix(", and 100 more") == true)
  }
}
