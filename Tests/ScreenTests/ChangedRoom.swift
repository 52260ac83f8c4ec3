import Channel
import Room
import Text

@testable import Screen

/// The lobby with everything that can become of a message.
enum ChangedRoom {
  static func state(_ name: String) -> (RoomModel, ViewState) {
    var room = Fixture.lobby
    var entries = Array(room.entries.dropFirst())
    mark(&entries[0]) { $0.isDeleted = true }
    mark(&entries[1]) { marks in
      marks.isEdited = true
      marks.reactions = [
        Reaction(UntrustedText("👍"), count: 2, names: ["ko", "you"].map { UntrustedText($0) }),
        Reaction(UntrustedText("🎉"), count: 12),
        Reaction(UntrustedText("\u{1B}[2J"), count: 1),
      ]
    }
    let question = entries[2].message?.id
    mark(&entries[3]) { $0.replyTo = question }
    mark(&entries[4]) { marks in
      marks.replyTo = "long gone"
      marks.isEdited = true
    }
    let last = entries.count - 1
    let japanese = entries[4].message?.id
    mark(&entries[last]) { marks in
      marks.replyTo = japanese
      marks.reactions = (0..<30).map { Reaction(UntrustedText("e\($0)"), count: $0 + 1) }
    }
    room.entries = entries
    var view = ViewState()
    switch name {
    case "chosen":
      view.selection = MessageSelection(in: room, view: view)
      view.selection?.abilities = .all
    case "editing":
      let id = entries[3].message?.id ?? ""
      view.compose = Compose(ComposeTarget(.edit, id: id), in: room, draft: "a draft")
      view.editor.setText("on it ✓ (done)")
    case "answering":
      let id = entries[2].message?.id ?? ""
      view.compose = Compose(ComposeTarget(.reply, id: id), in: room, draft: "")
    default: break
    }
    return (room, view)
  }

  private static func mark(_ entry: inout TimelineEntry, _ body: (inout MessageMarks) -> Void) {
    guard var message = entry.message else { return }
    body(&message.marks)
    if message.isDeleted { message.text = UntrustedText("") }
    entry.kind = .message(message)
  }
}
