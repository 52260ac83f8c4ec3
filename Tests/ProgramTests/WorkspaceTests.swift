import Channel
import Room
import Screen
import Server
import TestKit
import Testing
import Text
import WebSocket

@testable import Program

/// Several rooms and servers at once.
@Suite struct WorkspaceTests {
  /// Three rooms of one server, the first one in front, all on line.
  private static func desk(width: Int = 80, height: Int = 24) -> Desk {
    var desk = Desk(width: width, height: height)
    desk.openBehind(room: "dev")
    desk.openBehind(room: "ko")
    desk.advance(by: .seconds(3))
    return desk
  }

  @Test func roomsAreApartAndKeepWhatWasSaid() {
    var desk = Desk()
    desk.advance(by: .seconds(3))
    desk.say("in the lobby", in: "lobby")
    desk.enter("/join dev")
    desk.advance(by: .seconds(3))
    #expect(desk.room == "dev")
    #expect(!desk.shows("in the lobby"))
    desk.say("in dev", in: "dev")
    desk.say("meanwhile", in: "lobby")
    #expect(desk.shows("in dev") && !desk.shows("meanwhile"))
    desk.enter("mine in dev")
    desk.advance(by: .seconds(1))
    #expect(desk.shows("mine in dev"))
    desk.enter("/join lobby")
    #expect(desk.room == "lobby")
    #expect(desk.workspace.windows.count == 2)
    #expect(desk.shows("in the lobby") && desk.shows("meanwhile") && !desk.shows("in dev"))
  }

  @Test func aNameHoldsInAllWindowsOfTheServerAndInNoOther() {
    var desk = Self.desk()
    desk.enter("/server b.example")
    desk.advance(by: .seconds(3))
    desk.press(.alt("1"))
    desk.enter("/nick eve")
    desk.advance(by: .seconds(1))
    #expect(desk.shows("You are called eve now."))
    #expect(desk.workspace.windows.map(\.program.room.nick) == ["eve", "eve", "eve", "ada"])
    desk.press(.alt("2"))
    #expect(!desk.shows("You are called eve"))
    desk.enter("from dev")
    desk.advance(by: .seconds(1))
    #expect(desk.shows("eve │ from dev"), "\(desk.screen)")
    // Back again: nothing goes round in circles.
    desk.enter("/nick ada")
    #expect(desk.workspace.windows.map(\.program.room.nick) == ["ada", "ada", "ada", "ada"])
  }

  @Test func eachConnectionHasAStateOfItsOwn() {
    var desk = Self.desk()
    desk.enter("/server b.example")
    desk.advance(by: .seconds(3))
    #expect(desk.shows("● online"))
    desk.take(down: "a.example")
    #expect(desk.shows("● online"))
    #expect(desk.shows("◌ 1 #lobby@a.example"))
    desk.say("still here", in: "lobby", host: "b.example")
    #expect(desk.shows("still here"))
    desk.press(.alt("1"))
    #expect(desk.shows("◌ lost"))
    desk.bring(up: "a.example")
    desk.advance(by: .seconds(70))
    #expect(desk.shows("● online"))
  }

  @Test func aFloodInOneWindowLeavesTheOthersAsTheyAre() {
    var desk = Self.desk()
    desk.write("a draft")
    for number in 0..<5_000 { desk.say("flood \(number)", in: "dev") }
    #expect(desk.room == "lobby" && desk.input == "a draft")
    #expect(!desk.shows("flood"))
    #expect(desk.unread == ["0", "5000", "0"])
    #expect(desk.titles.count < 110)
    desk.say("hello", in: "lobby")
    #expect(desk.shows("hello"))
  }

  @Test func activityIsVisitedWithMentionsFirstAndThenBack() {
    var desk = Self.desk()
    desk.openBehind(room: "late")
    desk.openBehind(room: "muted")
    desk.advance(by: .seconds(3))
    desk.press(.alt("5"))
    desk.enter("/mute")
    desk.press(.alt("1"))
    desk.say("one", in: "late")
    desk.say("two", in: "muted")
    desk.say("three", in: "dev")
    desk.say("ada: four", in: "ko")
    #expect(desk.unread == ["0", "1", "1!1", "1", "1"])
    var visited: [String] = []
    for _ in 0..<5 {
      desk.press(.alt("a"))
      visited.append(desk.room)
    }
    // Back at the start there is nowhere left to go.
    #expect(visited == ["ko", "late", "dev", "lobby", "lobby"])
    #expect(desk.unread == ["0", "0", "0", "0", "1"])
  }

  @Test func keysAndCommandsGoFromWindowToWindow() {
    var desk = Self.desk()
    desk.press(.alt("2"))
    #expect(desk.room == "dev")
    desk.press(.function(6))
    #expect(desk.room == "ko")
    desk.press(.function(6))
    #expect(desk.room == "lobby")
    desk.press(.function(5))
    #expect(desk.room == "ko")
    desk.enter("/window 1")
    #expect(desk.room == "lobby")
    desk.enter("/w #dev")
    #expect(desk.room == "dev")
    desk.enter("/switch lob")
    #expect(desk.room == "lobby")
    desk.press(.alt("9"))
    #expect(desk.room == "lobby" && desk.shows("There is no window 9"))
    desk.enter("/w nowhere")
    #expect(desk.shows("No window is called “nowhere”"))
    desk.press(.alt("0"))
    #expect(desk.shows("There is no window 10"))
  }

  @Test func theListTellsEveryWindow() {
    var desk = Self.desk()
    desk.say("news", in: "dev")
    desk.enter("/list")
    #expect(desk.shows("1 #lobby on a.example: online, here"))
    #expect(desk.shows("2 #dev on a.example: online, 1 new"))
  }

  @Test("reports 53 and 60: drafts stay with their windows and survive a loss")
  func reports53And60() {
    var desk = Self.desk()
    desk.write("for the lobby")
    desk.press(.alt("2"))
    #expect(desk.input.isEmpty)
    desk.write("for dev")
    desk.take(down: "a.example")
    desk.bring(up: "a.example")
    desk.advance(by: .seconds(70))
    #expect(desk.input == "for dev")
    desk.press(.alt("1"))
    #expect(desk.input == "for the lobby")
    #expect(desk.shows("2 #dev ✎"))
    #expect(!desk.shows(" new ─"))
  }

  @Test func whatBelongsToThePersonGoesAlong() {
    var desk = Self.desk()
    desk.write("cut this")
    desk.press(.control("u"))
    desk.enter("said in the lobby")
    desk.press(.alt("2"))
    desk.press(.control("y"))
    #expect(desk.input == "cut this")
    desk.press(.control("u"), .up)
    #expect(desk.input == "said in the lobby")
    desk.press(.control("u"), .focusOut)
    desk.say("ada?", in: "dev")
    #expect(desk.bells == 1)
    #expect(desk.unread[1] == "1!1")
    desk.run(.window(nil, .resized(width: 60, height: 20)))
    desk.press(.alt("1"))
    #expect(desk.rows.count == 20)
  }

  @Test("report 51: the first unread line of a new room is marked") func report51() throws {
    var desk = Self.desk()
    desk.say("the first", in: "dev")
    desk.press(.alt("2"))
    let rule = try #require(desk.rows.firstIndex { $0.contains("1 new") })
    let message = try #require(desk.rows.firstIndex { $0.contains("the first") })
    #expect(rule == message - 1)
  }

  @Test func whatAnEarlierRunDidNotShowIsCounted() {
    var memory = RoomMemory()
    memory.messages = (1...4).map { number in
      let time = Timestamp(milliseconds: Int64(number) * 1_000)
      let message = ChatMessage(
        id: "d\(number)", author: UntrustedText(number == 3 ? "ada" : "mira"),
        text: UntrustedText(number == 4 ? "ada: look" : "text \(number)"), time: time,
        isMine: number == 3)
      return KeptMessage(message: message, time: time, place: number * Serials.stride)
    }
    memory.readUpTo = Serials.stride
    var desk = Desk(memories: ["a.example dev": memory, "a.example lobby": RoomMemory()])
    desk.openBehind(room: "dev")
    #expect(desk.unread == ["0", "2!1"])
    desk.press(.alt("2"))
    #expect(desk.unread == ["0", "0"])
  }

  @Test func whatARoomBeginsWithIsNotNew() {
    var desk = Desk()
    desk.advance(by: .seconds(3))
    for number in 0..<5 { desk.say("old \(number)", in: "dev") }
    desk.openBehind(room: "dev")
    desk.advance(by: .seconds(3))
    #expect(desk.unread == ["0", "0"])
    desk.say("fresh", in: "dev")
    #expect(desk.unread == ["0", "1"])
    desk.press(.alt("2"))
    #expect(desk.shows("old 4") && desk.shows("─ 1 new ─"))
  }

  @Test func theTitleCountsWhatWaitsEverywhere() {
    var desk = Self.desk()
    #expect(desk.titles.last == "#lobby - parlour")
    desk.say("one", in: "dev")
    desk.say("two", in: "ko")
    desk.say("seen", in: "lobby")
    #expect(desk.titles.last == "#lobby (2) - parlour")
    desk.press(.alt("2"))
    #expect(desk.titles.last == "#dev (1) - parlour")
    desk.press(.alt("3"))
    #expect(desk.titles.last == "#ko - parlour")
    desk.enter("/mute")
    desk.press(.alt("1"))
    desk.say("three", in: "ko")
    #expect(desk.titles.last == "#lobby - parlour")
  }

  @Test func aMutedRoomDoesNotRing() {
    var desk = Self.desk()
    desk.say("ada, are you there?", in: "dev")
    #expect(desk.bells == 1)
    desk.press(.alt("2"))
    desk.enter("/mute")
    desk.press(.alt("1"))
    desk.say("ada?", in: "dev")
    #expect(desk.bells == 1)
    #expect(desk.unread[1] == "1!1")
    desk.press(.alt("2"))
    desk.enter("/unmute")
    desk.press(.alt("1"))
    desk.say("ada!", in: "dev")
    #expect(desk.bells == 2)
  }

  @Test func aClosedWindowLeavesTheOthers() {
    var desk = Self.desk()
    desk.press(.alt("3"), .alt("2"))
    desk.write("kept")
    desk.press(.alt("1"), .alt("2"))
    desk.press(.control("u"))
    desk.enter("/part")
    #expect(desk.closed.count == 1)
    #expect(desk.room == "lobby")
    #expect(desk.workspace.windows.map(\.program.roomName) == ["lobby", "ko"])
    desk.say("goes on", in: "ko")
    #expect(desk.unread == ["0", "1"])
    desk.enter("/part")
    #expect(desk.room == "ko" && desk.shows("goes on"))
    desk.enter("/part")
    #expect(desk.room == "ko" && desk.shows("This is the only window"))
    #expect(desk.servers["a.example"]?.memberCount("lobby") == 0)
    #expect(desk.servers["a.example"]?.memberCount("ko") == 1)
  }

  @Test func whatWaitsIsToldBeforeItsWindowGoes() {
    var desk = Self.desk()
    desk.take(down: "a.example")
    desk.enter("not sent yet")
    desk.enter("/part")
    #expect(desk.workspace.windows.count == 3)
    #expect(desk.shows("1 message is not known to have arrived"))
    desk.press(.alt("2"))
    desk.enter("/quit")
    #expect(desk.quits.isEmpty)
    #expect(desk.shows("leaves all the same"))
    desk.enter("/quit")
    #expect(desk.quits.count == 1)
  }

  @Test func quittingTellsEveryServer() {
    var desk = Self.desk()
    desk.enter("/server b.example")
    desk.advance(by: .seconds(3))
    desk.enter("/quit")
    #expect(desk.quits == [0])
    #expect(desk.servers["a.example"]?.memberCount("dev") == 0)
    #expect(desk.servers["b.example"]?.memberCount("lobby") == 0)
  }

  @Test func aRoomIsOpenedOnceOnEachServer() {
    var desk = Self.desk()
    desk.enter("/join ko")
    #expect(desk.workspace.windows.count == 3 && desk.room == "ko")
    desk.enter("/server b.example")
    #expect(desk.workspace.windows.count == 4)
    desk.enter("/server a.example")
    #expect(desk.workspace.windows.count == 4)
    #expect(desk.room == "lobby" && desk.workspace.current == 0)
  }

  @Test func eachRoomIsKeptUnderItsName() {
    var desk = Desk(memories: [:])
    desk.run(.all(.keeping(reachesDisk: true, isNew: false)))
    desk.advance(by: .seconds(3))
    desk.enter("/join dev")
    desk.advance(by: .seconds(3))
    desk.say("in dev", in: "dev")
    desk.say("in the lobby", in: "lobby")
    var kept: [String: Int] = [:]
    for (window, record) in desk.records {
      if case .message(let message, let room) = record {
        kept[room] = window.number
        #expect(message.message.text.raw.contains(room))
      }
    }
    #expect(kept == ["lobby": 0, "dev": 1])
  }

  @Test func windowsThatAreNotSeenDoNotAskToBeDrawn() {
    var desk = Desk()
    desk.advance(by: .seconds(3))
    desk.enter("/server b.example")
    desk.advance(by: .seconds(10))
    let quiet = desk.workspace.deadline
    desk.take(down: "a.example")
    // The attempt, and no second of the countdown to it before.
    #expect(
      desk.workspace.deadline == Instant(desk.now + .seconds(1)) || desk.workspace.deadline == quiet
    )
  }
}
