import Channel
import Room
import Screen
import Text
import WebSocket

/// One-letter actions on the message that was chosen with M-s.
extension Program {
  mutating func pressInSelection(_ key: Key, _ turn: inout Turn, _ entropy: inout Entropy) {
    if view.selection?.fileName != nil { return pressInFileName(key, &turn, &entropy) }
    if view.selection?.emoji != nil { return pressInEmoji(key, &turn, &entropy) }
    if view.selection?.isDeleting == true { return answerDeletion(key, &turn, &entropy) }
    // What the last key came to is read by now: the keys are offered again.
    view.selection?.said = nil
    switch key {
    case .up, .wheelUp, .control("p"), .character("k"): moveSelection(by: -1)
    case .down, .wheelDown, .control("n"), .character("j"): moveSelection(by: 1)
    case .pageUp: moveSelection(by: -10)
    case .pageDown: moveSelection(by: 10)
    case .escape, .control("c"), .control("g"): leaveSelection()
    case _ where view.keys.binds(key, to: .chooseMessage): leaveSelection()
    case .enter where view.selection?.target == .gap: readGap(&turn)
    case .enter: view.selection = nil
    case .character("c"): copy(&turn)
    case .character("q"): quote()
    case .character("r"):
      if selectedPost == nil { answerSelected() } else { resend(&turn, &entropy) }
    case .character("d"):
      if selectedPost == nil { askDeletion() } else { drop(&turn, &entropy) }
    case .character("e"): editSelected()
    case .character("+"): askEmoji()
    case .character("g"): goToAnswered()
    case .character("o"): openLink(&turn, &entropy)
    case .character("l"): listLinks()
    case .character("s"): askFileName()
    case .character("i") where selectedNotice == nil: showDetails()
    case .character("a"): showAll()
    case .function(1): view.overlay = .help(topic: "chosen message", scroll: 0)
    default: break
    }
  }

  mutating func chooseMessage() {
    beginSelection()
    revealSelection()
  }

  mutating func beginSelection() {
    noteAbilities()
    view.selection = MessageSelection(in: room, view: view)
    view.selection?.abilities = room.abilities
  }

  private mutating func leaveSelection() {
    if let origin = view.selection?.origin { view.anchor = origin } else { view.scrollToEnd() }
    view.selection = nil
  }

  private mutating func moveSelection(by count: Int) {
    view.selection?.move(by: count, in: room)
    revealSelection()
  }

  /// What keys act on is seen at another size too: the chosen message, or the match that the search stands at.
  mutating func keepInSight() {
    if view.selection != nil {
      revealSelection()
    } else if let serial = view.search?.found?.serial {
      reveal(serial)
    }
  }

  mutating func revealSelection() {
    switch view.selection?.target {
    case .entry(let serial): reveal(serial)
    case .post: view.scrollToEnd()
    case .gap: if let gap = room.gapIndex { reveal(room.entries[gap].serial) }
    case nil: break
    }
  }

  /// Asks for what stands behind the messages above the gap, although the person has not come near it.
  private mutating func readGap(_ turn: inout Turn) {
    guard history.isOn, let newest = room.newestBeforeGap, let gap = room.gapIndex else {
      return say("there is no gap any more")
    }
    // The gap may be gone when the messages are there.
    view.selection?.choose(.entry(room.entries[gap].serial))
    history.isLoading = true
    turn.effects.append(.loadLater(newest, room: room.room))
    say("what was said in between is being read")
  }

  var selectedMessage: ChatMessage? {
    guard case .entry(let serial) = view.selection?.target else { return nil }
    return room.entry(serial: serial)?.message
  }

  /// What the program said.
  private var selectedNotice: UntrustedText? {
    guard case .entry(let serial) = view.selection?.target,
      case .notice(let text, _)? = room.entry(serial: serial)?.kind
    else { return nil }
    return text
  }

  private var selectedPost: OutboxItem? {
    guard case .post(let nonce) = view.selection?.target else { return nil }
    return room.outbox.first { $0.post.nonce == nonce }
  }

  /// As it came, but for what a terminal or an editor that it is put into would obey.
  private var selectedText: String? {
    if selectedMessage?.isDeleted == true { return nil }
    let text =
      selectedMessage?.text ?? selectedNotice ?? selectedPost.map { UntrustedText($0.post.text) }
    return text?.safe(for: .plainOutput, limit: .max)
  }

  mutating func say(_ words: String) {
    view.selection?.said = words
  }

  private mutating func copy(_ turn: inout Turn) {
    guard let text = selectedText else { return say("this message is gone") }
    turn.effects.append(.copy(text))
    say("copied \(text.count) characters, if the terminal takes it (OSC 52)")
  }

  private mutating func quote() {
    guard let text = selectedText else { return say("this message is gone") }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(20)
    let quoted = lines.map { "> " + $0.prefix(500) }.joined(separator: "\n")
    view.selection = nil
    view.scrollToEnd()
    view.editor.setText(quoted + "\n" + view.editor.text)
  }

  private mutating func resend(_ turn: inout Turn, _ entropy: inout Entropy) {
    guard let item = selectedPost else {
      return say("only what failed or is not sure is sent again")
    }
    guard item.isStuck else { return say("it is not sure yet that it failed") }
    tell(.resend(nonce: item.post.nonce), &turn, &entropy)
    leaveGonePost()
  }

  private mutating func drop(_ turn: inout Turn, _ entropy: inout Entropy) {
    guard let item = selectedPost else { return say("only what has not arrived can be dropped") }
    guard item.state != .sending else { return say("it is on the line already") }
    tell(.drop(nonce: item.post.nonce), &turn, &entropy)
    leaveGonePost()
  }

  /// What was chosen has left the outbox.
  private mutating func leaveGonePost() {
    if selectedPost == nil { view.selection?.move(by: -1, in: room) }
    if selectedPost == nil, selectedMessage == nil { view.selection = nil }
  }

  private mutating func openLink(_ turn: inout Turn, _ entropy: inout Entropy) {
    guard let message = selectedMessage else { return say("there is no link in it") }
    let links = LinkList(of: message, in: room)
    switch links.list.items.count {
    case 0: say("there is no link in it")
    case 1:
      guard let entry = links.list.choice else { return }
      browse(entry.link, &turn, &entropy)
    default: view.overlay = .links(links)
    }
  }

  private mutating func listLinks() {
    let own = selectedMessage.map { LinkList(of: $0, in: room) }
    view.overlay = .links(own.flatMap { $0.list.items.isEmpty ? nil : $0 } ?? LinkList(of: room))
  }

  private mutating func showDetails() {
    if case .entry(let serial) = view.selection?.target, let entry = room.entry(serial: serial) {
      view.overlay = .details(MessageDetails(of: entry, in: room, offset: offset))
    } else if let item = selectedPost {
      view.overlay = .details(MessageDetails(of: item, offset: offset))
    }
  }

  /// All of a long message and what hides behind a spoiler, or back.
  private mutating func showAll() {
    guard case .entry(let serial) = view.selection?.target else { return }
    if view.shown.remove(serial) == nil { show(allOf: serial) }
    reveal(serial)
  }

  // MARK: - Saving

  private mutating func askFileName() {
    guard selectedText != nil else { return say("this message is gone") }
    var editor = LineEditor()
    let room = room.room.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? String(scalar) : "-"
    }.joined().prefix(40)
    editor.setText("parlour-\(room).txt")
    view.selection?.fileName = editor
  }

  private mutating func pressInFileName(
    _ key: Key, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard !pressInFilePrompt(key, &turn), var editor = view.selection?.fileName else { return }
    switch key {
    case .escape, .control("c"), .control("g"): view.selection?.fileName = nil
    case .enter:
      view.selection?.fileName = nil
      guard let text = selectedText, !editor.isEmpty else { return }
      turn.effects.append(
        .save(text.hasSuffix("\n") ? text : text + "\n", path: editor.text))
    case .up, .down, .altEnter, .control("j"): break
    default:
      _ = editor.handle(key)
      view.selection?.fileName = editor
    }
  }
}
