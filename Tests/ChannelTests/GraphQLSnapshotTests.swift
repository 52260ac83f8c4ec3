import Channel
import JSON
import Testing
import Text

/// Live queries: each result is the whole list of the latest messages.
@Suite struct GraphQLSnapshotTests {
  private static func line(
    history count: Int = 50, _ change: (inout Profile) -> Void = { $0.history = nil }
  ) -> GraphQLWire {
    var line = GraphQLWire(history: count) {
      $0.liveMode = .snapshot
      $0.liveResumes = false
      change(&$0)
    }
    _ = line.open()
    _ = line.acknowledge()
    return line
  }

  private static func list(_ numbers: [Int]) -> String {
    "[" + numbers.map { GraphQLWire.message($0) }.joined(separator: ",") + "]"
  }

  private static func list(_ numbers: ClosedRange<Int>) -> String { list(Array(numbers)) }

  private func changed(_ outputs: [DialectOutput]) -> [ChatMessage] {
    outputs.flatMap { output -> [ChatMessage] in
      guard case .changed(let forms) = output else { return [] }
      return forms
    }
  }

  private func deleted(_ outputs: [DialectOutput]) -> [String] {
    changed(outputs).filter(\.isDeleted).map(\.id)
  }

  @Test func onlyRealChangesAreSaid() {
    var line = Self.line()
    let list = Self.list(1...3)
    #expect(line.say(list).ids.count == 3)
    #expect(line.say(list) == [])
    let other = line.say(list.replacing("t2", with: "another"))
    #expect(changed(other).map(\.id) == ["m2"])
    #expect(other.count == 1)
    #expect(line.say(list.replacing("t2", with: "another")) == [])
  }

  @Test func theFirstListShowsAsManyAsAreWanted() {
    var line = Self.line(history: 2)
    #expect(line.say(Self.list(1...5)).origins == ["m4 history", "m5 history"])
    var none = Self.line(history: 0)
    #expect(none.say(Self.list(1...5)) == [])
    #expect(none.say(Self.list(2...6)).origins == ["m6 live"])
  }

  @Test(arguments: [true, false])
  func whatIsOlderThanTheHistoryIsNotNew(isAfterHistory: Bool) {
    var line = Self.line(history: 0) { _ in }
    var outputs: [DialectOutput] = []
    if isAfterHistory {
      outputs += line.answerHistory(GraphQLWire.messages(20...20))
      outputs += line.say(Self.list(1...20))
    } else {
      outputs += line.say(Self.list(1...20))
      outputs += line.answerHistory(GraphQLWire.messages(20...20))
    }
    #expect(outputs.ids == [])
    #expect(line.say(Self.list(2...21)).origins == ["m21 live"])
  }

  /// More was said at once than the list holds: what lies between is asked for.
  @Test func aListThatSharesNothingWithTheOneBeforeIsFilledUpFromTheHistory() {
    var line = Self.line { _ in }
    _ = line.answerHistory(GraphQLWire.messages(1...3))
    _ = line.say(Self.list(1...3))
    let leap = line.say(Self.list(19...28))
    #expect(leap.ids == [])
    #expect(leap.variables(of: "query").map { $0["after"] } == ["m3"])
    var outputs: [DialectOutput] = []
    for last in [28, 4, 28, 28] {
      outputs += line.answerHistory(
        last == 4 ? GraphQLWire.messages(4...4) : GraphQLWire.messages(4...last))
    }
    #expect(outputs.ids == (4...28).map { "m\($0)" })
    #expect(outputs.notices == [])
    // Where the history has none of them either, the list is shown all the same, and asked for once.
    let other = line.say(Self.list(49...58))
    #expect(other.types == ["subscribe"])
    let end = line.answerHistory([])
    #expect(end.ids == (49...58).map { "m\($0)" })
    #expect(end.types == [])
  }

  /// Times that have no parts of seconds.
  @Test func whatWasSaidInTheSecondOfTheNewestIsNew() {
    func list(_ numbers: ClosedRange<Int>) -> String {
      let rows = numbers.map {
        #"{"id":"m\#($0)","author":"bob","text":"t","sentAt":"2026-01-01T00:00:07Z"}"#
      }
      return "[" + rows.joined(separator: ",") + "]"
    }
    var line = Self.line()
    _ = line.say(list(1...5))
    #expect(line.say(list(6...10)).ids == (6...10).map { "m\($0)" })
  }

  /// The order of the history need not be that of the live query: all would look deleted.
  @Test(arguments: [Profile.Order.oldestFirst, .newestFirst], [false, true])
  func aListIsReadTheWayRoundThatItsTimesSay(order: Profile.Order, isNewestFirst: Bool) {
    var line = Self.line {
      $0.history = nil
      $0.historyOrder = order
    }
    func list(_ numbers: ClosedRange<Int>) -> String {
      Self.list(isNewestFirst ? numbers.reversed() : Array(numbers))
    }
    #expect(line.say(list(1...8)).ids == (1...8).map { "m\($0)" })
    for newest in 9...20 {
      let outputs = line.say(list(newest - 7...newest))
      #expect(outputs.ids == ["m\(newest)"])
      #expect(deleted(outputs) == [])
    }
  }

  @Test func whatSlidesOutOfTheListIsNotDeleted() {
    var line = Self.line()
    _ = line.say(Self.list(1...3))
    let next = line.say(Self.list(3...6))
    #expect(next.origins == ["m4 live", "m5 live", "m6 live"])
    #expect(changed(next) == [])
  }

  /// The list of the last minutes becomes shorter at its old end by itself.
  @Test(
    arguments: [
      ([1, 2, 3, 4, 5], [1, 2, 4, 5], ["m3"]), ([1, 2, 3, 4, 5], [1, 2, 4, 5, 6], ["m3"]),
      ([2, 3, 4], [1, 2, 3], ["m4"]), ([2, 3, 4], [1, 3, 4], ["m2"]), ([1, 2, 3], [2, 3], []),
      ([1, 2], [], []), ([2], [1], []), ([1, 2, 3], [4, 5, 6], []),
    ])
  func whatIsGoneFromTheMiddleIsDeleted(before: [Int], now: [Int], ids: [String]) {
    var line = Self.line()
    _ = line.say(Self.list(before))
    let outputs = line.say(Self.list(now))
    #expect(deleted(outputs) == ids)
    #expect(outputs.ids == now.filter { $0 > before.max() ?? 0 }.map { "m\($0)" })
    #expect(line.say(Self.list(now)) == [])
  }

  @Test func whatWasDeletedWhileTheLineWasAwayIsSaid() {
    var line = Self.line()
    _ = line.say(Self.list(1...5))
    _ = line.reconnect()
    let outputs = line.say(Self.list([1, 2, 4, 5, 6]))
    #expect(deleted(outputs) == ["m3"])
    #expect(outputs.ids == ["m6"])
  }

  /// The server may have lost its messages, or have nothing to say for a moment.
  @Test func anEmptyListDeletesNothing() {
    var line = Self.line()
    _ = line.say(Self.list(1...5))
    #expect(line.say("[]") == [])
    _ = line.reconnect()
    #expect(line.say("[]") == [])
    #expect(deleted(line.say(Self.list([1, 2, 4, 5]))) == ["m3"])
  }

  @Test func aListThatCannotBeReadWholeDeletesNothing() {
    var line = Self.line()
    _ = line.say(Self.list(1...5))
    let outputs = line.say(Self.list([1, 2, 4, 5]).replacing("[{", with: "[7,{"))
    #expect(changed(outputs) == [])
  }

  @Test func aMessageThatIsThereAgainIsNoLongerDeleted() {
    var line = Self.line()
    _ = line.say(Self.list(1...3))
    _ = line.say(Self.list([1, 3]))
    let outputs = line.say(Self.list(1...3))
    #expect(changed(outputs).map(\.id) == ["m2"])
    #expect(deleted(outputs) == [])
    #expect(outputs.ids == [])
  }

  @Test func whatIsSaidInAnEmptyRoomIsNewHoweverMuchComesAtOnce() {
    var line = Self.line()
    #expect(line.say("[]").ids == [])
    #expect(line.say(Self.list(1...2)).origins == ["m1 live", "m2 live"])
    #expect(line.say(Self.list(1...3)).origins == ["m3 live"])
  }

  @Test func moreThanTheListShowsIsSaidToBeMissing() {
    var line = Self.line()
    _ = line.say(Self.list(1...5))
    _ = line.reconnect()
    let outputs = line.say(Self.list(30...34))
    #expect(outputs.ids == (30...34).map { "m\($0)" })
    #expect(outputs.notices.count == 1)
    #expect(changed(outputs) == [])
  }
}
