import Channel
import Room
import Screen
import Text
import WebSocket

/// What only the machine knows of the candidates.
package enum CompletionQuery: Equatable, Sendable {
  case themes
  /// Names of servers in the configuration.
  case servers
  /// What a folder holds, as a path that a person types: "", "~/notes/".
  case folder(String)
}

/// One answer to a `CompletionQuery`.
package struct FoundName: Equatable, Sendable {
  package var name: String
  package var isFolder: Bool

  package init(_ name: String, isFolder: Bool = false) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// A query that waits for its answer; the line must not have changed meanwhile.
struct CompletionRequest: Equatable {
  var query: CompletionQuery
  var typed: String
  var start: Int
  var isBackward: Bool
  var editor: LineEditor
  /// What goes there beside the names.
  var words: [String] = []
  /// The path is typed where a file is asked for, not in the input.
  var isPrompt = false
}

extension Program {
  /// More are not of use to anybody.
  private static let mostCandidates = 20_000

  /// Completes what stands before the caret; pressed again, the next candidate takes its place. It only
  /// ever puts text into the line.
  mutating func complete(backward: Bool, _ turn: inout Turn) {
    if view.completion != nil { return stepCompletion(by: backward ? -1 : 1) }
    let before = Array(view.editor.text).prefix(view.editor.caret).map(\.self)
    switch CompletionPlace(before) {
    case .command(let typed):
      let found = SlashCommands.all.filter { $0.name.hasPrefix(typed) }.map {
        Candidate(
          "/\($0.name)" + ($0.argument == nil ? "" : " "), label: $0.usage, summary: $0.summary)
      }
      offer(found, from: 0, backward: backward)
    case .emoji(let typed, let start):
      let found = EmojiNames.matching(typed, most: 100).map {
        Candidate($0.emoji + " ", label: "\($0.emoji) :\($0.name):")
      }
      offer(found, from: start, backward: backward)
    case .argument(let kind, let words, let typed, let start):
      complete(kind, behind: words, typed: typed, from: start, backward: backward, &turn)
    case .text: completeName(before, backward: backward)
    }
  }

  mutating func stepCompletion(by distance: Int) {
    view.completion?.step(by: distance)
    if let completion = view.completion { view.editor = completion.completed }
  }

  private mutating func offer(_ candidates: [Candidate], from start: Int, backward: Bool) {
    let candidates = Array(candidates.prefix(Self.mostCandidates))
    guard
      let completion = Completion(
        candidates, in: view.editor, range: start..<view.editor.caret, backward: backward)
    else { return }
    view.editor = completion.completed
    view.completion = candidates.count > 1 ? completion : nil
  }

  // MARK: - Arguments

  private mutating func complete(
    _ kind: ArgumentKind, behind words: [String], typed: String, from start: Int, backward: Bool,
    _ turn: inout Turn
  ) {
    let found: [Candidate]
    switch kind {
    case .theme:
      return ask(
        .themes, typed: typed, from: start, backward: backward, beside: Self.themeVerbs, &turn)
    case .server: return ask(.servers, typed: typed, from: start, backward: backward, &turn)
    case .file:
      let path = PathArgument.read(typed)
      // "~" alone is the folder itself.
      let folder =
        path == "~" ? "" : path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      return ask(.folder(folder), typed: typed, from: start, backward: backward, &turn)
    case .command, .topic: found = topics
    case .room:
      let sign = typed.hasPrefix("#") ? "#" : ""
      found = rooms.map { Candidate(sign + $0 + " ", label: "#" + safe($0)) }
    case .nick: found = nicks.map { Candidate($0 + " ", label: safe($0)) }
    case .setting:
      found = SettingTable.all.map {
        Candidate(
          $0.name + " ", label: $0.name, summary: "\($0.read(view.settings)): \($0.summary)")
      }
    case .value:
      let setting = words.first.flatMap { SettingTable.setting(named: $0.lowercased()) }
      if setting?.isTheme == true {
        return ask(.themes, typed: typed, from: start, backward: backward, &turn)
      }
      found = setting.map(values) ?? []
    case .action:
      found = KeyAction.all.map {
        Candidate($0.name, label: $0.name, summary: KeyTable.summary(of: $0))
      }
    case .words(let words): found = words.map { Candidate($0, label: $0) }
    case .key, .text: found = []
    }
    offer(found.filter { begins($0.text, with: typed) }, from: start, backward: backward)
  }

  /// What a setting may be, or where that is without end, what it is and what it was in the beginning.
  private func values(of setting: Setting) -> [Candidate] {
    let now = setting.read(view.settings)
    let usual = setting.read(Settings())
    return (setting.choices ?? (now == usual ? [now] : [now, usual])).map { value in
      let words = [value == now ? "as it is now" : nil, value == usual ? "the usual" : nil]
      return Candidate(
        value, label: value, summary: words.compactMap(\.self).joined(separator: ", "))
    }
  }

  /// What `/help` can be asked about.
  private var topics: [Candidate] {
    SlashCommands.all.map { Candidate($0.name, label: $0.name, summary: $0.summary) }
      + KeyTable.sections.map {
        Candidate($0.title.lowercased(), label: $0.title.lowercased(), summary: "keys")
      }
  }

  // MARK: - What the machine knows

  private mutating func ask(
    _ query: CompletionQuery, typed: String, from start: Int, backward: Bool,
    beside words: [String] = [], _ turn: inout Turn
  ) {
    completionRequest = CompletionRequest(
      query: query, typed: typed, start: start, isBackward: backward, editor: view.editor,
      words: words)
    turn.effects.append(.lookUp(query))
  }

  mutating func takeFound(_ names: [FoundName], for query: CompletionQuery) {
    guard let request = completionRequest, request.query == query else { return }
    if !request.isPrompt, request.editor != view.editor { return }
    completionRequest = nil
    if request.isPrompt { return takeFiles(names, for: request) }
    let found: [Candidate]
    switch query {
    case .themes:
      found = (names.map(\.name) + request.words).filter { begins($0, with: request.typed) }
        .map { Candidate($0, label: $0, summary: $0 == theme.name ? "as it is now" : "") }
    case .servers:
      found = names.map(\.name).filter { begins($0, with: request.typed) }
        .map { Candidate($0, label: $0) }
    case .folder(let folder):
      found = matching(names, in: folder, path: PathArgument.read(request.typed)) { name, path in
        PathArgument.write(path, isFolder: name.isFolder)
      }
    }
    offer(found, from: request.start, backward: request.isBackward)
  }

  /// What a folder holds that begins as the path does. Hidden names are for those who type the dot.
  func matching(
    _ names: [FoundName], in folder: String, path: String, written: (FoundName, String) -> String
  ) -> [Candidate] {
    let word = path == "~" ? "~" : String(path.dropFirst(folder.count))
    let found = names.filter {
      $0.name.hasPrefix(word) && (word.hasPrefix(".") || !$0.name.hasPrefix("."))
    }
    return found.prefix(Self.mostCandidates).map { name in
      let end = name.isFolder ? "/" : ""
      return Candidate(written(name, folder + name.name + end), label: safe(name.name) + end)
    }
  }

  // MARK: - Names

  /// A name in a message. It may hold blanks: as much of the text as can be is taken for its beginning.
  private mutating func completeName(_ before: [Character], backward: Bool) {
    let nicks = self.nicks
    let first = max(0, before.count - SlashCommand.longestNick * 2)
    for start in first..<max(first, before.count) {
      guard start == 0 || before[start - 1].isWhitespace, !before[start].isWhitespace else {
        continue
      }
      let isAddressed = before[start] == "@"
      let typed = String(before[(isAddressed ? start + 1 : start)...])
      guard !typed.isEmpty else { continue }
      let found = nicks.filter { begins($0, with: typed) }
      guard !found.isEmpty else { continue }
      let tail = start == 0 && !isAddressed ? ": " : " "
      offer(
        found.map { nick in
          // A name must not become a command.
          let head = isAddressed ? "@" : start == 0 && nick.hasPrefix("/") ? "/" : ""
          return Candidate(head + nick + tail, label: nick)
        }, from: start, backward: backward)
      return
    }
  }

  /// Without regard to case, by way of the upper case, so that "ß" meets "SS" and a final sigma its like.
  private func begins(_ name: String, with typed: String) -> Bool {
    name.uppercased().lowercased().hasPrefix(typed.uppercased().lowercased())
  }

  private func safe(_ name: String) -> String { UntrustedText(name).safe(for: .line, limit: 80) }

  private var rooms: [String] {
    var seen: Set<String> = []
    return ([room.room] + openRooms).filter { seen.insert($0).inserted }
  }

  /// Whoever spoke last comes first, then the other members; not oneself.
  private var nicks: [String] {
    var seen: Set<String> = [room.nick]
    var result: [String] = []
    func add(_ name: UntrustedText) {
      let name = name.safe(for: .nick)
      if !name.isEmpty, seen.insert(name).inserted { result.append(name) }
    }
    for entry in room.entries.suffix(500).reversed() {
      if case .message(let message) = entry.kind, !message.isMine, let author = message.author {
        add(author)
      }
    }
    for member in room.members.prefix(1_000) { add(member) }
    return result
  }
}
