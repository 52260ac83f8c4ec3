package import JSON

/// How one GraphQL server's schema maps to a chat: three documents, their variables, and the paths to the
/// parts of a message in their results.
package struct Profile: Equatable, Sendable {
  /// A path: keys joined by dots, `*` for every element, digits for an index, `a|b` for the first there.
  package struct Path: Equatable, Sendable {
    package var text: String

    package init(_ text: String) {
      self.text = text
    }
  }

  package struct Operation: Equatable, Sendable {
    package var document: String
    package var operationName: String?
    /// Templates: `{name}`, `{name?}`, `{name=default}`; anything else is sent as it stands.
    package var variables: [JSON.Member]
    package var items: Path
    /// How it is asked for where `graphql-transport-ws` is spoken, and where `graphql-ws` is.
    package var via = Transport.webSocket
    package var legacyVia = Transport.webSocket

    package init(
      document: String, operationName: String?, variables: [JSON.Member], items: Path
    ) {
      self.document = document
      self.operationName = operationName
      self.variables = variables
      self.items = items
    }
  }

  package enum Transport: String, CaseIterable, Sendable {
    case webSocket = "ws"
    case http
  }

  /// What follows a close code, in the place of what it means otherwise.
  package enum Retry: String, CaseIterable, Sendable {
    /// Dial again after a pause.
    case retry
    /// Give up.
    case stop
    /// Take it for a refusal of the token.
    case refused
  }

  package enum Order: String, CaseIterable, Sendable {
    case oldestFirst = "oldest-first"
    case newestFirst = "newest-first"
  }

  package enum Repeat: String, CaseIterable, Sendable {
    case safe, ask, lookup
  }

  package enum TimeFormat: String, CaseIterable, Sendable {
    case iso8601, unix
    case unixMilliseconds = "unix-ms"
  }

  package enum LiveMode: String, CaseIterable, Sendable {
    case event, snapshot
  }

  package struct MessagePaths: Equatable, Sendable {
    package var id: Path?
    package var cursor: Path?
    package var author: Path?
    package var text: Path
    package var time: Path?
    package var room: Path?
    package var nonce: Path?
    /// A number that grows by one from message to message of a room: a jump is a gap.
    package var seq: Path?
    /// There, and neither null, false nor empty: the message was edited; a time in the profile's format says when.
    package var edited: Path?
    /// The same for a message that was deleted; its text need not be there.
    package var deleted: Path?
    /// The id of the message that it answers.
    package var reply: Path?
    /// A number that grows with each change of the message.
    package var revision: Path?
    /// One reaction or a list of them, taken apart by `reaction`.
    package var reactions: Path?
    package var reaction: ReactionPaths?

    package init(
      id: Path?, cursor: Path?, author: Path?, text: Path, time: Path?, room: Path?, nonce: Path?,
      seq: Path? = nil
    ) {
      self.id = id
      self.cursor = cursor
      self.author = author
      self.text = text
      self.time = time
      self.room = room
      self.nonce = nonce
      self.seq = seq
    }
  }

  /// Where in one of the `reactions` its parts are.
  package struct ReactionPaths: Equatable, Sendable {
    package var emoji: Path
    /// How many; without it as many as there are names, and one where there are none.
    package var count: Path?
    /// The names of those who reacted, or of the one who did.
    package var names: Path?
    /// True where the person is among them.
    package var mine: Path?

    package init(emoji: Path, count: Path? = nil, names: Path? = nil, mine: Path? = nil) {
      self.emoji = emoji
      self.count = count
      self.names = names
      self.mine = mine
    }
  }

  package var name: String
  package var subprotocols: [String]
  /// Template of the Authorization field's value, such as `Bearer {token}`.
  package var authHeader: String?
  /// Template of the `connection_init` payload.
  package var authInit: JSON?
  package var history: Operation?
  package var historyOrder: Order
  package var post: Operation?
  package var postRepeat: Repeat
  package var live: Operation
  package var liveMode: LiveMode
  /// Whether the subscription takes the cursor and sends what came after it.
  package var liveResumes: Bool
  package var message: MessagePaths
  package var time: TimeFormat
  /// Where HTTP POST goes; without it, to the URL of the WebSocket with `http` for `ws`.
  package var httpEndpoint: String?
  /// By close code.
  package var retry: [Int: Retry] = [:]
  /// Where the server selects no subprotocol, plain text is spoken (`text` among the subprotocols).
  package var allowsText = false
  /// A query whose items are names: the rooms that there are.
  package var rooms: Operation?
  /// Who is in the room, by their names: a query, or a subscription that says it whenever somebody comes or goes.
  package var members: Operation?
  /// `members` is a subscription.
  package var membersAreLive = false
  /// A query for the messages before the one of `{before}`: what is scrolled to beyond the first history.
  package var earlier: Operation?
  /// A mutation that tells the others that the person is writing something.
  package var typing: Operation?
  /// A subscription whose items are the names of those who write something just now.
  package var typists: Operation?
  /// Mutations that change the message of `{id}`, to `{text}` or by `{emoji}`.
  package var edit: Operation?
  package var delete: Operation?
  package var react: Operation?
  package var unreact: Operation?
  /// Subscriptions besides `live`: messages in their new form, and messages, or ids of messages, that were deleted.
  package var changes: Operation?
  package var deletions: Operation?
  /// Goes for servers of which nothing is known: an embedded one that says so as it acknowledges the connection is asked
  /// for more.
  package var isBuiltIn = false

  package init(
    name: String, subprotocols: [String], authHeader: String?, authInit: JSON?,
    history: Operation?, historyOrder: Order, post: Operation?, postRepeat: Repeat,
    live: Operation, liveMode: LiveMode, liveResumes: Bool, message: MessagePaths,
    time: TimeFormat
  ) {
    self.name = name
    self.subprotocols = subprotocols
    self.authHeader = authHeader
    self.authInit = authInit
    self.history = history
    self.historyOrder = historyOrder
    self.post = post
    self.postRepeat = postRepeat
    self.live = live
    self.liveMode = liveMode
    self.liveResumes = liveResumes
    self.message = message
    self.time = time
  }
}

extension Profile {
  /// A message that was seen may come in another form.
  var tracksChanges: Bool {
    message.edited != nil || message.deleted != nil || message.reactions != nil
      || changes != nil || deletions != nil || liveMode == .snapshot
  }
}

/// What is wrong with a profile: a sentence with the file's name, and the line where it is known.
package struct ProfileError: Error, Equatable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}
