import Channel
import Text

/// Who is in the room.
extension RoomModel {
  /// More names are not told at once.
  private static let mostTold = 300

  /// By name, without regard to case.
  static func sorted(_ members: some Sequence<UntrustedText>) -> [UntrustedText] {
    // By way of the upper case, so that "ß" stands with "ss".
    members.map { (folded: $0.raw.uppercased().lowercased(), name: $0) }
      .sorted { ($0.folded, $0.name.raw) < ($1.folded, $1.name.raw) }
      .map(\.name)
  }

  /// What `/names` tells.
  var namesWords: String {
    guard !members.isEmpty else {
      if case .online = connection { return "The server does not say who is in #\(room)." }
      return "Who is in #\(room) is known on line only: /connect opens the line."
    }
    let names = members.prefix(Self.mostTold).map { member in
      member.safe(for: .nick) + (member.raw == nick ? " (you)" : "")
    }
    let rest = members.count - names.count
    let more = rest > 0 ? ", and \(rest) more" : ""
    return "\(members.count) here: \(names.joined(separator: ", "))\(more)"
  }
}
