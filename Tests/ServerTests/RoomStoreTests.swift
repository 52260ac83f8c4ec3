import Testing

@testable import Server

@Suite struct RoomStoreTests {
  private static func filled(_ count: Int, limit: Int = 100) throws -> RoomStore {
    var store = RoomStore(historyLimit: limit)
    for number in 1...count {
      _ = try store.post("line \(number)", by: "ada", in: "r", clientId: "c\(number)", wall: 0)
    }
    return store
  }

  @Test func idsCountThroughTheServerAndNumbersThroughTheRoom() throws {
    var store = RoomStore(historyLimit: 10)
    _ = try store.post("a", by: "ada", in: "one", clientId: nil, wall: 0)
    _ = try store.post("b", by: "bob", in: "two", clientId: nil, wall: 0)
    let post = try store.post("c", by: "ada", in: "one", clientId: "k", wall: 7_000)
    #expect(
      post.message
        == StoredMessage(
          number: 3, seq: 2, room: "one", author: "ada", text: "c",
          sentAt: "1970-01-01T00:00:07.000Z", clientId: "k"))
    #expect(post.message.id == "m3")
  }

  @Test func aRepeatGivesTheFirstMessageBack() throws {
    var store = RoomStore(historyLimit: 10)
    let first = try store.post("a", by: "ada", in: "r", clientId: "k", wall: 0)
    let again = try store.post("other", by: "bob", in: "r", clientId: "k", wall: 9)
    #expect(first.isNew && !again.isNew)
    #expect(again.message == first.message)
    // Another room has ids of its own, and an empty id is none.
    #expect(try store.post("a", by: "ada", in: "s", clientId: "k", wall: 0).isNew)
    #expect(try store.post("a", by: "ada", in: "r", clientId: "", wall: 0).isNew)
    #expect(try store.post("a", by: "ada", in: "r", clientId: "", wall: 0).isNew)
  }

  @Test(arguments: [
    (2, nil, ["m4", "m5"]), (50, nil, ["m1", "m2", "m3", "m4", "m5"]), (0, nil, []),
    (-3, nil, []), (2, "m1", ["m2", "m3"]), (50, "m3", ["m4", "m5"]), (50, "m5", []),
  ])
  func historyIsTheNewestOrTheOldestPastACursor(last: Int, after: String?, ids: [String]) throws {
    let store = try Self.filled(5)
    #expect(try store.messages(room: "r", last: last, after: after).map(\.id) == ids)
  }

  @Test(arguments: ["m6", "m0", "m-1", "m01", "x", "", "m", "m99999999999999999999", "M1"])
  func anUnknownCursorIsAnError(after: String) throws {
    let store = try Self.filled(5)
    #expect(throws: Complaint.self) {
      try store.messages(room: "r", last: 1, after: after)
    }
  }

  @Test func aCursorOfAnotherRoomIsUnknown() throws {
    var store = try Self.filled(2)
    _ = try store.post("x", by: "ada", in: "s", clientId: nil, wall: 0)
    #expect(throws: Complaint.self) { try store.messages(room: "s", last: 1, after: "m1") }
    #expect(throws: Complaint.self) { try store.messages(room: "none", last: 1, after: "m1") }
    #expect(try store.messages(room: "none", last: 1, after: nil).isEmpty)
  }

  @Test func theOldestMessagesGoAtTheLimit() throws {
    var store = try Self.filled(1000, limit: 3)
    #expect(
      try store.messages(room: "r", last: 50, after: nil).map(\.id) == ["m998", "m999", "m1000"])
    #expect(throws: Complaint.self) { try store.messages(room: "r", last: 1, after: "m997") }
    #expect(try store.messages(room: "r", last: 1, after: "m998").map(\.id) == ["m999"])
    // What was dropped is no longer known as a post; what is kept still is.
    #expect(try store.post("x", by: "ada", in: "r", clientId: "c1000", wall: 0).isNew == false)
    let late = try store.post("x", by: "ada", in: "r", clientId: "c1", wall: 0)
    #expect(late.isNew)
    #expect(late.message.seq == 1001)
  }

  @Test func longMessagesLeaveTheRoomEarlier() throws {
    var store = RoomStore(historyLimit: 10_000)
    let text = String(repeating: "x", count: 64 << 10)
    for _ in 1...300 {
      _ = try store.post(text, by: "ada", in: "r", clientId: nil, wall: 0)
    }
    // 16 MiB hold 255 messages of 64 KiB and 132 bytes.
    #expect(try store.messages(room: "r", last: 1000, after: nil).count == 255)
  }

  @Test(arguments: [
    ("", "ada", "t", "empty"), (String(repeating: "r", count: 65), "ada", "t", "longer than 64"),
    ("r", "", "t", "empty"), ("r", "a\u{7}", "t", "control"),
    ("r", String(repeating: "é", count: 65), "t", "longer than 64"),
    ("r", "ada", String(repeating: "x", count: 65_537), "65537 bytes"),
  ])
  func whatIsOutOfBoundsIsRefusedWithASentence(
    room: String, author: String, text: String, part: String
  ) {
    var store = RoomStore(historyLimit: 10)
    do {
      _ = try store.post(text, by: author, in: room, clientId: nil, wall: 0)
      Issue.record("it was taken")
    } catch {
      #expect(error.message.contains(part))
    }
  }

  @Test func roomsAreBoundedButOldOnesGoOn() throws {
    var store = RoomStore(historyLimit: 10)
    for number in 1...1000 {
      _ = try store.post("x", by: "ada", in: "r\(number)", clientId: nil, wall: 0)
    }
    #expect(throws: Complaint.self) {
      try store.post("x", by: "ada", in: "one more", clientId: nil, wall: 0)
    }
    #expect(try store.post("x", by: "ada", in: "r7", clientId: nil, wall: 0).isNew)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_767_225_607_042, "2026-01-01T00:00:07.042Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    (-5, "1970-01-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
  ])
  func timesAreWrittenInUTC(milliseconds: Int64, text: String) {
    #expect(WallTime.iso8601(milliseconds: milliseconds) == text)
  }
}
