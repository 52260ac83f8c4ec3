import Channel
import Room
import Testing
import Text

@testable import Screen

@Suite struct UnreadTests {
  @Test func whatComesWhileOneLooksIsRead() {
    var room = Fixture.lobby
    var view = ViewState()
    view.markRead(in: room)
    room.say("ko", "hi", at: Fixture.time(9, 30))
    view.markRead(in: room)
    #expect(room.unread(in: view) == nil)
    #expect(view.readUpTo == 8)
  }

  @Test func theRuleStaysWhenOneComesBackAndGoesWithTheOwnMessage() {
    var room = Fixture.lobby
    var view = ViewState()
    view.markRead(in: room)
    view.isFocused = false
    view.markRead(in: room)
    room.note("joins do not count", at: Fixture.time(9, 30))
    room.say("ko", "hi you", at: Fixture.time(9, 30))
    room.say("ko", "still there?", at: Fixture.time(9, 31))
    view.markRead(in: room)
    let unread = TimelineBlocks.Unread(index: 9, count: 2, mentions: 1)
    #expect(room.unread(in: view) == unread)
    view.isFocused = true
    view.markRead(in: room)
    #expect(room.unread(in: view) == unread)
    room.say("ko", "read at once", at: Fixture.time(9, 32))
    view.markRead(in: room)
    #expect(room.unread(in: view) == unread)
    room.say("you", "yes", at: Fixture.time(9, 33))
    view.markRead(in: room)
    #expect(room.unread(in: view) == nil)
  }

  @Test func goingAwayAgainBeginsAnew() {
    var room = Fixture.lobby
    var view = ViewState()
    view.markRead(in: room)
    for index in [8, 9] {
      view.isFocused = false
      view.markRead(in: room)
      room.say("ko", "hi", at: Fixture.time(9, 30))
      view.markRead(in: room)
      #expect(room.unread(in: view)?.index == index)
      #expect(room.unread(in: view)?.count == 1)
      view.isFocused = true
      view.markRead(in: room)
    }
    view.isFocused = false
    view.markRead(in: room)
    view.isFocused = true
    view.markRead(in: room)
    #expect(room.unread(in: view) == nil)
  }
}
