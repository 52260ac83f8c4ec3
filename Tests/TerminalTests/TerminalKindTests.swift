import Screen
import Terminal
import Testing

extension TerminalTests {
  @MainActor @Suite struct TerminalKindTests {
    @Test(arguments: [
      (nil, "TERM is not set"), ("", "TERM is not set"), ("nosuch", "\"nosuch\""),
      ("dumb", "\"dumb\""), ("../../etc/passwd", "\"../../etc/passwd\""),
      ("a\u{1B}]2;x\u{7}b", "\"a]2;xb\""), (String(repeating: "x", count: 5_000), "\"xxxx"),
    ])
    func aTerminalThatCannotBeUsedIsToldInASentence(type: String?, part: String) {
      let error = #expect(throws: TerminalError.self) { try TerminalKind(type: type) }
      let message = error?.message ?? ""
      #expect(message.contains(part))
      #expect(message.hasSuffix("use --plain."))
      #expect(message.utf8.count < 200)
    }

    @Test(arguments: [
      ("xterm-256color", 256, true), ("tmux-256color", 256, true),
      ("screen.xterm-256color", 256, true),
      ("rxvt", 8, true), ("linux", 8, false), ("vt100", 0, false), ("xterm", 8, true),
    ])
    func terminfoTellsWhatATerminalCan(type: String, colors: Int, isLikeXterm: Bool) throws {
      let kind = try TerminalKind(type: type)
      #expect(kind.colors == colors)
      #expect(kind.isLikeXterm == isLikeXterm)
    }

    @Test(arguments: [
      ("xterm-256color", nil, Theme.Depth.indexed256), ("xterm-256color", "truecolor", .full),
      ("xterm", "24bit", .full), ("xterm", "yes", .ansi16), ("vt100", nil, .none),
    ])
    func theDepthComesFromTerminfoAndCOLORTERM(
      type: String, colorTerm: String?, depth: Theme.Depth
    ) throws {
      #expect(try TerminalKind(type: type).depth(colorTerm: colorTerm) == depth)
    }
  }
}
