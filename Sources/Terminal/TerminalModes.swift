/// The modes that go past ncurses: bracketed paste (2004), focus reports (1004) and the title's stack.
/// They are switched off in the reverse order.
enum TerminalModes {
  static func opening(_ kind: TerminalKind) -> [UInt8] {
    kind.isLikeXterm ? Array("\u{1B}[?2004h\u{1B}[?1004h".utf8) : []
  }

  /// Reports of pressed buttons and the wheel, with coordinates in decimal digits (1006).
  static func mouse(_ isOn: Bool) -> [UInt8] {
    Array((isOn ? "\u{1B}[?1000h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1000l").utf8)
  }

  /// Puts the title that is there on the terminal's stack; `closing` takes it off again, once.
  static func keepingTitle(_ kind: TerminalKind) -> [UInt8] {
    kind.isLikeXterm ? Array("\u{1B}[22;2t".utf8) : []
  }

  /// Asks whether output can be synchronized. Nobody waits for the answer.
  static let synchronizationQuery = Array("\u{1B}[?2026$p".utf8)
  static let synchronizationMode = 2026
  /// What stands between them is shown at once.
  static let beginUpdate = Array("\u{1B}[?2026h".utf8)
  static let endUpdate = Array("\u{1B}[?2026l".utf8)

  static func closing(_ kind: TerminalKind) -> [UInt8] {
    kind.isLikeXterm ? Array("\u{1B}[23;2t\u{1B}[?1004l\u{1B}[?2004l".utf8) : []
  }

  /// What makes the terminal whole after a crash: everything that any part may have switched on.
  static func rescue(_ kind: TerminalKind) -> [UInt8] {
    let mouse = "\u{1B}[?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l"
    let modes = kind.isLikeXterm ? endUpdate + Array(mouse.utf8) : []
    return modes + closing(kind) + kind.closing
  }

  /// The most bytes of text in the clipboard: about what xterm takes, and a multiplexer passes on.
  static let mostCopied = 65_536

  /// OSC 52, with the text as Base64: nothing of it is obeyed on the way.
  static func clipboard(_ text: String, _ kind: TerminalKind) -> [UInt8] {
    guard kind.isLikeXterm else { return [] }
    var bytes = Array(text.utf8.prefix(mostCopied))
    // No half of a character at the end.
    if text.utf8.count > mostCopied {
      while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
      if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    }
    return Array("\u{1B}]52;c;".utf8) + base64(bytes) + [0x07]
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) }
      bits <<= 8 * (3 - group.count)
      for index in 0..<4 {
        result.append(
          index <= group.count ? letters[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return result
  }

  /// OSC 2. Only printable text gets into it, at most 200 characters, whatever is given.
  static func title(_ title: String, _ kind: TerminalKind) -> [UInt8] {
    guard kind.isLikeXterm else { return [] }
    let safe = title.unicodeScalars.filter(TerminalNotice.isPrintable)
    let shown = String(String(String.UnicodeScalarView(safe)).prefix(200))
    return Array("\u{1B}]2;\(shown)\u{07}".utf8)
  }
}
