import Screen
import Testing

@Suite struct KeyTableTests {
  /// How the help page writes a key that takes one way to say it.
  private static let spelled: [(String, Key)] =
    "abdefhjknptuwy_".map { ("^\($0.uppercased())", Key.control($0)) }
    + "bdftulcy_".map { ("M-\($0)", Key.alt($0)) } + [
      ("Enter", .enter), ("M-Enter", .altEnter), ("Up", .up), ("Down", .down), ("Home", .home),
      ("End", .end), ("Left", .left), ("Right", .right), ("^Left", .controlLeft),
      ("^Right", .controlRight), ("^Home", .controlHome), ("^End", .controlEnd),
      ("Backspace", .backspace), ("Delete", .delete), ("M-Backspace", .altBackspace),
    ]

  @Test func everyKeyOfTheEditorStandsOnTheHelpPage() {
    let listed = Set(
      KeyTable.sections.flatMap(\.entries).flatMap { entry in
        entry.keys.split(separator: ",").map { $0.drop(while: { $0 == " " }) }
      }.map(String.init))
    for (name, key) in Self.spelled {
      var editor = LineEditor()
      for character in "one two" { _ = editor.handle(.character(character)) }
      #expect(editor.handle(key) != .ignored, "\(name) does nothing")
      #expect(listed.contains(name), "\(name) is not listed")
    }
  }

  @Test func everyEntryFitsAnEightyColumnScreen() {
    for entry in KeyTable.sections.flatMap(\.entries) {
      #expect(entry.keys.count <= 16)
      #expect(!entry.does.isEmpty && entry.does.count <= 60)
    }
  }
}
