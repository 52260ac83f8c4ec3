import Room
import Text

/// The terminal's title: the room and how many messages of others came while nobody looked.
struct TitleState {
  private(set) var room: String?
  private var shown: String?
  /// Of `RoomModel.heard`, when the person last saw the end.
  private var heardWhenRead = 0

  mutating func enter(_ room: RoomModel) {
    self.room = room.room
    heardWhenRead = room.heard
  }

  /// The title where it is another one than before, made safe. Above 99 it stands still, so that a flood does
  /// not write a title for every message.
  mutating func changed(by room: RoomModel, isRead: Bool) -> String? {
    if self.room != room.room { enter(room) }
    if isRead { heardWhenRead = room.heard }
    let unread = room.heard - heardWhenRead
    let count = unread <= 0 ? "" : unread > 99 ? " (99+)" : " (\(unread))"
    let title = UntrustedText("#\(room.room)\(count) - parlour").safe(for: .title, limit: 200)
    guard title != shown else { return nil }
    shown = title
    return title
  }
}
