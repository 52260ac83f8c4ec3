package import Room
package import Text

/// What a person may choose about the chat, with the value that each choice has by itself.
///
/// A value without a name or a text form: those stand in `SettingTable`, from which `/set`, the configuration file
/// and completion are made.
package struct Settings: Equatable, Sendable {
  /// A row with the most useful keys under the input.
  package var showsHints = true
  /// Others are told while something is being written, where the server takes that.
  package var sendsTyping = true
  /// The theme by its name; empty: the one for the background, else that of the program.
  package var theme = ""
  /// The theme on a light background, where `theme` names none.
  package var lightTheme = ""
  /// The theme on a dark background, where `theme` names none.
  package var darkTheme = ""
  package var color = ColorChoice.auto
  /// How emoji of several code points are drawn.
  package var emoji = EmojiPolicy.safe
  /// Links are told to the terminal as such, which may open them itself.
  package var tellsLinks = true
  /// Text that is written from right to left is kept apart from the rest by invisible marks.
  package var isolatesText = true
  /// The mouse scrolls, places the caret and chooses; text is selected with Shift then.
  package var takesMouse = true
  /// *bold*, `code` and the like are drawn as what they mean.
  package var showsMarkup = true
  /// Longer messages are folded.
  package var foldRows = 40
  package var historyKept = Retention.all
  /// A paste of more lines than that is asked about; 0 asks about none.
  package var pasteLines = 5
  /// A list of the windows at the left of a wide screen.
  package var showsRooms = true
  /// A list of who is in the room at the right of a wide screen.
  package var showsMembers = true

  /// Measurements of the line as rows of small bars.
  package var showsSparkline = true
  /// The sign of the status line turns while a line is being opened.
  package var turnsSpinner = true
  /// The room and the count of unread messages in the terminal's title.
  package var setsTitle = true
  /// What is told of when nobody looks.
  package var noticeWhen = NoticeWhen.mention
  package var ringsBell = true
  /// Notices of the desktop by notify-send.
  package var notifiesDesktop = true
  /// Notices that the terminal shows.
  package var noticeTerminal = NoticeTerminal.auto
  /// Terminal notices are handed through tmux, where its allow-passthrough is on.
  package var passesTmux = false

  package init() {}
}

/// How much colour a person wants; `auto` is what the terminal can show.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, never
  case ansi16 = "16"
  case indexed256 = "256"
  case full = "24bit"
}

/// Which messages of others are worth a notice.
package enum NoticeWhen: String, CaseIterable, Sendable {
  case mention, all, never
}

/// The sequence by which the terminal is asked to show a notice: that of iTerm2, of rxvt and of kitty.
package enum NoticeTerminal: String, CaseIterable, Sendable {
  case auto, osc9, osc777, osc99, off
}
