import Room
import Text

/// The terminal's title: the room and how many messages of others came while nobody looked.
struct TitleState {
  /// Said in windows that are not on the screen, muted ones left out.
  var elsewhere = 0
  private var shown: String?
  /// Of `RoomModel.heard` and `heardMentions`, when the person last saw the end.
  private var heardWhenRead = 0
  private var mentionsWhenRead = 0

  mutating func read(_ room: RoomModel) {
    heardWhenRead = room.heard
    mentionsWhenRead = room.heardMentions
  }

  func unread(in room: RoomModel) -> Int { max(0, room.heard - heardWhenRead) }
  func mentions(in room: RoomModel) -> Int { max(0, room.heardMentions - mentionsWhenRead) }

  /// Another window may have set another title meanwhile.
  mutating func forgetShown() {
    shown = nil
  }

  /// The title where it is another one than before, made safe. Above 99 it stands still, so that a flood does
  /// not write a title for every message.
  mutating func changed(by room: RoomModel, isMuted: Bool) -> String? {
    let unread = (isMuted ? 0 : unread(in: room)) + elsewhere
    let count = unread <= 0 ? "" : unread > 99 ? " (99+)" : " (\(unread))"
    let title = UntrustedText("#\(room.room)\(count) - parlour").safe(for: .title, limit: 200)
    guard title != shown else { return nil }
    shown = title
    return title
  }
}
