import Channel
package import Room
import Text

/// What lies over the screen as lines, for a program that only writes: each a line of its own, without any drawing.
package struct PlainPage {
  let room: RoomModel
  let view: ViewState
  let facts: LineFacts?
  let clock: Clock
  private let layout: PlainLayout

  /// `facts` are there where a page about the line is open.
  package init(_ room: RoomModel, _ view: ViewState, facts: LineFacts?, clock: Clock) {
    self.room = room
    self.view = view
    self.facts = facts
    self.clock = clock
    var layout = PlainLayout()
    layout.isolates = view.settings.isolatesText
    self.layout = layout
  }

  package var lines: [String] {
    switch view.overlay {
    case nil: return []
    case .help, .bindings, .settings:
      let help = HelpPage(view, theme: .fallback)?.plainLines ?? []
      return help.isEmpty ? ["* Nothing in the help speaks of that."] : help
    case .themes: return ["* Colours are not shown here."]
    case .connection: return connection
    case .frames(let frames):
      return FramesPage(facts: facts ?? LineFacts(), view: frames, theme: .fallback, clock: clock)
        .plainLines
    case .results(let results): return lines(of: results)
    case .links(let links):
      return ["* \(links.title): \(links.list.items.count)"]
        + links.list.items.map { entry in
          let author = entry.author.isEmpty ? "" : layout.name(entry.author) + ": "
          return "* \(author)\(honestLink(entry.link.text) ?? entry.link.text)"
        }
    case .details(let details):
      return details.lines.map { $0.name.isEmpty ? "* \($0.value)" : "* \($0.name): \($0.value)" }
    }
  }

  private var connection: [String] {
    var settings = view.settings
    settings.showsSparkline = false
    let page = ConnectionPage(
      room: room, facts: facts ?? LineFacts(), settings: settings, theme: .fallback, clock: clock,
      // Nothing is wrapped.
      width: 1_000, drawsStrip: false)
    return
      (["* Connection to \(UntrustedText(room.server).safe(for: .line, limit: 200))"]
      + page.lines().map { row in
        let spans = row.spans.sorted { $0.column < $1.column }
        // The first row is a sentence in two styles.
        let isOne = spans.count == 2 && spans[1].column == columns(of: spans[0].text)
        return "* " + spans.map(\.text).joined(separator: isOne ? "" : ": ")
      }).filter { $0 != "* " }
  }

  private func lines(of results: SearchResults) -> [String] {
    let words = UntrustedText(results.text).safe(for: .line, limit: 60)
    let scope = results.room.map { "#" + UntrustedText($0).safe(for: .line, limit: 40) }
    let count = results.list.items.count
    guard count > 0 else {
      let hint = scope == nil ? "" : "; /search -a \(words) looks in all rooms"
      return ["* Nothing that is kept holds “\(words)”\(hint)."]
    }
    return ["* \(count) found for “\(words)” in \(scope ?? "all rooms"), the newest first"]
      + results.list.items.map { line(of: $0, saysRoom: results.room == nil) }
  }

  private func line(of found: FoundMessage, saysRoom: Bool) -> String {
    let time = LocalTime(found.kept.time, offset: clock.offset)
    var words = "* \(time.shortDate) \(time.clock) "
    if saysRoom {
      words += "#" + layout.name(UntrustedText(found.room).safe(for: .line, limit: 40)) + " "
    }
    let author = found.kept.message.author?.safe(for: .nick) ?? ""
    if !author.isEmpty { words += layout.name(author) + ": " }
    let text = found.kept.message.text.safe(for: .line, limit: 500)
    return words + layout.name(hidingSpoilers(of: text) { "[spoiler: \($0) characters]" })
  }
}
