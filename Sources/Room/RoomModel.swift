package import Channel
package import Text

/// One row of what was said or happened.
package struct TimelineEntry: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case message(ChatMessage)
    /// A word of the program or the server: "mira joined", "connected", an error.
    case notice(UntrustedText, isError: Bool)
  }

  package var kind: Kind
  /// The server's time of a message where it gave one, else when it was seen here.
  package var time: Timestamp
  /// Grows with every entry and never changes: the anchor of the reading position.
  package var serial: Int

  package init(kind: Kind, time: Timestamp, serial: Int) {
    self.kind = kind
    self.time = time
    self.serial = serial
  }
}

/// What was typed and is not yet known to have arrived, in the order of typing.
package struct OutboxItem: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Waits for the line or for its turn.
    case pending
    /// Handed to the line.
    case sending
    /// The line was lost on the way; nobody can know.
    case unsure
    case failed(UntrustedText)
  }

  package var post: Post
  package var state: State
  package var time: Timestamp

  package init(post: Post, state: State, time: Timestamp) {
    self.post = post
    self.state = state
    self.time = time
  }
}

package enum RoomEvent: Equatable, Sendable {
  case channel(ChannelEvent)
  /// A line was entered: a message or a slash command.
  case submitted(String)
  /// The person asked for the line: Enter on an empty input while offline or waiting.
  case connectNow
  /// The person stopped it: Ctrl-C while connecting or waiting.
  case stopConnecting
  /// What a command came to, from outside the model (a theme that was or was not found).
  case notice(UntrustedText, isError: Bool)
}

/// What the model wants done; values, never closures.
package enum RoomCommand: Equatable, Sendable {
  case connect, disconnect, reconnect
  case post(Post)
  case join(room: String)
  case rename(nick: String)
  case setTheme(String)
  case listThemes
  case showHelp(topic: String?)
  case clearScreen
  case bell
  case quit
}

/// The room as a state machine with no socket, clock or terminal in it.
package struct RoomModel: Equatable, Sendable {
  package var connection: SessionState = .offline(.idle)
  package var room: String
  package var nick: String
  /// The URL as it may be shown.
  package var server: String
  package var entries: [TimelineEntry] = []
  package var outbox: [OutboxItem] = []
  /// Empty where the dialect does not know.
  package var members: [UntrustedText] = []
  /// When the line was last lost, by the calendar, for "lost 09:22".
  package var lostAt: Timestamp?
  /// Insecure by option: said on the screen as long as it lasts.
  package var isInsecure: Bool = false

  package init(room: String, nick: String, server: String) {
    self.room = room
    self.nick = nick
    self.server = server
  }

  /// The reducer: the new state and what is to be done.
  package mutating func handle(
    _ event: RoomEvent, at now: Instant, wall: Timestamp, nonce: () -> String
  ) -> [RoomCommand] {
    fatalError("interface only")
  }
}
