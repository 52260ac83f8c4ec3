import Channel
import Room
import Screen
import Text
import WebSocket

/// Reading in the past: the transcript in memory is a window over the one on disk, which moves with the person.
extension Program {
  // MARK: - What the disk gave

  mutating func extend(by messages: [KeptMessage], hasEarlier: Bool, in name: String) {
    history.isLoading = false
    guard name == room.room else { return }
    room.extend(by: messages, hasEarlier: hasEarlier)
  }

  mutating func fill(by messages: [KeptMessage], hasLater: Bool, in name: String) {
    history.isLoading = false
    guard name == room.room else { return }
    room.fill(by: messages, hasLater: hasLater)
  }

  /// A page that was gone to: the message that was meant is in sight.
  mutating func show(_ page: TranscriptPage, in name: String) {
    history.isLoading = false
    guard name == room.room, let target = page.target else { return }
    room.show(page)
    let id = page.messages.first { $0.place == target }?.message.id
    let serial = id.flatMap { room.entry(id: $0)?.serial } ?? room.serial(of: target)
    view.found?.serial = serial
    reveal(serial)
  }

  mutating func reveal(_ serial: Int) {
    if serial <= view.clearedUpTo { showCleared() }
    view.reveal(serial, in: room, width: width, height: height, offset: offset)
  }

  // MARK: - What is wanted of it

  /// Asks for what stands above, or below where something is missing there, while there is still something to
  /// scroll over.
  mutating func loadAhead(_ turn: inout Turn) {
    guard history.isOn else { return }
    room.holdPlace(view.anchor?.serial)
    guard !history.isLoading, let anchor = view.anchor else { return }
    let ahead = Self.entriesAhead(height: height)
    if let gap = room.gapIndex, let newest = room.newestBeforeGap,
      let edge = room.entries[..<gap].suffix(ahead).first, anchor.serial >= edge.serial
    {
      history.isLoading = true
      turn.effects.append(.loadLater(newest, room: room.room))
    } else if view.clearedUpTo < room.entries.first?.serial ?? .max,
      let oldest = room.oldestWithEarlier, let edge = room.entries.prefix(ahead).last,
      anchor.serial <= edge.serial
    {
      history.isLoading = true
      turn.effects.append(.loadEarlier(oldest, room: room.room))
    }
  }

  /// Behind the disk comes the server, where its profile knows how.
  mutating func askEarlier(_ turn: inout Turn, _ entropy: inout Entropy) {
    guard let anchor = view.anchor, view.clearedUpTo < room.entries.first?.serial ?? .max,
      let edge = room.entries.prefix(Self.entriesAhead(height: height)).last,
      anchor.serial <= edge.serial, session.knowsEarlier, !room.wantsMemory,
      let cursor = room.oldestCursor
    else { return }
    room.awaitEarlier()
    turn.actions += session.handle(.askEarlier(before: cursor), at: turn.now, entropy: &entropy)
  }

  private static func entriesAhead(height: Int) -> Int {
    max(50, height) * HistoryState.pagesAhead
  }

  /// Who goes back behind `/clear` sees again what stood there: it is not deleted.
  mutating func showCleared() { view.clearedUpTo = .min }

  mutating func goToOldest(_ turn: inout Turn) {
    showCleared()
    if history.isOn, view.clearedUpTo < room.entries.first?.serial ?? .max,
      room.oldestWithEarlier != nil
    {
      history.isLoading = true
      turn.effects.append(.loadPage(.oldest, room: room.room))
    }
    view.scrollToTop(in: room, width: width, height: height, offset: offset)
  }

  /// `/goto`: the first message of that moment or later.
  mutating func goTo(_ text: String, _ turn: inout Turn, _ entropy: inout Entropy) {
    guard let moment = moment(of: text, now: turn.wall, offset: offset) else {
      let sentence =
        "“\(text)” is no day or time: write /goto 2026-11-30, /goto 09:15, "
        + "/goto 2026-11-30 09:15, /goto yesterday or /goto 7d."
      return tell(.notice(UntrustedText(sentence), isError: true), &turn, &entropy)
    }
    showCleared()
    let start = room.gapIndex ?? 0
    let isKnownBefore =
      room.entries[start...].first.map { $0.time < moment } ?? false
      || room.gapIndex == nil && room.oldestWithEarlier == nil
    if isKnownBefore || !history.isOn {
      // What is said now has notices among it, whose times count as well.
      guard let entry = room.entries[start...].first(where: { $0.time >= moment }) else {
        return view.scrollToEnd()
      }
      reveal(entry.serial)
    } else {
      history.isLoading = true
      turn.effects.append(.loadPage(.moment(moment), room: room.room))
    }
  }

  // MARK: - Searching everything that is kept

  mutating func search(
    _ text: String, everywhere: Bool, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard history.isOn else {
      let sentence = "Nothing of this chat is kept on disk: ^F searches what is on the screen."
      return tell(.notice(UntrustedText(sentence), isError: true), &turn, &entropy)
    }
    turn.effects.append(.search(text, room: everywhere ? nil : room.room))
  }

  mutating func showResults(
    _ found: [FoundMessage], text: String, room name: String?
  ) {
    view.overlay = .results(SearchResults(text: text, room: name, found: found))
  }

  /// Goes to a message of this room; those of others are the workspace's.
  mutating func go(to found: FoundMessage, words: String, _ turn: inout Turn) {
    guard found.room == room.room else {
      turn.effects.append(.manage(.go(to: found, words: words)))
      return
    }
    let finder = TextFinder(words: words.split(whereSeparator: \.isWhitespace).map(String.init))
    view.found = finder.map { FoundText(finder: $0) }
    if !room.wantsMemory,
      let entry = room.entries.last(where: { $0.message?.id == found.kept.message.id })
    {
      view.found?.serial = entry.serial
      reveal(entry.serial)
    } else {
      history.isLoading = true
      turn.effects.append(
        .loadPage(
          .message(id: found.kept.message.id, place: found.kept.place), room: found.room))
    }
  }
}
