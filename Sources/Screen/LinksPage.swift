package import Channel
package import Room
package import Text

/// Links with who wrote them.
package struct LinkList: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package var link: TextLink
    /// Made safe.
    package var author: String
  }

  /// Links that are listed at most, the newest.
  static let most = 500

  /// Made safe.
  package var title: String
  package var list: ChoiceList<Entry>

  /// The links of a room in memory, the newest first, each once.
  package init(of room: RoomModel) {
    var known: Set<String> = []
    var entries: [Entry] = []
    for entry in room.entries.reversed() where entries.count < Self.most {
      guard let message = entry.message else { continue }
      for one in Self.entries(of: message, room: room).reversed()
      where known.insert(one.link.text).inserted { entries.append(one) }
    }
    title = "Links of #" + UntrustedText(room.room).safe(for: .line, limit: 80)
    list = ChoiceList(Array(entries.prefix(Self.most)))
  }

  /// The links of a message, in their order.
  package init(of message: ChatMessage, in room: RoomModel) {
    title = "Links of this message"
    list = ChoiceList(Self.entries(of: message, room: room))
  }

  private static func entries(of message: ChatMessage, room: RoomModel) -> [Entry] {
    guard message.text.raw.utf8.contains(0x3A) else { return [] }
    let safe = message.text.safe(for: .block, limit: TimelineBlocks.mostCharacters)
    let author = message.author?.safe(for: .nick) ?? (message.isMine ? room.shownNick : "")
    return links(in: safe).map { Entry(link: $0, author: author) }
  }
}

struct LinksPage {
  let links: LinkList
  let theme: Theme

  func draw(on canvas: inout Canvas, rows: Range<Int>) {
    let list = links.list
    let page = ChoicePage(
      heading: links.title,
      position: list.items.isEmpty ? "0" : "\(list.chosen + 1)/\(list.items.count)",
      empty: "There is no link.", theme: theme)
    let shown = list.shown(rows: ChoicePage.rows(of: rows))
    let widest = shown.map { columns(of: list.items[$0].author) }.max() ?? 0
    let authorWidth = canvas.width < 40 ? 0 : min(widest, 16)
    page.draw(
      shown.map { index in
        let entry = list.items[index]
        var spans: [Span] = []
        if authorWidth > 0 {
          var style = theme["chat.text"]
          style.foreground = theme.color(ofNick: entry.author)
          spans.append(Span(column: 2, text: cut(entry.author, to: authorWidth), style: style))
        }
        let column = authorWidth > 0 ? authorWidth + 3 : 2
        // A host that may be taken for another one is shown for what it is.
        spans.append(
          Span(
            column: column,
            text: cut(
              honestLink(entry.link.text) ?? entry.link.text, to: canvas.width - column - 1),
            style: theme["chat.url"]))
        return ChoicePage.Row(spans: spans, isChosen: index == list.chosen)
      }, on: &canvas, in: rows)
  }
}
