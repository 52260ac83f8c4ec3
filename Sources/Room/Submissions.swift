import Channel
import Text

/// What the person enters: messages and commands.
extension RoomModel {
  mutating func submit(_ text: String, wall: Timestamp, nonce: () -> String) -> [RoomCommand] {
    let wasWarned = quitWasWarned
    quitWasWarned = false
    switch SlashCommand.read(text) {
    case .message(let message): return post(message, entered: text, wall: wall, nonce: nonce)
    case .command(let command): return obey(command, quitWasWarned: wasWarned, wall: wall)
    case .wrong(let sentence):
      note(sentence, isError: true, wall: wall)
      return []
    }
  }

  private mutating func post(
    _ text: String, entered: String, wall: Timestamp, nonce: () -> String
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
    box.add(Post(nonce: nonce(), text: text), at: wall)
    return takePosts()
  }

  private mutating func obey(
    _ command: SlashCommand, quitWasWarned wasWarned: Bool, wall: Timestamp
  ) -> [RoomCommand] {
    switch command {
    case .help(let topic): return [.showHelp(topic: topic)]
    case .connect: return connect(wall: wall)
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
    case .nick(let name):
      guard name != nick else {
        note("You are called \(name) already.", wall: wall)
        return []
      }
      nick = name
      note("You are called \(name) now.", wall: wall)
      return [.rename(nick: name)]
    case .join(let name): return enter(name, wall: wall)
    case .theme(let name):
      guard let name else { return [.listThemes] }
      return [.setTheme(name)]
    case .set(let name, let value): return [.setting(name: name, value: value)]
    case .save: return [.saveSettings]
    case .connection: return [.showConnection]
    case .frames(let text): return [.showFrames(text)]
    case .clear: return [.clearScreen]
    case .resend:
      if box.resend() == 0 {
        note("There is nothing to send again: no message failed.", wall: wall)
      }
      return takePosts()
    case .drop(let all): return drop(all: all, wall: wall)
    case .quit:
      guard let loss = lossByQuitting, !wasWarned else { return [.quit] }
      quitWasWarned = true
      note("\(loss); /quit again leaves all the same.", isError: true, wall: wall)
      return []
    }
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

  /// Posts hold no room, and the line sends to the room it is in. A post that waits would go to the wrong
  /// people, or be forgotten where nobody looks any more; so the person says first what is to become of
  /// it. What failed stays behind with its room and is there again on coming back.
  private mutating func enter(_ name: String, wall: Timestamp) -> [RoomCommand] {
    guard name != room else {
      note("You are in #\(name) already.", wall: wall)
      return []
    }
    guard !box.isBusy else {
      let waiting = box.items.count { !$0.isStuck }
      note(
        "\(Self.messages(waiting)) not sent yet to #\(room): wait for the line, or /drop all, and "
          + "then /join \(name).", isError: true, wall: wall)
      return []
    }
    recordOutbox()
    shelf.put(
      RoomShelf.Kept(timeline: timeline, outbox: box, own: own, heard: heard, keeping: keeping),
      named: room)
    let kept = shelf.take(named: name)
    timeline = kept?.timeline ?? Timeline(bounds: timeline.bounds)
    box = kept?.outbox ?? Outbox()
    own = kept?.own ?? OwnPosts()
    heard = kept?.heard ?? 0
    keeping = kept?.keeping ?? RoomKeeping()
    room = name
    members = []
    notices.interrupt()
    return [.join(room: name)]
  }

  /// How much of what was typed goes with the program, as a clause, or nil.
  package var lossByQuitting: String? {
    let count = box.count + shelf.posts
    guard count > 0, !losesNothing else { return nil }
    return "\(Self.messages(count)) not known to have arrived and would be lost"
  }

  private static func messages(_ count: Int) -> String {
    count == 1 ? "1 message is" : "\(count) messages are"
  }
}
