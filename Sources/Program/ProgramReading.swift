import Channel
import Room
import Screen
import Text
import WebSocket

/// Keys of what one reads with: the search in the transcript, jumps, lists over the screen.
extension Program {
  /// True where the key was for them.
  mutating func pressInReading(
    _ key: Key, _ turn: inout Turn, _ entropy: inout Entropy
  ) -> Bool {
    switch view.overlay {
    case .results(let results): pressInResults(results, key, &turn, &entropy)
    case .links(let links): pressInLinks(links, key, &turn, &entropy)
    case .details(let details): pressInDetails(details, key, &turn)
    case .help, .bindings, .settings, .connection, .frames, .themes: return false
    case nil:
      if view.search != nil {
        pressInSearch(key, &turn, &entropy)
      } else if view.selection != nil {
        pressInSelection(key, &turn, &entropy)
      } else if key == .escape, view.compose != nil {
        endComposing()
      } else if key == .escape, view.found != nil {
        view.found = nil
      } else {
        return false
      }
    }
    return true
  }

  mutating func searchTranscript() {
    view.search = TranscriptSearch(from: view.anchor)
  }

  mutating func goToFirstUnread() {
    if let serial = view.firstUnread(in: room) { reveal(serial) }
  }

  mutating func goToMention(older: Bool) {
    let edge = view.found?.serial ?? view.anchor?.serial
    guard let entry = room.mention(older: older, than: edge) else { return }
    view.found = TextFinder(words: [room.nick]).map { FoundText(finder: $0, serial: entry.serial) }
    reveal(entry.serial)
  }

  // MARK: - The search in the transcript

  private mutating func pressInSearch(
    _ key: Key, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard var search = view.search else { return }
    switch key {
    case .escape, .control("c"):
      view.search = nil
      view.anchor = search.origin
    case .enter:
      view.found = search.found?.serial == nil ? nil : search.found
      view.search = nil
    case .up, .control("r"), .control("p"): step(&search, by: 1)
    case .down, .control("s"), .control("n"): step(&search, by: -1)
    case _ where view.keys.binds(key, to: .searchTranscript): step(&search, by: 1)
    case .alt("c"): search.toggleCase(in: room)
    case .alt("r"): search.togglePattern(in: room)
    case .control("g"):
      let text = search.editor.text
      guard !text.isEmpty else { return }
      view.search = nil
      view.anchor = search.origin
      return self.search(text, everywhere: true, &turn, &entropy)
    case .pageUp: scroll(byRows: view.pageRows(width: width, height: height))
    case .pageDown: scroll(byRows: -view.pageRows(width: width, height: height))
    case .wheelUp: scroll(byRows: 3)
    case .wheelDown: scroll(byRows: -3)
    case .altEnter, .control("j"), .tab, .backTab: break
    default:
      let before = search.editor.text
      _ = search.editor.handle(key)
      if search.editor.text != before { search.restart(in: room) }
    }
    if view.search != nil { view.search = search }
  }

  private mutating func step(_ search: inout TranscriptSearch, by count: Int) {
    search.step(by: count)
    if let serial = search.found?.serial { reveal(serial) }
  }

  /// Looks at the next piece of the transcript, where a search has not come to its end.
  mutating func searchOn() {
    guard var search = view.search, search.isScanning else { return }
    let before = search.found?.serial
    search.advance(in: room)
    view.search = search
    if let serial = search.found?.serial, serial != before { reveal(serial) }
  }

  var searchDue: Instant? { view.search?.isScanning == true ? lastInput : nil }

  // MARK: - Lists over the screen

  private mutating func pressInResults(
    _ results: SearchResults, _ key: Key, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    var results = results
    if key == .enter {
      view.overlay = nil
      guard let found = results.list.choice else { return }
      return go(to: found, words: results.text, &turn)
    }
    if key.isLeaving {
      view.overlay = nil
    } else if move(&results.list, key) {
      view.overlay = .results(results)
    }
  }

  private mutating func pressInLinks(
    _ links: LinkList, _ key: Key, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    var links = links
    switch key {
    case .enter, .character("o"):
      view.overlay = nil
      guard let entry = links.list.choice else { return }
      browse(entry.link, &turn, &entropy)
    case .character("c"):
      guard let entry = links.list.choice else { return }
      view.overlay = nil
      view.selection?.said = "copied the link"
      turn.effects.append(.copy(entry.link.text))
    default:
      if key.isLeaving {
        view.overlay = nil
      } else if move(&links.list, key) {
        view.overlay = .links(links)
      }
    }
  }

  private mutating func pressInDetails(
    _ details: MessageDetails, _ key: Key, _ turn: inout Turn
  ) {
    if key == .character("c") {
      let lines = details.lines.map { $0.name.isEmpty ? $0.value : "\($0.name): \($0.value)" }
      turn.effects.append(.copy(lines.joined(separator: "\n") + "\n"))
      view.selection?.said = "copied the details"
      view.overlay = nil
    } else if key.isLeaving || key == .enter || key == .character("i") {
      view.overlay = nil
    }
  }

  private func move<Item>(_ list: inout ChoiceList<Item>, _ key: Key) -> Bool {
    switch key {
    case .up, .wheelUp, .control("p"), .character("k"): list.move(by: -1)
    case .down, .wheelDown, .control("n"), .character("j"): list.move(by: 1)
    case .pageUp: list.move(by: 3 - max(4, height))
    case .pageDown, .character(" "): list.move(by: max(4, height) - 3)
    case .home, .alt("<"): list.move(by: -.max)
    case .end, .alt(">"): list.move(by: .max)
    default: return false
    }
    return true
  }

  mutating func showLinks(_ turn: inout Turn, _ entropy: inout Entropy) {
    view.overlay = .links(LinkList(of: room))
  }

  /// Only the web is opened: what else a scheme may start is not for a message to decide.
  mutating func browse(_ link: TextLink, _ turn: inout Turn, _ entropy: inout Entropy) {
    guard link.isWeb else {
      let sentence = "Only http and https links are opened, and \(link.text) is none: c copies it."
      return tell(.notice(UntrustedText(sentence), isError: true), &turn, &entropy)
    }
    turn.effects.append(.browse(link.text))
  }
}

extension Key {
  var isLeaving: Bool {
    switch self {
    case .escape, .control("c"), .control("g"), .character("q"), .character("Q"): true
    default: false
    }
  }
}
