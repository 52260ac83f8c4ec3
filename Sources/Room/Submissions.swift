import Channel
import Text

/// What the person enters: messages and commands.
extension RoomModel {
  mutating func submit(_ text: String, wall: Timestamp, nonce: () -> String) -> [RoomCommand] {
    let wasWarned = quitWasWarned
    quitWasWarned = false
    let deletion = deletionAsked
    deletionAsked = nil
    switch SlashCommand.read(text) {
    case .message(let message): return post(message, entered: text, wall: wall, nonce: nonce)
    case .command(.reply(let words)): return reply(words, entered: text, wall: wall, nonce: nonce)
    case .command(.edit(let words)): return edit(words, entered: text, wall: wall)
    case .command(.delete(let isSure)):
      return delete(isSure ? deletion : nil, isSure: isSure, wall: wall)
    case .command(.react(let emoji)): return react(emoji, wall: wall)
    case .command(let command): return obey(command, quitWasWarned: wasWarned, wall: wall)
    case .wrong(let sentence):
      note(sentence, isError: true, wall: wall)
      return []
    }
  }

  mutating func post(
    _ text: String, entered: String, replyTo target: String? = nil, wall: Timestamp,
    nonce: () -> String
  ) -> [RoomCommand] {
    guard !text.allSatisfy(\.isWhitespace) else { return [] }
    let size = text.utf8.count
    guard size <= Self.largestMessage else {
      note(
        "The message was not sent: it has \(size) bytes, and at most \(Self.largestMessage) are "
          + "allowed; it is back in the input, to be made shorter or split.",
        isError: true, wall: wall)
      return [.restoreInput(entered)]
    }
    guard box.count < Self.largestOutbox else {
      note(
        "The message was not sent: \(box.count) messages wait already; it is back in the input, "
          + "until the line is there or /drop all has forgotten them.",
        isError: true, wall: wall)
      return [.restoreInput(entered)]
    }
    box.add(Post(nonce: nonce(), text: text, replyTo: target), at: wall)
    return takePosts()
  }

  private mutating func obey(
    _ command: SlashCommand, quitWasWarned wasWarned: Bool, wall: Timestamp
  ) -> [RoomCommand] {
    switch command {
    // Read before, as they need more than this.
    case .reply, .edit, .delete, .react: return []
    case .help(let topic): return [.showHelp(topic: topic)]
    case .connect(nil): return connect(wall: wall)
    case .connect(let server?), .server(let server): return [.window(.server(server))]
    case .disconnect:
      if case .offline = connection {
        note("There is no line to \(server) to close; /connect opens one.", wall: wall)
        return []
      }
      leave()
      return [.disconnect]
    case .reconnect:
      if case .online = connection { leave() }
      return [.reconnect]
    case .reveal(let number): return [.reveal(number)]
    case .nick(let name):
      guard name != nick else {
        note("You are called \(name) already.", wall: wall)
        return []
      }
      nick = name
      note("You are called \(name) now.", wall: wall)
      return [.rename(nick: name)]
    case .join(let name): return join(name, wall: wall)
    case .part: return part(quitWasWarned: wasWarned, wall: wall)
    case .window(let name): return [.window(name.map(WindowCommand.show) ?? .list)]
    case .list: return [.window(.list)]
    case .names:
      note(namesWords, wall: wall)
      return []
    case .notify(let wanted): return notify(wanted, wall: wall)
    case .theme(let name):
      guard let name else { return [.listThemes] }
      return [.setTheme(name)]
    case .set(let name, let value): return [.setting(name: name, value: value)]
    case .save: return [.saveSettings]
    case .search(let text, let everywhere): return [.search(text, everywhere: everywhere)]
    case .goTo(let text): return [.goTo(text)]
    case .links: return [.showLinks]
    case .forget(let name): return forget(name, wall: wall)
    case .connection: return [.showConnection]
    case .frames(let text): return [.showFrames(text)]
    case .clear: return [.clearScreen]
    case .resend:
      if box.resend() == 0 {
        note("There is nothing to send again: no message failed.", wall: wall)
      }
      return takePosts()
    case .drop(let all): return drop(all: all, wall: wall)
    case .bind(let key, let action): return [.bind(key: key, action: action)]
    case .unbind(let key): return [.unbind(key: key)]
    case .quit:
      guard let loss = lossByQuitting, !wasWarned else { return [.quit] }
      quitWasWarned = true
      note("\(loss); /quit again leaves all the same.", isError: true, wall: wall)
      return []
    }
  }

  /// What is deleted does not come back, so that the room has to be named.
  private mutating func forget(_ name: String?, wall: Timestamp) -> [RoomCommand] {
    guard isKept else {
      note("Nothing of this chat is kept: there is nothing to forget.", wall: wall)
      return []
    }
    guard let name, name == room else {
      let other = name.map { "You are in #\(room) and not in #\($0): " } ?? ""
      note(
        "\(other)/forget \(room) deletes everything that is kept of #\(room), for good.",
        isError: true,
        wall: wall)
      return []
    }
    return [.forgetRoom]
  }

  /// The line ends on purpose; what is typed from now on waits.
  private mutating func leave() {
    isLeaving = true
    isReady = false
  }

  private mutating func connect(wall: Timestamp) -> [RoomCommand] {
    // A line that is being closed on purpose is followed by a new one.
    if connection.isWaiting || isLeaving { return [.connect] }
    if case .online = connection {
      note("The line to \(server) is up already; /reconnect makes a new one.", wall: wall)
    } else {
      note("The line to \(server) is being made; /disconnect stops that.", wall: wall)
    }
    return []
  }

  private mutating func drop(all: Bool, wall: Timestamp) -> [RoomCommand] {
    let count = box.drop(all: all)
    if count > 0 {
      note("\(Self.messages(count)) dropped.", wall: wall)
    } else if box.isEmpty {
      note("There is nothing to drop: no message waits or failed.", wall: wall)
    } else if all {
      note("What is on the line already cannot be dropped.", wall: wall)
    } else {
      note("No message failed; /drop all forgets those that wait.", wall: wall)
    }
    return takePosts()
  }

  /// A room is a window of its own, on a line of its own.
  private mutating func join(_ name: String, wall: Timestamp) -> [RoomCommand] {
    guard name != room else {
      note("You are in #\(name) already.", wall: wall)
      return []
    }
    if case .online = connection, dialect == .plain {
      note(
        "\(server) knows no rooms, since it speaks the plain dialect: /server URL opens a window at another "
          + "address.", isError: true, wall: wall)
      return []
    }
    return [.window(.join(room: name))]
  }

  /// What waits is told before it goes: the window holds it, and no other.
  private mutating func part(quitWasWarned wasWarned: Bool, wall: Timestamp) -> [RoomCommand] {
    guard !box.isEmpty, !wasWarned else { return [.window(.part)] }
    quitWasWarned = true
    let loss =
      losesNothing ? "come back with /join \(room)" : "would be lost"
    note(
      "\(Self.messages(box.count)) not known to have arrived and \(loss); /part again closes the window all "
        + "the same.", isError: true, wall: wall)
    return []
  }

  private mutating func notify(_ wanted: RoomNotice?, wall: Timestamp) -> [RoomCommand] {
    if let wanted, wanted != notice {
      notice = wanted
      if isKept { records.append(.notice(wanted, room: room)) }
    }
    note(notice.words(room: room), wall: wall)
    return []
  }

  /// How much of what was typed goes with the program, as a clause, or nil.
  package var lossByQuitting: String? {
    let count = box.count + postsElsewhere
    guard count > 0, !losesNothing else { return nil }
    return "\(Self.messages(count)) not known to have arrived and would be lost"
  }

  private static func messages(_ count: Int) -> String {
    count == 1 ? "1 message is" : "\(count) messages are"
  }
}
