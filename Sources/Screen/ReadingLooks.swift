import Room
import Text

/// What reading adds to the transcript as it is drawn: what is marked, chosen and shown.
struct ReadingLooks {
  let showsMarkup: Bool
  let emoji: EmojiPolicy
  let foldRows: Int
  let found: FoundText?
  let selected: MessageSelection.Target?
  let shown: Set<Int>

  init(_ view: ViewState) {
    showsMarkup = view.settings.showsMarkup
    emoji = view.settings.emoji
    foldRows = view.settings.foldRows
    found = view.search?.found ?? view.found
    selected = view.selection?.target ?? view.compose.map { .entry($0.serial) }
    shown = view.shown
  }

  /// A safe name as it is drawn.
  func name(_ nick: String) -> String {
    guard emoji == .text, !nick.utf8.allSatisfy({ $0 < 0x80 }) else { return nick }
    return clusters(of: nick, emoji: .text).map(\.text).joined()
  }

  /// Safe text with its looks. Plain text has none of its own, as it is in one style already.
  func looked(_ safe: String, of serial: Int, isPlain: Bool) -> LookedText {
    let safe = isPlain ? safe : withHonestHosts(safe)
    var text = LookedText(text: safe)
    let links = links(in: safe)
    for (index, link) in links.enumerated() {
      if let target = LinkTarget(link.text, id: "\(serial)-\(index)") {
        text.add(target, to: link.range)
      }
    }
    if !isPlain {
      for link in links { text.add(.link, to: link.range) }
      if showsMarkup {
        for mark in markup(of: safe, links: links) {
          if mark.kind == .spoiler, shown.contains(serial) { continue }
          text.add(TextLooks(mark.kind), to: mark.range)
        }
      }
    }
    if let found {
      let looks: TextLooks = found.serial == serial ? .currentMatch : .match
      for range in found.finder.ranges(in: safe, most: 200) { text.add(looks, to: range) }
    }
    return text
  }
}

extension TextLooks {
  init(_ kind: MarkedText.Kind) {
    switch kind {
    case .bold: self = .bold
    case .italic: self = .italic
    case .code: self = .code
    case .quote: self = .quote
    case .spoiler: self = .spoiler
    }
  }
}
