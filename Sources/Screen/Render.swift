package import Channel
package import Room

/// The time of day and the calendar as the person has them.
package struct Clock: Sendable {
  package var now: Instant
  package var wall: Timestamp
  /// Seconds east of UTC at a moment.
  package var offset: @Sendable (Timestamp) -> Int

  package init(now: Instant, wall: Timestamp, offset: @escaping @Sendable (Timestamp) -> Int) {
    self.now = now
    self.wall = wall
    self.offset = offset
  }
}

/// The whole screen as a value. Work is in proportion to the rows that are shown.
package func render(
  _ room: RoomModel, _ view: ViewState, theme: Theme, clock: Clock, width: Int, height: Int
) -> Grid {
  fatalError("interface only")
}
