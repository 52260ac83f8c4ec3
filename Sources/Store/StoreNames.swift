/// Ids that a server gave out anew: the room, which may not have read the message that had the id before, goes on to call
/// the new one by it.
extension Store {
  struct MessageName: Hashable {
    var room: Int64
    var id: String
  }

  private static let mostNames = 100_000

  /// The message that the program calls by an id stands here under this one.
  func note(_ name: String, insteadOf id: String, in room: Int64) {
    guard name != id else {
      if !names.isEmpty { names[MessageName(room: room, id: id)] = nil }
      return
    }
    if names.count >= Self.mostNames { names = [:] }
    names[MessageName(room: room, id: id)] = name
  }

  /// The id here of the message that the program calls by that id.
  func name(of id: String, in room: Int64) -> String {
    names.isEmpty ? id : names[MessageName(room: room, id: id)] ?? id
  }
}
