import Channel
package import Room
import Text

/// Another text for a message, or an answer to one, while it is written in the input.
package struct Compose: Equatable, Sendable {
  package let target: ComposeTarget
  /// Of the message's entry.
  package let serial: Int
  /// What was typed before, and is there again afterwards.
  package let draft: String
  /// Whose message it is, made safe.
  let name: String
  /// How it begins, made safe.
  package let beginning: String

  package init?(_ target: ComposeTarget, in room: RoomModel, draft: String) {
    guard let entry = room.entry(id: target.id), let message = entry.message else { return nil }
    self.target = target
    serial = entry.serial
    self.draft = draft
    name = room.shownName(of: message)
    beginning = RoomModel.beginning(of: message)
  }

  func prompt(_ size: ScreenLayout.Size) -> String {
    switch (target.kind, size) {
    case (_, .stub): "> "
    case (.edit, _): "edit> "
    case (.reply, .narrow): "re " + cut(name, to: 8) + "> "
    case (.reply, .normal): "re " + cut(name, to: 20) + "> "
    }
  }

  /// For a program that only writes.
  package var words: String {
    switch target.kind {
    case .edit: "you are changing “\(beginning)”: Enter sends it, an empty line leaves it as it was"
    case .reply: "you are answering \(name), “\(beginning)”: an empty line leaves it"
    }
  }
}

extension RoomModel {
  /// Whose message it is, made safe; never empty.
  func shownName(of message: ChatMessage) -> String {
    let name = message.author?.safe(for: .nick) ?? (message.isMine ? shownNick : "<")
    return name.isEmpty ? "?" : name
  }
}
