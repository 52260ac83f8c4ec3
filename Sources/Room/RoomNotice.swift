/// What is told of in a room while nobody looks, where the person wants something else there than elsewhere.
package enum RoomNotice: String, CaseIterable, Sendable {
  /// As `notice.when` says.
  case usual = "default"
  case all, mention
  /// Neither rings nor counts in the title: the room is muted.
  case never

  /// What holds from now on, in a sentence.
  func words(room: String) -> String {
    switch self {
    case .usual: "#\(room) tells of what notice.when says, like any room."
    case .all: "#\(room) tells of every message; /notify default makes it like any room."
    case .mention: "#\(room) tells of messages to you; /notify default makes it like any room."
    case .never: "#\(room) is muted: no bell, and not in the title; /unmute lets it ring again."
    }
  }
}
