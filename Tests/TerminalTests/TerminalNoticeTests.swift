import Screen
import Testing

@testable import Terminal

extension TerminalTests {
  @Suite struct TerminalNoticeTests {
    private func text(
      _ title: String, _ body: String, _ form: TerminalNotice.Form, isInTmux: Bool = false,
      passesTmux: Bool = false
    ) -> String {
      String(
        decoding: TerminalNotice.bytes(
          title: title, body: body, form: form, isInTmux: isInTmux, passesTmux: passesTmux),
        as: UTF8.self)
    }

    @Test func eachFormHasItsSequence() {
      #expect(text("ko in #a", "hi", .osc9) == "\u{1B}]9;ko in #a: hi\u{1B}\\")
      #expect(text("ko in #a", "hi", .osc777) == "\u{1B}]777;notify;ko in #a;hi\u{1B}\\")
      #expect(
        text("ko", "hi", .osc99)
          == "\u{1B}]99;i=parlour:d=0:p=title;ko\u{1B}\\\u{1B}]99;i=parlour:d=1:p=body;hi\u{1B}\\")
    }

    @Test func nothingOfAMessageCanEndTheSequenceOrBeginAnother() {
      for form in [TerminalNotice.Form.osc9, .osc777, .osc99] {
        let plain = text("", "", form)
        let hostile = text(
          "4;1;50\u{7}\u{1B}\\\u{9C}",
          "\u{1B}]0;x\u{7}\n\r\u{202E}\u{90}" + String(repeating: "y", count: 9_000), form)
        #expect(
          hostile.unicodeScalars.count { $0 == "\u{1B}" }
            == plain.unicodeScalars.count { $0 == "\u{1B}" })
        #expect(
          !hostile.contains("\u{7}") && !hostile.contains("\n") && !hostile.contains("\u{9C}"))
        #expect(hostile.utf8.count < 2_400)
        #expect(!hostile.contains("9;4;"))
      }
    }

    @Test func tmuxIsPassedOnlyWhereThatIsAllowed() {
      #expect(text("a", "b", .osc9, isInTmux: true).isEmpty)
      #expect(
        text("a", "b", .osc9, isInTmux: true, passesTmux: true)
          == "\u{1B}Ptmux;\u{1B}\u{1B}]9;a: b\u{1B}\u{1B}\\\u{1B}\\")
    }

    @Test(
      arguments: [
        (["TERM": "xterm-kitty"], TerminalNotice.Form.osc99), (["KITTY_WINDOW_ID": "1"], .osc99),
        (["TERM": "foot"], .osc777),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .osc777),
        (["WEZTERM_PANE": "0"], .osc777), (["TERM_PROGRAM": "iTerm.app"], .osc9),
        (["LC_TERMINAL": "iTerm2"], .osc9), (["TERM": "xterm-256color"], nil), ([:], nil),
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": ""], nil),
      ] as [([String: String], TerminalNotice.Form?)])
    func terminalsAreKnownByTheirVariables(
      variables: [String: String], form: TerminalNotice.Form?
    ) {
      #expect(TerminalNotice.detect { variables[$0] } == form)
    }

    @Test func thePersonsChoiceComesFirst() {
      #expect(TerminalNotice.form(.auto, detected: .osc777) == .osc777)
      #expect(TerminalNotice.form(.osc9, detected: nil) == .osc9)
      #expect(TerminalNotice.form(.off, detected: .osc99) == nil)
    }
  }
}
