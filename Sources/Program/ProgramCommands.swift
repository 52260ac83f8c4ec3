import Channel
import Room
import Screen
import Text
import WebSocket

/// Between session and room: what one reports, the other hears, and what it wants, is done.
extension Program {
  /// Works off the session's actions in their order; new ones come behind those that are there.
  mutating func perform(_ turn: inout Turn, entropy: inout Entropy) {
    var index = 0
    while index < turn.actions.count {
      let action = turn.actions[index]
      index += 1
      if case .event(let event) = action {
        record.hear(event, at: turn.now)
        if isLogged { turn.effects.append(.log(event)) }
        tell(.channel(event), &turn, &entropy)
      } else if let effect = ProgramEffect(action) {
        if case .write(_, let bytes) = effect {
          record.sent.note(bytes: bytes.count, messages: session.frames.sent.messages, at: turn.now)
        }
        turn.effects.append(effect)
      }
    }
    turn.actions = []
  }

  mutating func tell(_ event: RoomEvent, _ turn: inout Turn, _ entropy: inout Entropy) {
    obey(handle(event, turn, &entropy), &turn, &entropy)
  }

  /// What the room wants after an event, for `obey`.
  mutating func handle(
    _ event: RoomEvent, _ turn: Turn, _ entropy: inout Entropy
  ) -> [RoomCommand] {
    room.handle(event, at: turn.now, wall: turn.wall) { makeNonce(&entropy) }
  }

  mutating func obey(
    _ commands: [RoomCommand], _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    for command in commands { obey(command, &turn, &entropy) }
  }

  private mutating func obey(
    _ command: RoomCommand, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    switch command {
    case .connect: pass(.connect, &turn, &entropy)
    case .disconnect: pass(.disconnect, &turn, &entropy)
    case .reconnect: pass(.reconnect, &turn, &entropy)
    case .post(let post): pass(.post(post), &turn, &entropy)
    case .change(let change): pass(.change(change), &turn, &entropy)
    case .compose(let target): compose(target)
    case .composeAgain(let target, let text, let nonce):
      composeAgain(target, text, nonce: nonce, &turn, &entropy)
    case .rename(let nick):
      pass(.rename(nick: nick), &turn, &entropy)
      turn.effects.append(.manage(.rename(nick: nick)))
    case .window(let command): turn.effects.append(.manage(command))
    case .setTheme(let word): chooseTheme(word, &turn, &entropy)
    case .setting(let name, let value): set(name, value, &turn, &entropy)
    case .saveSettings: saveSettings(&turn, &entropy)
    case .listThemes: turn.effects.append(.listThemes)
    case .showHelp(let topic): view.overlay = .help(topic: topic, scroll: 0)
    case .search(let text, let everywhere): search(text, everywhere: everywhere, &turn, &entropy)
    case .goTo(let text): goTo(text, &turn, &entropy)
    case .reveal(let number): revealSpoiler(number, &turn, &entropy)
    case .showLinks: showLinks(&turn, &entropy)
    case .forgetRoom: turn.effects.append(.forget(room: room.room))
    case .bind(let key, let action): bind(key, to: action, &turn, &entropy)
    case .unbind(let key): unbind(key, &turn, &entropy)
    case .showConnection: view.overlay = .connection(scroll: 0)
    case .showFrames(let text): view.overlay = .frames(FramesView(text: text ?? ""))
    case .clearScreen:
      view.clearedUpTo = room.lastSerial
      view.scrollToEnd()
    case .restoreInput(let text): view.editor.setText(text)
    case .bell: if !isMuted { turn.rings = true }
    case .quit: turn.isQuitting = true
    }
  }

  /// As in the window where it was entered, where it is told.
  mutating func rename(_ nick: String, _ turn: inout Turn, _ entropy: inout Entropy) {
    guard nick != room.nick else { return }
    room.nick = nick
    pass(.rename(nick: nick), &turn, &entropy)
  }

  /// Tells the others that the person writes, where they want that, once in a while.
  mutating func tellTyping(_ turn: inout Turn, _ entropy: inout Entropy) {
    let text = view.editor.text
    let isCommand = text.hasPrefix("/") && !text.hasPrefix("//")
    guard view.settings.sendsTyping, !text.isEmpty, !isCommand, case .online = room.connection
    else { return }
    if let typingTold, turn.now - typingTold < Typists.repeatDelay { return }
    typingTold = turn.now
    pass(.typing, &turn, &entropy)
  }

  private mutating func pass(
    _ input: SessionInput, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    turn.actions += session.handle(input, at: turn.now, entropy: &entropy)
  }
}

extension ProgramEffect {
  /// Nil for what the room is to hear.
  init?(_ action: SessionAction) {
    switch action {
    case .openLink(let link, let endpoint): self = .openLink(link, endpoint)
    case .write(let link, let bytes): self = .write(link, bytes)
    case .finishLink(let link): self = .finishLink(link)
    case .dropLink(let link): self = .dropLink(link)
    case .event: return nil
    }
  }
}
