import Channel
import Testing
import Text

@testable import Room

/// The timeline as a window over a transcript of ten thousand messages, one hundred of which fit.
@Suite struct PastTests {
  private static let bounds = Timeline.Bounds(entries: 3_000)

  private static func kept(_ number: Int) -> KeptMessage {
    let time = Timestamp(milliseconds: Int64(number) * 1_000)
    return KeptMessage(
      message: ChatMessage(
        id: "old\(number)", author: UntrustedText("ko"), text: UntrustedText("message \(number)"),
        time: time), time: time, place: number * Serials.stride)
  }

  private static func room(_ numbers: Range<Int>) -> RoomModel {
    var room = RoomModel(room: "lobby", nick: "you", server: "ws://x/", bounds: bounds)
    room.startKeeping()
    var memory = RoomMemory()
    memory.messages = numbers.map(kept)
    memory.hasEarlier = true
    room.recall(memory)
    return room
  }

  private func numbers(_ room: RoomModel) -> [Int] {
    room.entries.compactMap { $0.message.flatMap { Int($0.id.dropFirst(3)) } }
  }

  private func isInOrder(_ room: RoomModel) -> Bool {
    zip(room.entries, room.entries.dropFirst()).allSatisfy { $0.serial < $1.serial }
  }

  @Test func theWindowMovesUpAndDownOverAllOfIt() throws {
    var room = Self.room(9_800..<10_000)
    var serials: [String: Int] = [:]
    func remember() {
      for entry in room.entries {
        guard let id = entry.message?.id else { continue }
        #expect(serials[id] ?? entry.serial == entry.serial)
        serials[id] = entry.serial
      }
    }
    while let oldest = room.oldestWithEarlier {
      let end = oldest.place / Serials.stride
      let start = max(0, end - 500)
      room.holdPlace(room.entries.first?.serial)
      room.extend(by: (start..<end).map(Self.kept), hasEarlier: start > 0)
      remember()
      #expect(room.entries.count <= 3_000 && isInOrder(room))
      #expect(numbers(room).last == 9_999)
    }
    #expect(numbers(room).first == 0 && room.gapIndex != nil)
    #expect(serials.count == 10_000)
    var passes = 0
    while let newest = room.newestBeforeGap {
      passes += 1
      let start = newest.place / Serials.stride + 1
      let end = min(10_000, start + 500)
      room.holdPlace(room.entries[(room.gapIndex ?? 1) - 1].serial)
      room.fill(by: (start..<end).map(Self.kept), hasLater: end < 10_000)
      remember()
      #expect(room.entries.count <= 3_000 && isInOrder(room))
      try #require(passes < 50)
    }
    let left = numbers(room)
    #expect(left == Array((left.first ?? 0)..<10_000))
    // And what was let go of above is there again when one scrolls up.
    #expect(room.oldestWithEarlier != nil)
  }

  @Test func whatIsReadStaysWhileAFloodComes() {
    var room = Self.room(9_800..<10_000)
    room.extend(by: (8_000..<9_800).map(Self.kept), hasEarlier: true)
    let held = room.entries[100].serial
    room.holdPlace(held)
    for number in 0..<8_000 {
      _ = room.handle(
        .channel(
          .messages(
            [
              ChatMessage(
                id: "new\(number)", author: UntrustedText("mira"), text: UntrustedText("x"))
            ],
            .live)), at: Instant(), wall: Timestamp(milliseconds: 20_000_000)
      ) { "n" }
      #expect(room.entries.count <= 3_000)
    }
    #expect(room.entries.contains { $0.serial == held })
    #expect(room.entries.last?.message?.id == "new7999")
    #expect(isInOrder(room))
    // At the end again, the past goes, and comes back by scrolling.
    room.holdPlace(nil)
    #expect(room.gapIndex == nil && !room.entries.contains { $0.serial == held })
    #expect(room.oldestWithEarlier != nil)
  }

  @Test func aPageIsTakenForReadingAndTheNewestStay() {
    var room = Self.room(9_800..<10_000)
    room.show(
      TranscriptPage(
        messages: (4_000..<4_500).map(Self.kept), hasEarlier: true, hasLater: true,
        target: 4_250 * Serials.stride))
    #expect(numbers(room) == Array(4_000..<4_500) + Array(9_800..<10_000))
    #expect(room.gapIndex == 500 && room.newestBeforeGap?.message.id == "old4499")
    // Another page takes its place.
    room.show(
      TranscriptPage(messages: (9_500..<9_900).map(Self.kept), hasEarlier: true, hasLater: true))
    #expect(numbers(room) == Array(9_500..<10_000) && room.gapIndex == nil)
    room.show(TranscriptPage(messages: [Self.kept(0)], hasLater: true))
    #expect(numbers(room) == [0] + Array(9_500..<10_000))
    #expect(room.oldestWithEarlier == nil)
  }

  @Test func textIsBoundedInBytesAsWell() {
    var timeline = Timeline(bounds: Timeline.Bounds(entries: 100_000, textBytes: 1_000_000))
    var serials = Serials()
    for number in 0..<200 {
      let message = ChatMessage(
        id: "m\(number)", author: nil, text: UntrustedText(String(repeating: "x", count: 10_000)))
      timeline.append(
        TimelineEntry(
          kind: .message(message), time: Timestamp(milliseconds: 0), serial: serials.next()))
    }
    #expect(timeline.entries.count <= 100)
    let older = (0..<50).map { number in
      TimelineEntry(
        kind: .message(
          ChatMessage(
            id: "o\(number)", author: nil,
            text: UntrustedText(String(repeating: "y", count: 10_000)))),
        time: Timestamp(milliseconds: 0), serial: number - 100)
    }
    // The newest are more than there is room for beside them.
    _ = timeline.prepend(older)
    #expect(timeline.textBytes <= 1_000_000)
    #expect(timeline.entries.last?.message?.id == "m199")
  }
}

@Suite struct MomentTests {
  @Test(
    arguments: [
      ("2026-03-01", "2026-02-28T23:00:00Z"), ("09:15", "2026-03-03T08:15:00Z"),
      ("2026-03-01 9:15", "2026-03-01T08:15:00Z"), ("7d", "2026-02-24T12:00:00Z"),
      ("today", "2026-03-02T23:00:00Z"), ("yesterday 10:00", "2026-03-02T09:00:00Z"),
      ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"),
      ("2026-03-01T00:00:00+02:00", "2026-02-28T22:00:00Z"),
      ("2026-03-01 09:15", "2026-03-01T08:15:00Z"), ("2026-03-01T09:15", "2026-03-01T08:15:00Z"),
      ("2026-03-01 09:15:30", "2026-03-01T08:15:30Z"),
      ("2026-03-01T09:15:30.5", "2026-03-01T08:15:30.500Z"), ("25:00", nil), ("tomorrow", nil),
      ("", nil),
      ("2026-13-01", nil), ("1:2", nil), ("2026-03-01 09:15 x", nil),
    ] as [(String, String?)])
  func aMomentIsReadAsPeopleWriteIt(text: String, expected: String?) throws {
    let now = try #require(Timestamp(iso8601: "2026-03-03T12:00:00Z"))
    #expect(moment(of: text, now: now, offset: { _ in 3_600 })?.iso8601 == expected)
  }

  @Test(arguments: ["all", "1000", "30d", "8w", "2y", "90m", "45s"])
  func retentionReadsAsItIsWritten(text: String) {
    #expect(Retention(text)?.text == text)
  }

  @Test(arguments: ["", "0", "-1", "3x", "0d", "some", "99999999999999999999", "1.5"])
  func whatIsNoRetentionIsRefused(text: String) {
    #expect(Retention(text) == nil)
  }
}
