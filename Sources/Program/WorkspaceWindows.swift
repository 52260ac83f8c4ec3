import Channel
import Room
import Screen
import Text
import WebSocket

/// Opening, closing and showing windows.
extension Workspace {
  mutating func obey(
    _ command: WindowCommand, from id: WindowID, _ turn: inout WorkspaceTurn,
    _ entropy: inout Entropy
  ) {
    switch command {
    case .join(let room): join(room, from: id, &turn, &entropy)
    case .server(let word):
      guard hasRoom(id, &turn, &entropy) else { return }
      turn.effects.append(.open(nextID(), .server(word, asked: id)))
    case .part: part(id, &turn, &entropy)
    case .show(let word): show(word, from: id, &turn, &entropy)
    case .showNumber(let number):
      guard windows.indices.contains(number - 1) else {
        return note(
          "There is no window \(number): /list shows those there are.", to: id, &turn, &entropy)
      }
      showByHand(number - 1)
    case .step(let distance):
      let count = windows.count
      showByHand(((current + distance) % count + count) % count)
    case .nextActive: showNextActive()
    case .go(let found, let words): go(to: found, words: words, from: id, &turn, &entropy)
    case .rename(let nick):
      let server = index(of: id).map { windows[$0].server }
      for index in windows.indices where windows[index].id != id && windows[index].server == server
      {
        feed(.renamed(nick: nick), to: index, &turn, &entropy)
      }
    case .list:
      for index in windows.indices.prefix(Self.mostListed) {
        note(line(of: index), to: id, isError: false, &turn, &entropy)
      }
      let rest = windows.count - Self.mostListed
      if rest > 0 {
        note("… and \(rest) more: /window NAME finds one.", to: id, isError: false, &turn, &entropy)
      }
    }
  }

  private static let mostListed = 100

  // MARK: - Opening

  private mutating func join(
    _ room: String, from id: WindowID, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    guard let from = index(of: id) else { return }
    let server = windows[from].server
    if let there = window(of: room, on: server) { return showByHand(there) }
    guard hasRoom(id, &turn, &entropy) else { return }
    let nick = windows[from].program.room.nick
    turn.effects.append(.open(nextID(), .room(room, nick: nick, like: id)))
  }

  /// One window for each room of a server: a second one would fetch and keep everything twice.
  private func window(of room: String, on server: String) -> Int? {
    windows.firstIndex { $0.server == server && $0.program.roomName == room }
  }

  private mutating func hasRoom(
    _ id: WindowID, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) -> Bool {
    guard windows.count >= Self.mostWindows else { return true }
    note(
      "\(windows.count) windows are open, and there cannot be more: /part closes one.", to: id,
      &turn,
      &entropy)
    return false
  }

  mutating func open(
    _ id: WindowID, _ opening: WorkspaceInput.Opening, _ turn: inout WorkspaceTurn,
    _ entropy: inout Entropy
  ) {
    let configuration = opening.configuration
    let server = configuration.endpoint.identity
    guard index(of: id) == nil else { return }
    if let there = window(of: configuration.context.room, on: server) {
      turn.effects.append(.closed(id))
      if opening.isShown { showByHand(there) }
      return
    }
    let front = windows[current].program
    var program = Program(configuration, theme: front.theme, width: width, height: height)
    program.offset = front.offset
    program.view.settings = front.view.settings
    program.view.keys = front.view.keys
    program.room.losesNothing = front.room.losesNothing
    if opening.memory != nil { program.keepHistory(inputs: []) }
    program.goBehind()
    let hasOthers = windows.contains { $0.server == server }
    windows.append(Window(id, configuration, program))
    let index = windows.count - 1
    if opening.isShown { showByHand(index) }
    if var memory = opening.memory {
      // Those of open windows are seen there, and each is told once.
      if hasOthers { memory.waitingElsewhere = [:] }
      feed(.recalled(memory, room: configuration.context.room), to: index, &turn, &entropy)
    }
    goOn(in: index, &turn, &entropy)
    feed(.start, to: index, &turn, &entropy)
  }

  // MARK: - Closing

  private mutating func part(
    _ id: WindowID, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    guard windows.count > 1 else {
      return note(
        "This is the only window: /quit leaves the program, /disconnect only the server.", to: id,
        &turn,
        &entropy)
    }
    guard let index = index(of: id) else { return }
    for effect in windows[index].program.end(at: turn.now, wall: turn.wall, entropy: &entropy) {
      if case .quit = effect { continue }
      turn.effects.append(.window(id, effect))
    }
    turn.effects.append(.closed(id))
    if index == current {
      let back = previous.flatMap { self.index(of: $0) } ?? (index > 0 ? index - 1 : 1)
      show(back)
    }
    let inFront = currentWindow
    tally.unread -= announced(index)
    tally.active.remove(id)
    windows.remove(at: index)
    current = windows.firstIndex { $0.id == inFront } ?? 0
    if previous == id { previous = nil }
    if origin == id { origin = nil }
  }

  // MARK: - Showing

  /// Brings a window to the front.
  mutating func show(_ index: Int) {
    guard index != current, windows.indices.contains(index) else { return }
    let old = current
    previous = windows[old].id
    let before = windows[old].program
    windows[old].program.goBehind()
    current = index
    windows[index].program.width = width
    windows[index].program.height = height
    windows[index].program.comeToFront(insteadOf: before)
    count(old)
    count(index)
  }

  /// Wherever M-a came from, the person goes a way of their own now.
  mutating func showByHand(_ index: Int) {
    origin = nil
    show(index)
  }

  /// Mentions first, then messages, each in the order in which they came; then back to where the person was.
  private mutating func showNextActive() {
    let waiting = windows.indices.filter { $0 != current && announced($0) > 0 }
    let mentioned = waiting.filter { windows[$0].mentions > 0 }
    let next =
      mentioned.min { windows[$0].mentionedSince < windows[$1].mentionedSince }
      ?? waiting.min { windows[$0].unreadSince < windows[$1].unreadSince }
    if let next {
      if origin == nil { origin = currentWindow }
      show(next)
    } else if let back = origin.flatMap({ index(of: $0) }) {
      showByHand(back)
    }
  }

  private mutating func show(
    _ word: String, from id: WindowID, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    if let number = Int(word) {
      return obey(.showNumber(number), from: id, &turn, &entropy)
    }
    let name = (word.hasPrefix("#") ? String(word.dropFirst()) : word).lowercased()
    let names = windows.map { $0.program.roomName.lowercased() }
    // The next one from here on, so that saying it again goes on.
    let order = windows.indices.map { (current + 1 + $0) % windows.count }
    let found =
      order.first { names[$0] == name } ?? order.first { names[$0].hasPrefix(name) }
      ?? order.first { names[$0].contains(name) || windows[$0].shownServer.contains(name) }
    guard let found else {
      let shown = UntrustedText(word).safe(for: .line, limit: 40)
      return note(
        "No window is called “\(shown)”: /list shows those there are, /join opens one.", to: id,
        &turn,
        &entropy)
    }
    showByHand(found)
  }

  // MARK: - Words

  /// Such as "2 #dev on chat.example: online, 3 new, 1 to you".
  private func line(of index: Int) -> String {
    let window = windows[index]
    let state =
      switch window.program.room.connection {
      case .online: "online"
      case .connecting(let connecting):
        if case .waiting = connecting.phase { "lost, waits to try again" } else { "connecting" }
      case .offline(.refused): "refused"
      case .offline(.gaveUp): "gave up"
      case .offline: "off line"
      }
    var words = ["\(index + 1) #\(window.program.roomName) on \(window.shownServer): \(state)"]
    if index == current { words.append("here") }
    if window.unread > 0 { words.append("\(window.unread) new") }
    if window.mentions > 0 { words.append("\(window.mentions) to you") }
    if window.program.hasDraft { words.append("a draft") }
    if window.isMuted { words.append("muted") }
    return words.joined(separator: ", ")
  }

  private mutating func note(
    _ sentence: String, to id: WindowID, isError: Bool = true, _ turn: inout WorkspaceTurn,
    _ entropy: inout Entropy
  ) {
    guard let index = index(of: id) else { return }
    feed(.notice(UntrustedText(sentence), isError: isError), to: index, &turn, &entropy)
  }

  /// The windows as the screen lists them.
  var list: WindowList {
    let isOneServer = windows.allSatisfy { $0.server == windows[0].server }
    let active = tally.active.count > 300 ? Set(tally.active.prefix(300)) : tally.active
    return WindowList(
      count: windows.count, current: current,
      active: active.isEmpty
        ? [] : windows.indices.filter { active.contains(windows[$0].id) }
    ) { [windows] index in
      let window = windows[index]
      return WindowTag(
        number: index + 1, room: window.program.roomName,
        server: isOneServer ? nil : window.shownServer,
        connection: window.program.room.connection, unread: window.unread,
        mentions: window.mentions, isMuted: window.isMuted, hasDraft: window.program.hasDraft)
    }
  }
}
