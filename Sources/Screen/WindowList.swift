package import Channel

/// A window as the lists of windows show it.
package struct WindowTag: Equatable, Sendable {
  /// From 1.
  package var number: Int
  /// The room, as it came.
  package var room: String
  /// The server, as it may be shown, such as "chat.example"; where windows of several servers are open.
  package var server: String?
  package var connection: SessionState
  /// Messages of others that nobody has seen, and those of them that name the person.
  package var unread: Int
  package var mentions: Int
  package var isMuted: Bool
  package var hasDraft: Bool

  package init(
    number: Int, room: String, server: String? = nil, connection: SessionState, unread: Int = 0,
    mentions: Int = 0, isMuted: Bool = false, hasDraft: Bool = false
  ) {
    self.number = number
    self.room = room
    self.server = server
    self.connection = connection
    self.unread = unread
    self.mentions = mentions
    self.isMuted = isMuted
    self.hasDraft = hasDraft
  }
}

/// The windows that are open. Tags are made when they are asked for: only those on the screen cost anything.
package struct WindowList {
  package var count: Int
  /// The index of the window in front.
  package var current: Int
  /// Indices of windows in which something waits to be read, in ascending order, at most some hundred.
  package var active: [Int]
  package var tag: (Int) -> WindowTag

  package init(count: Int, current: Int, active: [Int], tag: @escaping (Int) -> WindowTag) {
    self.count = count
    self.current = current
    self.active = active
    self.tag = tag
  }
}
