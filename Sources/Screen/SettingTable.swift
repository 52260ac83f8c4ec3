/// Every setting by its name: the one source for `/set`, for the configuration file and for completion.
package enum SettingTable {
  package static let all: [Setting] = [
    .onOff("hints", \.showsHints, summary: "a row with the most useful keys under the input"),
    .theme("theme", \.theme, summary: "the colours"),
    .theme("theme.light", \.lightTheme, summary: "the colours on a light background"),
    .theme("theme.dark", \.darkTheme, summary: "the colours on a dark background"),
    .word("color", \.color, summary: "how much colour", isForNextStart: true),
    .number(
      "paste.lines", \.pasteLines, in: 0...1_000,
      summary: "a paste of more lines, or a very long one, asks first; 0 never asks"),
    .onOff(
      "typing", \.sendsTyping,
      summary: "tell others while you write, where the server takes that"),
    .onOff(
      "markup", \.showsMarkup, summary: "draw *bold*, _italic_, `code`, > quotes and ||spoilers||"),
    .word(
      "emoji", \.emoji,
      summary: "emoji as one sign each, as the terminal joins them, or as their :names:"),
    .onOff("hyperlinks", \.tellsLinks, summary: "links that the terminal itself can open (OSC 8)"),
    .onOff(
      "bidi", \.isolatesText,
      summary:
        "marks around Arabic and Hebrew, so that a terminal that turns it round moves nothing else"),
    .onOff(
      "mouse", \.takesMouse,
      summary: "the mouse scrolls and chooses; with Shift, or off, it selects text"),
    .foldRows,
    .historyKept,
    .onOff(
      "panel.rooms", \.showsRooms,
      summary: "a list of the windows at the left, from 100 columns on"),
    .onOff(
      "panel.members", \.showsMembers,
      summary: "a list of who is in the room at the right, from 130 columns on"),
    .onOff(
      "sparkline", \.showsSparkline, summary: "measurements of the line as rows of small bars"),
    .onOff("spinner", \.turnsSpinner, summary: "a sign that turns while a line is being opened"),
    .onOff(
      "title", \.setsTitle, summary: "room and count of unread messages in the terminal's title"),
    .word(
      "notice.when", \.noticeWhen,
      summary: "which messages of others give a notice while you are not looking"),
    .onOff("notice.bell", \.ringsBell, summary: "the terminal's bell with each notice"),
    .onOff("notice.desktop", \.notifiesDesktop, summary: "notices of the desktop by notify-send"),
    .word(
      "notice.terminal", \.noticeTerminal,
      summary: "how the terminal is asked to show a notice"),
    .onOff(
      "notice.tmux", \.passesTmux,
      summary: "notices go through tmux to the terminal (needs its allow-passthrough)"),
  ]

  package static func setting(named name: String) -> Setting? { all.first { $0.name == name } }
}

/// One of the settings: how it is called, what it may be, how it is read and changed.
package struct Setting: Sendable {
  /// Lower case, parts joined by a point: "notice.bell".
  package var name: String
  /// One line, without a point at its end.
  package var summary: String
  /// All there are, or nil where any text or number in some range goes; then `form` says which.
  package var choices: [String]?
  /// Such as "a number of 0 to 100000".
  package var form: String
  /// As it is written in the configuration file.
  package var read: @Sendable (Settings) -> String
  /// False where the text is no value of this setting; then nothing was changed.
  package var write: @Sendable (inout Settings, String) -> Bool
  /// A change counts from the next start on.
  package var isForNextStart = false
  /// Its values are the themes that there are.
  package var isTheme = false

  /// A setting that is "on" or "off".
  static func onOff(
    _ name: String, _ path: any WritableKeyPath<Settings, Bool> & Sendable, summary: String
  ) -> Setting {
    Setting(
      name: name, summary: summary, choices: ["on", "off"], form: "on or off",
      read: { $0[keyPath: path] ? "on" : "off" },
      write: { settings, text in
        guard text == "on" || text == "off" else { return false }
        settings[keyPath: path] = text == "on"
        return true
      })
  }

  /// A setting that is a whole number.
  static func number(
    _ name: String, _ path: any WritableKeyPath<Settings, Int> & Sendable,
    in range: ClosedRange<Int>, summary: String
  ) -> Setting {
    Setting(
      name: name, summary: summary, choices: nil,
      form: "a number of \(range.lowerBound) to \(range.upperBound)",
      read: { String($0[keyPath: path]) },
      write: { settings, text in
        guard let number = Int(text), range.contains(number) else { return false }
        settings[keyPath: path] = number
        return true
      })
  }

  /// A setting that is one of a few words.
  static func word<Word: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Settings, Word> & Sendable, summary: String,
    isForNextStart: Bool = false
  ) -> Setting where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    return Setting(
      name: name, summary: summary, choices: words, form: words.joined(separator: ", "),
      read: { $0[keyPath: path].rawValue },
      write: { settings, text in
        guard let word = Word(rawValue: text) else { return false }
        settings[keyPath: path] = word
        return true
      }, isForNextStart: isForNextStart)
  }

  /// The name of a theme, or nothing.
  static func theme(
    _ name: String, _ path: any WritableKeyPath<Settings, String> & Sendable, summary: String
  ) -> Setting {
    Setting(
      name: name, summary: summary, choices: nil, form: "the name of a theme",
      read: { $0[keyPath: path] },
      write: { settings, text in
        guard text.isEmpty || Theme.isValidName(text) else { return false }
        settings[keyPath: path] = text
        return true
      }, isTheme: true)
  }

  /// Whether it is on or off, which the configuration file writes as true or false.
  package var isOnOff: Bool { choices == ["on", "off"] }
}
