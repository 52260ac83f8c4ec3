import Channel
import JSON
import Testing

/// What a guess finds by names and types that other servers have.
@Suite struct ProfileGuessNameTests {
  private typealias Types = [(String, [(String, [String], String)])]

  /// A server whose lists are ordered by an argument of that type.
  private static func ordered(
    by argument: String, history: Bool = true, live: Bool = true
  ) -> Types {
    let list = ["limit: Int", "where: Where"]
    return [
      ("Query", [("messages", list + (history ? [argument] : []), "[Message!]!")]),
      ("Message", [("id", [], "ID!"), ("text", [], "String!"), ("created_at", [], "timestamptz")]),
      ("Subscription", [("messages", list + (live ? [argument] : []), "[Message!]!")]),
    ]
  }

  private static func profile(_ types: Types) throws -> Profile {
    let schema = try ProfileGuessTests.schema(
      types,
      inputs: [
        ("Where", ["room: Comparison"]), ("Comparison", ["_eq: String"]),
        ("Order", ["id: Direction", "created_at: Direction"]),
      ],
      enumerations: [
        ("Direction", ["asc", "asc_nulls_first", "desc"]),
        ("MessagesOrderBy", ["NATURAL", "ID_DESC", "CREATED_AT_ASC", "CREATED_AT_DESC"]),
      ])
    let guess = try #require(ProfileGuess(schema))
    return try Profile.parse(guess.profile.text, file: "draft.json")
  }

  @Test(
    arguments: [
      ("order_by: [Order!]", [["created_at": "desc"], ["id": "desc"]]),
      ("order_by: Order", ["created_at": "desc"]),
      ("orderBy: [MessagesOrderBy!]", ["CREATED_AT_DESC"]),
      ("orderBy: MessagesOrderBy!", "CREATED_AT_DESC"),
      ("sort: Direction", "desc"),
    ] as [(String, JSON)])
  func aListThatTakesAnOrderIsAskedForTheNewest(argument: String, value: JSON) throws {
    let profile = try Self.profile(Self.ordered(by: argument))
    let name = String(argument.prefix { $0 != ":" })
    for part in [try #require(profile.history), profile.live] {
      #expect(part.variables.first { $0.key == name }?.value == value)
      #expect(part.document.contains("\(name): $\(name)"))
    }
    #expect(profile.liveMode == .snapshot)
    #expect(profile.historyOrder == .newestFirst)
  }

  /// One order holds for both in a profile.
  @Test func historyAndSnapshotAreNeverOfTwoOrders() throws {
    let live = try Self.profile(Self.ordered(by: "order_by: [Order!]", history: false))
    #expect(live.history == nil)
    #expect(live.live.document.contains("order_by"))
    let history = try Self.profile(Self.ordered(by: "order_by: [Order!]", live: false))
    #expect(history.history?.document.contains("order_by") == false)
    #expect(history.historyOrder == .oldestFirst)
  }

  private static func chat(
    id: String = "id", author: (String, String) = ("author", "String"), inner: String = "name",
    room: String = "room: String!", by: String = "author: String!"
  ) -> Types {
    [
      ("Query", [("notes", [room, "limit: Int"], "[Note!]!")]),
      (
        "Note",
        [
          (id, [], "ID!"), ("body", [], "String!"), (author.0, [], author.1),
          ("sentAt", [], "DateTime"),
        ]
      ),
      ("Person", [("age", [], "Int"), (inner, [], "String!")]),
      ("Mutation", [("writeNote", [room, "body: String!", by], "Note!")]),
      ("Subscription", [("noteWritten", [room], "Note!")]),
    ]
  }

  private static func draft(_ types: Types) throws -> (guess: ProfileGuess, profile: Profile) {
    let guess = try #require(ProfileGuess(ProfileGuessTests.schema(types)))
    return (guess, try Profile.parse(guess.profile.text, file: "draft.json"))
  }

  @Test(
    arguments: [
      "author", "user", "sender", "writer", "from", "owner", "creator", "poster", "by",
    ], ["name", "handle", "login", "displayName", "username", "nickname"])
  func theAuthorIsFoundInAnObjectOfAnotherName(object: String, inner: String) throws {
    let (guess, profile) = try Self.draft(
      Self.chat(author: (object, "Person!"), inner: inner))
    #expect(profile.message.author == Profile.Path("\(object).\(inner)"))
    #expect(guess.hasAuthor)
  }

  @Test func thatThereIsNoAuthorIsKnown() throws {
    let (guess, profile) = try Self.draft(Self.chat(author: ("mood", "String")))
    #expect(profile.message.author == nil)
    #expect(!guess.hasAuthor)
    #expect(guess.messageType == "Note")
  }

  @Test(arguments: ["id", "noteId", "messageId", "uuid", "key", "_id", "note_id"])
  func anIdIsFoundByOtherNames(name: String) throws {
    #expect(try Self.draft(Self.chat(id: name)).profile.message.id == Profile.Path(name))
  }

  @Test(arguments: [
    "channelName", "roomId", "channel_id", "room_name", "topic", "conversationId", "groupId",
    "chatId", "threadId",
  ])
  func theRoomIsFoundByOtherNames(name: String) throws {
    let profile = try Self.draft(Self.chat(room: "\(name): String!")).profile
    for part in [profile.history, profile.post, profile.live] {
      #expect(part?.variables.first { $0.key == name }?.value == "{room}")
    }
  }

  @Test(arguments: ["handle", "sender", "writer", "user", "username", "author", "nick"])
  func thePersonIsFoundByOtherNamesInAPost(name: String) throws {
    let profile = try Self.draft(Self.chat(by: "\(name): String!")).profile
    #expect(profile.post?.variables.first { $0.key == name }?.value == "{nick}")
  }

  /// No text is taken for a number, so that it is asked for, and once.
  @Test func aRoomThatIsANumberIsAskedForOnceWithItsPlaces() throws {
    let guess = try Self.draft(Self.chat(room: "roomId: Int!")).guess
    #expect(
      guess.questions == [
        .init(
          name: "roomId", type: "Int!",
          places: ["history.variables.roomId", "post.variables.roomId", "live.variables.roomId"])
      ])
  }

  @Test func whatASubscriptionLacksIsKnown() throws {
    let schema = try ProfileGuessTests.schema([
      ("Query", [("a", [], "Int")]), ("Thing", [("id", [], "ID")]),
      ("Talk", [("text", [], "String"), ("mood", [], "Int")]),
      ("Subscription", [("ticks", [], "Int!"), ("thing", [], "Thing"), ("talk", [], "Talk")]),
    ])
    #expect(ProfileGuess(schema) == nil)
    let lacking = ProfileGuess.lacking(in: schema)
    #expect(lacking.map(\.subscription) == ["ticks", "thing", "talk"])
    #expect(lacking[0].lacks == ["fields of its own"])
    #expect(lacking[1].lacks == ["a text (such as text, body, content)"])
    #expect(
      lacking[2].lacks
        == ["an id (such as id, uuid, messageid) or an author (such as author, user, sender)"])
  }
}
