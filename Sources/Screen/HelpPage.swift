import Room
import Text

/// The help over the whole screen, made of the table that drives the keys.
struct HelpPage {
  struct Section {
    var title: String
    var entries: [(keys: String, does: String)]
  }

  let sections: [Section]
  let topic: String?
  let scroll: Int
  let theme: Theme
  /// Said of the page where it is about something else than keys.
  let heading: String?

  init(
    sections: [Section], topic: String?, scroll: Int, theme: Theme, heading: String? = nil
  ) {
    self.sections = sections
    self.topic = topic
    self.scroll = scroll
    self.theme = theme
    self.heading = heading
  }

  /// The page that lies over the room, if one does.
  init?(_ view: ViewState, theme: Theme) {
    switch view.overlay {
    case .help(let topic, let scroll):
      self.init(
        sections: Self.sections(view.keys), topic: topic, scroll: scroll, theme: theme)
    case .bindings(let scroll):
      self.init(sections: Self.bindings(view.keys), topic: nil, scroll: scroll, theme: theme)
    case .settings(let group, let scroll):
      self.init(
        sections: Self.settings(view.settings, group: group), topic: nil, scroll: scroll,
        theme: theme, heading: "Settings")
    case .connection, .frames, .results, .links, .details, .themes, nil: return nil
    }
  }

  func draw(on canvas: inout Canvas, rows: Range<Int>) {
    OverlayPage(title: title, lines: lines(width: canvas.width), scroll: scroll, theme: theme)
      .draw(on: &canvas, rows: rows)
  }

  /// Where the last page begins.
  func lastScroll(width: Int, rows: Int) -> Int {
    OverlayPage.lastScroll(of: lines(width: width), rows: rows)
  }

  private var title: String {
    heading ?? topic.map { "Help ─ " + UntrustedText($0).safe(for: .line, limit: 40) }
      ?? "Help ─ keys and commands"
  }

  private func lines(width: Int) -> [TimelineRow] {
    let found = matching
    guard !found.isEmpty else {
      let words = UntrustedText(topic ?? "").safe(for: .line, limit: 40)
      return wrap("Nothing in the help speaks of “\(words)”. /help shows all of it.", width: width)
        .rows.map { TimelineRow(spans: [Span(column: 0, text: $0, style: theme["help.text"])]) }
    }
    let widest = found.flatMap(\.entries).map { columns(of: $0.keys) }.max() ?? 0
    let keyWidth = min(widest, max(4, width / 3))
    let isNarrow = width < 30
    let column = isNarrow ? min(2, width / 4) : keyWidth + 4
    var lines: [TimelineRow] = []
    if topic == nil, heading == nil {
      lines = wrap(KeyTable.notation, width: width).rows.map {
        TimelineRow(spans: [Span(column: 0, text: $0, style: theme["help.text"])])
      }
    }
    for section in found {
      if !lines.isEmpty { lines.append(TimelineRow(spans: [])) }
      lines.append(
        TimelineRow(spans: [Span(column: 0, text: section.title, style: theme["help.title"])]))
      for entry in section.entries {
        let keys = Span(
          column: isNarrow ? 0 : 2, text: entry.keys, style: theme["help.key"])
        let isLong = isNarrow || columns(of: entry.keys) > keyWidth
        if isLong { lines.append(TimelineRow(spans: [keys])) }
        for (index, text) in wrap(entry.does, width: width - column).rows.enumerated() {
          let words = Span(column: column, text: text, style: theme["help.text"])
          lines.append(TimelineRow(spans: index == 0 && !isLong ? [keys, words] : [words]))
        }
      }
    }
    return lines
  }

  /// A line for each entry, its keys first.
  var plainLines: [String] {
    matching.flatMap { section in
      ["\(section.title):"] + section.entries.map { "  \($0.keys): \($0.does)" }
    }
  }

  /// All of a section where its title speaks of the topic, else the entries that do.
  private var matching: [Section] {
    guard let topic = topic?.lowercased(), !topic.isEmpty else { return sections }
    return sections.compactMap { section in
      if contains(section.title, topic) { return section }
      let entries = section.entries.filter { contains($0.keys, topic) || contains($0.does, topic) }
      return entries.isEmpty ? nil : Section(title: section.title, entries: entries)
    }
  }

  private func contains(_ text: String, _ topic: String) -> Bool {
    let text = Array(text.lowercased())
    let topic = Array(topic)
    guard topic.count <= text.count else { return false }
    return (0...text.count - topic.count).contains {
      text[$0..<$0 + topic.count].elementsEqual(topic)
    }
  }

  /// What can be typed after a slash, then the keys as they are bound.
  static func sections(_ keys: KeyMap) -> [Section] {
    [Section(title: "Commands", entries: SlashCommands.all.map { ($0.usage, $0.summary) })]
      + KeyTable.sections.map { section in
        Section(
          title: section.title,
          entries: section.rows.filter(\.isListed).map { (keys.words(for: $0), $0.does) })
      }
  }

  /// The keys with the names of what they do, which is what they are bound by.
  static func bindings(_ keys: KeyMap) -> [Section] {
    KeyTable.sections.map { section in
      Section(
        title: section.title,
        entries: section.rows.compactMap { row in
          row.action.map { (keys.words(for: row), "\($0.name): \(row.does)") }
        })
    }
  }
}

extension KeyMap {
  /// The keys of a row as they are bound now.
  package func words(for row: KeyRow) -> String {
    guard let action = row.action else { return row.keys.joined(separator: ", ") }
    let bound = keys(of: action)
    return bound.isEmpty ? "(no key)" : bound.joined(separator: ", ")
  }
}
