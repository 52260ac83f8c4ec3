import Channel
import JSON
import Testing

/// Guesses from schemas of other forms than those of the servers in the tests of the program.
@Suite struct ProfileGuessTests {
  /// `type` written as in GraphQL, for a list in the form of introspection.
  private static func reference(_ text: String, _ objects: [String]) -> JSON {
    if text.hasSuffix("!") {
      return [
        "kind": "NON_NULL", "name": nil, "ofType": reference(String(text.dropLast()), objects),
      ]
    }
    if text.hasPrefix("[") {
      let inner = reference(String(text.dropFirst().dropLast()), objects)
      return ["kind": "LIST", "name": nil, "ofType": inner]
    }
    return ["kind": objects.contains(text) ? "OBJECT" : "SCALAR", "name": .string(text)]
  }

  /// Types by name, each with its fields: name, arguments as `name: Type`, type.
  static func schema(
    _ types: [(String, [(String, [String], String)])], inputs: [(String, [String])] = [],
    enumerations: [(String, [String])] = []
  ) throws -> IntrospectedSchema {
    let objects = types.map(\.0)
    func values(_ arguments: [String]) -> JSON {
      .array(
        arguments.map { argument -> JSON in
          let parts = argument.split(separator: ": ").map(String.init)
          return [
            "name": .string(parts[0]), "defaultValue": nil, "type": reference(parts[1], objects),
          ]
        })
    }
    var list = types.map { name, fields -> JSON in
      let fields = fields.map { field, arguments, type -> JSON in
        [
          "name": .string(field), "args": values(arguments), "type": reference(type, objects),
        ]
      }
      return ["kind": "OBJECT", "name": .string(name), "fields": .array(fields)]
    }
    list += inputs.map { name, fields in
      ["kind": "INPUT_OBJECT", "name": .string(name), "inputFields": values(fields)]
    }
    list += enumerations.map { name, words in
      [
        "kind": "ENUM", "name": .string(name),
        "enumValues": .array(words.map { ["name": .string($0)] }),
      ]
    }
    let answer: JSON = [
      "data": [
        "__schema": [
          "queryType": ["name": "Query"], "mutationType": ["name": "Mutation"],
          "subscriptionType": ["name": "Subscription"], "types": .array(list),
        ]
      ]
    ]
    return try #require(IntrospectedSchema(answer))
  }

  private static func guess(
    _ types: [(String, [(String, [String], String)])]
  ) throws -> (guess: ProfileGuess, profile: Profile) {
    let guess = try #require(ProfileGuess(schema(types)))
    return (guess, try Profile.parse(guess.profile.text, file: "draft.json"))
  }

  static let relay: [(String, [(String, [String], String)])] = [
    ("Query", [("chat", ["channelId: ID!", "first: Int", "after: String"], "MessagePage!")]),
    ("MessagePage", [("edges", [], "[MessageEdge!]!"), ("total", [], "Int")]),
    ("MessageEdge", [("cursor", [], "String"), ("node", [], "Post!")]),
    (
      "Post",
      [
        ("id", [], "ID!"), ("body", [], "String!"), ("sender", [], "Person!"),
        ("createdAt", [], "DateTime"), ("replies", ["first: Int!"], "[Post!]!"),
      ]
    ),
    ("Person", [("id", [], "ID!"), ("displayName", [], "String")]),
    (
      "Mutation",
      [
        ("ban", ["user: ID!"], "Person"),
        ("say", ["channelId: ID!", "body: String!", "mood: String!"], "SayResult!"),
      ]
    ),
    ("SayResult", [("post", [], "Post!")]),
    ("Subscription", [("ticks", [], "Int!"), ("said", ["channelId: ID!"], "Post!")]),
  ]

  @Test func relayConnectionsPayloadsAndAuthorsThatAreObjectsAreUnderstood() throws {
    let (guess, profile) = try Self.guess(Self.relay)
    #expect(profile.history?.items == Profile.Path("chat.edges.*"))
    #expect(
      profile.history?.document
        == "query History($channelId: ID!, $first: Int, $after: String) { chat(channelId: $channelId, "
        + "first: $first, after: $after) { edges { cursor node { id body sender { displayName } createdAt } } } }"
    )
    #expect(profile.post?.items == Profile.Path("say.post"))
    #expect(profile.message.author == Profile.Path("node.sender.displayName|sender.displayName"))
    // An edge has it, what comes live has not.
    #expect(profile.message.cursor == Profile.Path("cursor"))
    #expect(profile.message.text == Profile.Path("node.body|body"))
    #expect(profile.live.items == Profile.Path("said"))
    #expect(!profile.liveResumes)
    #expect(profile.postRepeat == .ask)
    #expect(
      guess.questions
        == [.init(name: "mood", type: "String!", places: ["post.variables.mood"])])
  }

  @Test func numbersAndTheirOrderAreLearntFromAFirstAnswer() throws {
    var (guess, _) = try Self.guess(Self.relay)
    guess.learn(from: [["createdAt": 1_700_000_002_000], ["createdAt": 1_700_000_001_000]])
    let profile = try Profile.parse(guess.profile.text, file: "draft.json")
    #expect(profile.time == .unixMilliseconds)
    #expect(profile.historyOrder == .newestFirst)
  }

  @Test func aSchemaWithoutMessagesGivesNoGuess() throws {
    let types: [(String, [(String, [String], String)])] = [
      ("Query", [("a", [], "Int")]), ("Subscription", [("ticks", [], "Int!")]),
    ]
    #expect(ProfileGuess(try Self.schema(types)) == nil)
  }

  @Test func whatIsNoIntrospectionIsNoSchema() {
    #expect(IntrospectedSchema(["data": nil]) == nil)
    #expect(IntrospectedSchema(["errors": [["message": "off"]]]) == nil)
  }
}
