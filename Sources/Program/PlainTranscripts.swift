import Channel
package import Screen
import WebSocket

/// What the windows say, for a program that only writes. Where there are several, lines carry the room's name.
package struct PlainTranscripts {
  private var transcripts: [WindowID: PlainTranscript]
  private var shown: WindowID
  private var fresh: Set<WindowID>

  package init(first: WindowID) {
    transcripts = [first: PlainTranscript()]
    shown = first
    fresh = [first]
  }

  /// Something may be new in these.
  package mutating func changed(_ ids: Set<WindowID>) { fresh.formUnion(ids) }

  /// What is new.
  package mutating func lines(of workspace: inout Workspace, clock: Clock) -> [String] {
    let inFront = workspace.currentWindow
    var ids = fresh
    // Attempts and pauses are told without anybody's doing.
    ids.insert(inFront)
    fresh = []
    var lines: [String] = []
    if inFront != shown {
      shown = inFront
      lines.append("* you are in \(workspace.label(of: inFront)) now")
    }
    for id in workspace.ids where ids.contains(id) {
      var transcript = transcripts[id] ?? PlainTranscript(saysRoom: false)
      let own = workspace.plainLines(of: id, &transcript, clock: clock)
      transcripts[id] = transcript
      guard workspace.ids.count > 1 else {
        lines += own
        continue
      }
      let label = workspace.label(of: id)
      // Further lines of a message are set in already.
      lines += own.map { $0.hasPrefix("  ") ? $0 : "\(label) \($0)" }
    }
    if transcripts.count > workspace.ids.count {
      let open = Set(workspace.ids)
      transcripts = transcripts.filter { open.contains($0.key) }
    }
    return lines
  }
}

extension Workspace {
  /// Something that was entered is still on its way, in any window.
  package var isBusy: Bool { windows.contains { $0.program.isBusy } }

  /// What is typed and not entered yet.
  package var typed: String { windows[current].program.typed }

  /// Such as "#dev", or "#dev@chat.example" where windows of several servers are open; made safe.
  func label(of id: WindowID) -> String {
    guard let index = index(of: id) else { return "" }
    return list.tag(index).label
  }

  mutating func plainLines(
    of id: WindowID, _ transcript: inout PlainTranscript, clock: Clock
  ) -> [String] {
    guard let index = index(of: id) else { return [] }
    return windows[index].program.plainLines(&transcript, clock: clock)
  }
}
