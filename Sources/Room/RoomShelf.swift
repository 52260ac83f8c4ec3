/// What is kept of rooms that were left: coming back finds what was said there, as the session reports a
/// message only once, and the posts that failed there.
struct RoomShelf: Equatable, Sendable {
  struct Kept: Equatable, Sendable {
    var timeline: Timeline
    var outbox: Outbox
    var own: OwnPosts
    var heard: Int
    var keeping: RoomKeeping
  }

  /// Rooms, and entries in each.
  static let mostRooms = 16
  static let mostEntries = 2_000

  private(set) var rooms: [String: Kept] = [:]
  /// The one left last at the end.
  private var order: [String] = []

  /// Posts in rooms that were left, in none of which anything is under way.
  var posts: Int { rooms.values.reduce(0) { $0 + $1.outbox.count } }

  mutating func put(_ room: Kept, named name: String) {
    var room = room
    room.timeline.keepLast(Self.mostEntries)
    rooms[name] = room
    order.removeAll { $0 == name }
    order.append(name)
    guard order.count > Self.mostRooms else { return }
    // Rather an old conversation goes than something that was typed.
    let victim = order.firstIndex { rooms[$0]?.outbox.isEmpty ?? true } ?? 0
    rooms[order.remove(at: victim)] = nil
  }

  mutating func take(named name: String) -> Kept? {
    order.removeAll { $0 == name }
    return rooms.removeValue(forKey: name)
  }
}
