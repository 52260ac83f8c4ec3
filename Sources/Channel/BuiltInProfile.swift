import JSON

extension Profile {
  /// Fits the embedded server: `messages`, `postMessage`, `messageAdded`.
  package static let builtIn: Profile = {
    let line = " fragment Line on Message { id seq room author text sentAt clientId }"
    var profile = Profile(
      name: "built-in", subprotocols: ["graphql-transport-ws"],
      authHeader: "Bearer {token}", authInit: ["Authorization": "Bearer {token}"],
      history: Operation(
        document: "query History($room: String!, $last: Int!, $after: ID) "
          + "{ messages(room: $room, last: $last, after: $after) { ...Line } }" + line,
        operationName: "History",
        variables: [
          .init("room", "{room}"), .init("last", "{count=50}"), .init("after", "{cursor?}"),
        ],
        items: Path("messages")),
      historyOrder: .oldestFirst,
      post: Operation(
        document:
          "mutation Post($room: String!, $author: String!, $text: String!, $clientId: String) "
          + "{ postMessage(room: $room, author: $author, text: $text, clientId: $clientId) "
          + "{ ...Line } }" + line,
        operationName: "Post",
        variables: [
          .init("room", "{room}"), .init("author", "{nick}"), .init("text", "{text}"),
          .init("clientId", "{nonce}"),
        ],
        items: Path("postMessage")),
      postRepeat: .safe,
      live: Operation(
        document: "subscription Live($room: String!, $after: ID) "
          + "{ messageAdded(room: $room, after: $after) { ...Line } }" + line,
        operationName: "Live",
        variables: [.init("room", "{room}"), .init("after", "{cursor?}")],
        items: Path("messageAdded")),
      liveMode: .event, liveResumes: true,
      message: MessagePaths(
        id: Path("id"), cursor: Path("id"), author: Path("author"), text: Path("text"),
        time: Path("sentAt"), room: Path("room"), nonce: Path("clientId")),
      time: .iso8601)
    profile.earlier = Operation(
      document: "query Earlier($room: String!, $last: Int!, $before: ID!) "
        + "{ messages(room: $room, last: $last, before: $before) { ...Line } }" + line,
      operationName: "Earlier",
      variables: [
        .init("room", "{room}"), .init("last", "{count=50}"), .init("before", "{before}"),
      ],
      items: Path("messages"))
    profile.isBuiltIn = true
    return profile
  }()

  /// Fits the embedded server with everything that it knows: changes, answers, who writes and who is there.
  package static let embedded: Profile = {
    let line =
      " fragment Line on Message { id seq room author text sentAt clientId editedAt deletedAt"
      + " revision replyTo reactions { emoji count authors } }"
    func whole(_ operation: Operation?, _ document: String) -> Operation? {
      var operation = operation
      operation?.document = document + line
      return operation
    }
    func changing(_ field: String, _ more: [String]) -> Operation {
      let own = more.map { ", $\($0): String!" }.joined()
      let passed = more.map { ", \($0): $\($0)" }.joined()
      return Operation(
        document: "mutation Change($room: String!, $id: ID!, $author: String!\(own)) "
          + "{ \(field)(room: $room, id: $id, author: $author\(passed)) { ...Line } }" + line,
        operationName: "Change",
        variables: [
          .init("room", "{room}"), .init("id", "{id}"), .init("author", "{nick}"),
        ] + more.map { JSON.Member($0, .string("{\($0)}")) },
        items: Path(field))
    }
    func listening(_ field: String, _ selection: String) -> Operation {
      Operation(
        document: "subscription Listen($room: String!) { \(field)(room: $room)\(selection) }"
          + (selection.isEmpty ? "" : line),
        operationName: "Listen", variables: [.init("room", "{room}")], items: Path(field))
    }
    var profile = builtIn
    profile.history = whole(
      profile.history,
      "query History($room: String!, $last: Int!, $after: ID) "
        + "{ messages(room: $room, last: $last, after: $after) { ...Line } }")
    profile.earlier = whole(
      profile.earlier,
      "query Earlier($room: String!, $last: Int!, $before: ID!) "
        + "{ messages(room: $room, last: $last, before: $before) { ...Line } }")
    profile.post = whole(
      profile.post,
      "mutation Post($room: String!, $author: String!, $text: String!, $clientId: String, $replyTo: ID) "
        + "{ postMessage(room: $room, author: $author, text: $text, clientId: $clientId, "
        + "replyTo: $replyTo) { ...Line } }")
    profile.post?.variables.append(.init("replyTo", "{reply?}"))
    profile.live.document =
      "subscription Live($room: String!, $after: ID, $nick: String) "
      + "{ messageAdded(room: $room, after: $after, nick: $nick) { ...Line } }" + line
    profile.live.variables.append(.init("nick", "{nick}"))
    profile.message.edited = Path("editedAt")
    profile.message.deleted = Path("deletedAt")
    profile.message.revision = Path("revision")
    profile.message.reply = Path("replyTo")
    profile.message.reactions = Path("reactions")
    profile.message.reaction = ReactionPaths(
      emoji: Path("emoji"), count: Path("count"), names: Path("authors"))
    profile.edit = changing("editMessage", ["text"])
    profile.delete = changing("deleteMessage", [])
    profile.react = changing("addReaction", ["emoji"])
    profile.unreact = changing("removeReaction", ["emoji"])
    profile.typing = Operation(
      document:
        "mutation Typing($room: String!, $nick: String!) { setTyping(room: $room, nick: $nick) }",
      operationName: "Typing",
      variables: [.init("room", "{room}"), .init("nick", "{nick}")], items: Path(""))
    profile.changes = listening("messageChanged", " { ...Line }")
    profile.typists = listening("typing", "")
    profile.members = listening("members", "")
    profile.membersAreLive = true
    return profile
  }()
}
