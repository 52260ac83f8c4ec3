/// What the person does with the view, apart from the room: how far it is scrolled, what is typed, which
/// page lies over it.
package struct ViewState: Equatable, Sendable {
  package enum Overlay: Equatable, Sendable {
    /// The help page, filtered by a topic, scrolled by rows.
    case help(topic: String?, scroll: Int)
    /// The themes, to choose from.
    case themes(ThemePicker)
    /// What a search over the history has found.
    case results(SearchResults)
    /// The links of a message or of the room.
    case links(LinkList)
    /// What is known of a message.
    case details(MessageDetails)
    /// Every action with its name and its keys.
    case bindings(scroll: Int)
    /// The settings with their values, all of them or those whose names begin like that.
    case settings(group: String, scroll: Int)
    /// How the line fares, scrolled by rows.
    case connection(scroll: Int)
    /// The frames that went over it.
    case frames(FramesView)
  }

  /// Where the view is held while scrolled up: the serial of the entry at the bottom of the upper part, and
  /// how many of its rows are below that edge. Nil follows the end.
  package struct Anchor: Equatable, Sendable {
    package var serial: Int
    package var rowsBelow: Int

    package init(serial: Int, rowsBelow: Int) {
      self.serial = serial
      self.rowsBelow = rowsBelow
    }
  }

  package var editor = LineEditor()
  /// What is marked in the transcript: it was searched for.
  package var found: FoundText?
  package var anchor: Anchor?
  package var overlay: Overlay?
  /// The search within the transcript that is being entered.
  package var search: TranscriptSearch?
  /// The message that one-letter actions are for.
  package var selection: MessageSelection?
  /// The message that the input is about, where it is no new one.
  package var compose: Compose?
  /// Entries of which the person asked to see all: long ones, and hidden parts.
  package var shown: Set<Int> = []
  /// The last serial that was on the screen while following the end: later ones are new.
  package var readUpTo: Int = -1
  /// False while the terminal says that it does not have the focus: what comes then is new as well.
  package var isFocused = true
  /// The rule of what is new stands above the first message of others behind that serial; nil: no rule.
  /// Kept by `markRead(in:)`.
  package internal(set) var unreadAfter: Int?
  /// Where what was new ended when the person came back; nil while they are away.
  package internal(set) var unreadUpTo: Int?
  /// What was said since the last run is still coming in: all of it stands under the same rule.
  var isCatchingUp = false
  /// `/clear`: entries up to this serial are not drawn any more.
  package var clearedUpTo: Int = .min
  package var settings = Settings()
  package var keys = KeyMap.standard
  /// What stands over the input, or in its place.
  package var completion: Completion?
  package var historySearch: HistorySearch?
  package var pasteQuestion: PasteQuestion?

  package init() {}
}
