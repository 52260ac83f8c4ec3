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
    return profile
  }()
}
