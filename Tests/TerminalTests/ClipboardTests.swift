import Testing

@testable import Terminal

extension TerminalTests {
  @MainActor @Suite struct ClipboardTests {
    private let xterm: TerminalKind

    init() throws {
      xterm = try TerminalKind(type: "xterm-256color")
    }

    @Test(arguments: [
      ("hi", "aGk="), ("hey", "aGV5"), ("", ""), ("\u{1B}]0;x\u{7}", "G10wO3gH"),
      ("日本", "5pel5pys"),
    ])
    func textGoesIntoTheClipboardAsBase64(text: String, encoded: String) {
      let bytes = TerminalModes.clipboard(text, xterm)
      #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}]52;c;\(encoded)\u{7}")
    }

    @Test func aLongTextIsCutBetweenCharacters() {
      let bytes = TerminalModes.clipboard(String(repeating: "日", count: 50_000), xterm)
      // 21 845 characters of three bytes.
      #expect(bytes.count == 7 + 65_535 / 3 * 4 + 1)
    }
  }
}
