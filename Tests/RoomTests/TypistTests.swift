import Channel
import Room
import Testing
import Text

/// Who is writing something just now.
@Suite struct TypistTests {
  private static func told(_ names: [String], at seconds: Int = 0) -> RoomModel {
    var room = RoomModel(room: "lobby", nick: "ada", server: "ws://chat.example/")
    room.connection = .online(
      .init(since: Instant(), subprotocol: nil, dialect: .envelope, peer: "192.0.2.1:80"))
    for name in names { Self.tell(name, &room, at: seconds) }
    return room
  }

  private static func tell(_ name: String, _ room: inout RoomModel, at seconds: Int) {
    _ = room.handle(
      .channel(.typing(UntrustedText(name))), at: Instant(.seconds(seconds)),
      wall: Timestamp(milliseconds: 0)
    ) { "" }
  }

  private static func names(_ room: RoomModel) -> [String] { room.typists.names.map(\.raw) }

  @Test func aWordOfItCountsForSixSeconds() {
    var room = Self.told(["ko"])
    #expect(room.typists.due == Instant(.seconds(6)))
    Self.tell("mira", &room, at: 3)
    #expect(Self.names(room) == ["ko", "mira"])
    Self.tell("ko", &room, at: 5)
    room.typists.expire(at: Instant(.seconds(9)))
    #expect(Self.names(room) == ["ko"])
    room.typists.expire(at: Instant(.seconds(11)))
    #expect(Self.names(room).isEmpty && room.typists.due == nil)
  }

  @Test func whatWasWrittenEndsIt() {
    var room = Self.told(["ko", "mira"])
    let message = ChatMessage(id: "m1", author: UntrustedText("ko"), text: UntrustedText("done"))
    _ = room.handle(
      .channel(.messages([message], .live)), at: Instant(), wall: Timestamp(milliseconds: 0)
    ) { "" }
    #expect(Self.names(room) == ["mira"])
  }

  @Test func aLostLineEndsIt() {
    var room = Self.told(["ko"])
    _ = room.handle(
      .channel(.stateChanged(.offline(.stopped))), at: Instant(), wall: Timestamp(milliseconds: 0)
    ) { "" }
    #expect(Self.names(room).isEmpty)
  }

  @Test func aThousandNamesAreCutToAFew() {
    #expect(Self.names(Self.told((0..<1_000).map { "guest\($0)" })).count == 20)
  }
}
