import Glibc
package import Screen

/// Notices that the terminal shows by itself, also through ssh.
package nonisolated enum TerminalNotice {
  package enum Form: Equatable, Sendable {
    /// iTerm2's: one text.
    case osc9
    /// That of rxvt's extension, which foot, WezTerm, Ghostty and others took over: title and body.
    case osc777
    /// kitty's: title and body as parts of one notice.
    case osc99
  }

  private static let mostBytes = 1_024

  /// What the terminal takes, by the variables that it sets; nil where it is not known to take any.
  package static func detect(_ variable: (String) -> String?) -> Form? {
    func has(_ name: String) -> Bool { variable(name)?.isEmpty == false }
    let type = variable("TERM") ?? ""
    if has("KITTY_WINDOW_ID") || type.hasPrefix("xterm-kitty") { return .osc99 }
    if has("WEZTERM_PANE") || has("GHOSTTY_RESOURCES_DIR") { return .osc777 }
    switch variable("TERM_PROGRAM") ?? "" {
    case "iTerm.app": return .osc9
    case "WezTerm", "ghostty": return .osc777
    default: break
    }
    if variable("LC_TERMINAL") == "iTerm2" { return .osc9 }
    let takes777 = ["foot", "xterm-ghostty", "wezterm", "contour", "rxvt-unicode"]
    return takes777.contains { type.hasPrefix($0) } ? .osc777 : nil
  }

  /// The person's choice comes before what was found out.
  package static func form(_ choice: NoticeTerminal, detected: Form?) -> Form? {
    switch choice {
    case .auto: detected
    case .osc9: .osc9
    case .osc777: .osc777
    case .osc99: .osc99
    case .off: nil
    }
  }

  /// The sequence. Nothing but printable text gets into it, whatever is given. In tmux, which has no such
  /// sequences, it goes through to the terminal or nowhere.
  package static func bytes(
    title: String, body: String, form: Form, isInTmux: Bool = false, passesTmux: Bool = false
  ) -> [UInt8] {
    if isInTmux, !passesTmux { return [] }
    // It parts what the sequences are made of.
    let title = printable(title).replacing(";", with: ",")
    let body = printable(body)
    let end = "\u{1B}\\"
    let text: String
    switch form {
    case .osc9:
      text = "\u{1B}]9;\(title): \(body)" + end
    case .osc777:
      text = "\u{1B}]777;notify;\(title);\(body)" + end
    case .osc99:
      text =
        "\u{1B}]99;i=parlour:d=0:p=title;\(title)" + end
        + "\u{1B}]99;i=parlour:d=1:p=body;\(body)" + end
    }
    guard isInTmux else { return Array(text.utf8) }
    return Array(
      ("\u{1B}Ptmux;" + text.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\").utf8)
  }

  private static func printable(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars where isPrintable(scalar) {
      count += String(scalar).utf8.count
      guard count <= mostBytes else { break }
      kept.append(scalar)
    }
    return String(kept)
  }

  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
