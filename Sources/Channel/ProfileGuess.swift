package import JSON

/// A draft of a profile, guessed from the names in a server's schema. What cannot be guessed is for the person to
/// see: the order, whether the cursor's own message comes again, whether a nonce is heeded.
package struct ProfileGuess: Sendable {
  /// What a field or an argument is for, with the names that stand for it, the likeliest first.
  enum Role: String, CaseIterable {
    case id, text, author, time, room, nonce, seq, count, cursor, edited, deleted

    var names: [String] {
      switch self {
      case .id:
        ["id", "uuid", "messageid", "msgid", "postid", "noteid", "guid", "pk", "key"]
      case .text: ["text", "body", "content", "message", "msg"]
      case .author:
        [
          "author", "user", "sender", "writer", "from", "nick", "nickname", "username", "handle",
          "authorname", "sendername", "createdby", "sentby", "postedby", "creator", "poster",
          "owner", "by", "login", "name",
        ]
      case .time:
        ["sentat", "createdat", "timestamp", "time", "insertedat", "postedat", "date", "created"]
      case .room:
        [
          "room", "roomid", "roomname", "channel", "channelid", "channelname", "chat", "chatid",
          "chatname", "chatroom", "chatroomid", "conversation", "conversationid", "group",
          "groupid", "groupname", "topic", "topicid", "topicname", "thread", "threadid",
        ]
      case .nonce: ["clientid", "nonce", "clientmessageid", "clientmutationid", "idempotencykey"]
      case .seq: ["seq", "sequence", "sequencenumber"]
      case .count: ["last", "first", "limit", "count", "take", "n", "pagesize"]
      case .cursor: ["after", "since", "cursor", "afterid", "sinceid"]
      // Not `updatedAt`, which is mostly there from the beginning.
      case .edited: ["editedat", "edited", "isedited"]
      case .deleted: ["deletedat", "deleted", "isdeleted"]
      }
    }

    static let ofMessages: [Role] = [
      .id, .text, .author, .time, .room, .nonce, .seq, .edited, .deleted,
    ]
  }

  /// The profile as JSON, in the order in which a person reads it.
  package private(set) var profile: JSON
  /// A required argument that nothing is known about: it became `ASK_…` for the person to fill.
  package struct Question: Equatable, Sendable {
    package var name: String
    /// As GraphQL writes it.
    package var type: String
    /// Where in the draft it stands, such as `post.variables.input.mood`.
    package var places: [String]

    package init(name: String, type: String, places: [String]) {
      self.name = name
      self.type = type
      self.places = places
    }
  }

  /// Each once.
  package internal(set) var questions: [Question] = []
  /// The type of a message, and whether something in it is the author's name.
  package private(set) var messageType = ""
  package private(set) var hasAuthor = false

  let schema: IntrospectedSchema
  /// By what the lists of messages are ordered; nil where they are not to be.
  var newest: Newest?

  /// Nil where no subscription looks like one for messages.
  package init?(_ schema: IntrospectedSchema) {
    self.schema = schema
    profile = .null
    let lives = schema.fields(of: schema.subscription)
    guard
      let live = lives.compactMap({ field in Shape(field, in: schema).map { (field, $0) } })
        .max(by: { Self.weight($0.0, $0.1) < Self.weight($1.0, $1.1) })
    else { return nil }
    let type = live.1.type
    func shaped(_ root: String?) -> [(IntrospectedSchema.Field, Shape)] {
      schema.fields(of: root).compactMap { field in
        Shape(field, in: schema).flatMap { $0.type == type ? (field, $0) : nil }
      }
    }
    messageType = type
    hasAuthor = live.1.paths[.author] != nil
    var history = shaped(schema.query).first { $0.1.isMany }
    newest = Newest(in: live.1)
    let ordersLive = live.1.isMany && order(live.0.arguments) != nil
    let ordersHistory = history.map { order($0.0.arguments) != nil } ?? false
    if live.1.isMany, ordersLive != ordersHistory {
      // One order holds for both. A list that begins with the oldest never shows what is new.
      if ordersLive { history = nil } else { newest = nil }
    }
    let isNewestFirst = newest != nil && (ordersLive || ordersHistory)
    let post = shaped(schema.mutation).first { field, _ in
      takes(.text, field.arguments) && changeKind(of: field) == nil
    }
    var members: [JSON.Member] = [
      .init("profile", 1), .init("name", .string("guessed from “\(live.0.name)”")),
      .init("subprotocols", ["graphql-transport-ws", "graphql-ws"]),
      // Over the older one many servers take subscriptions only.
      .init("legacyVia", "http"),
      .init(
        "auth",
        ["header": "Bearer {token}", "init": ["Authorization": "Bearer {token}"]]),
    ]
    if let history {
      members.append(
        .init(
          "history",
          part(
            "query", "History", history,
            [.init("order", isNewestFirst ? "newest-first" : "oldest-first")])))
    }
    if let post {
      let hasNonce =
        takes(.nonce, post.0.arguments)
        && live.1.paths[.nonce] != nil && history != nil
      members.append(
        .init(
          "post",
          part("mutation", "Post", post, [.init("repeat", hasNonce ? "lookup" : "ask")])))
    }
    let resumes = live.0.arguments.contains { Self.role(of: $0.name, among: [.cursor]) != nil }
    members.append(
      .init(
        "live",
        part(
          "subscription", "Live", live,
          [
            .init("mode", live.1.isMany ? "snapshot" : "event"), .init("resumes", .bool(resumes)),
          ])))
    members += changes(type)
    members.append(.init("message", message(live.1, isEdge: history?.1.isEdge == true)))
    members.append(.init("time", "iso8601"))
    profile = .object(members)
  }

  /// The draft with what a first answer to its history shows: the order and the form of times.
  package mutating func learn(from lines: [JSON]) {
    guard let path = profile["message"]?["time"]?.string else { return }
    let times = lines.compactMap { PathFinder(Profile.Path(path)).first(in: $0) }
    let numbers = times.compactMap { time -> Double? in
      switch time {
      case .integer(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    }
    var isNewestFirst = false
    if let first = numbers.first, let last = numbers.last {
      // Seconds reach this number in the year 5138, milliseconds did in 1973.
      set(["time"], first > 100_000_000_000 ? "unix-ms" : "unix")
      isNewestFirst = first > last
    } else {
      let stamps = times.compactMap(\.string).compactMap { Timestamp(iso8601: $0) }
      if let first = stamps.first, let last = stamps.last {
        isNewestFirst = first.milliseconds > last.milliseconds
      }
    }
    if isNewestFirst { set(["history", "order"], "newest-first") }
  }

  private mutating func set(_ path: [String], _ value: JSON) {
    profile = Self.setting(path[...], of: profile, to: value)
  }

  private static func setting(_ path: ArraySlice<String>, of object: JSON, to value: JSON) -> JSON {
    guard let key = path.first, let members = object.members else { return value }
    return .object(
      members.map {
        $0.key == key ? .init(key, setting(path.dropFirst(), of: $0.value, to: value)) : $0
      })
  }

  // MARK: - Parts

  mutating func part(
    _ kind: String, _ name: String, _ found: (field: IntrospectedSchema.Field, shape: Shape),
    _ more: [JSON.Member]
  ) -> JSON {
    var definitions: [String] = []
    var passed: [String] = []
    var variables: [JSON.Member] = []
    let arguments = found.field.arguments
    for argument in arguments {
      guard
        let value = value(
          for: argument, among: arguments, isPost: kind == "mutation",
          at: [name.lowercased(), "variables"])
      else {
        continue
      }
      definitions.append("$\(argument.name): \(argument.type.text)")
      passed.append("\(argument.name): $\(argument.name)")
      variables.append(.init(argument.name, value))
    }
    let head = definitions.isEmpty ? "" : "(\(definitions.joined(separator: ", ")))"
    let given = passed.isEmpty ? "" : "(\(passed.joined(separator: ", ")))"
    let document =
      "\(kind) \(name)\(head) { \(found.field.name)\(given) \(found.shape.selection) }"
    let items = ([found.field.name] + found.shape.steps).joined(separator: ".")
    return .object(
      [
        .init("document", .string(document)), .init("operationName", .string(name)),
        .init("variables", .object(variables)), .init("items", .string(items)),
      ] + more)
  }

  /// Of an edge of the history the message is the node; what comes live is no edge.
  private func message(_ shape: Shape, isEdge: Bool) -> JSON {
    var members: [JSON.Member] = []
    for role in Role.ofMessages {
      guard let path = shape.paths[role] else { continue }
      members.append(.init(role.rawValue, .string(isEdge ? "node.\(path)|\(path)" : path)))
      if role == .id { members.append(.init("cursor", .string(isEdge ? "cursor" : path))) }
    }
    return .object(members)
  }

  /// Over HTTP what need not be pushed: the socket does not take it.
  package mutating func useHTTP() {
    guard let members = profile.members else { return }
    profile = .object(members.flatMap { $0.key == "legacyVia" ? [.init("via", "http")] : [$0] })
  }

  static func role(of name: String, among roles: [Role]) -> Role? {
    let plain = plain(name)
    return roles.first { $0.names.contains(plain) }
  }
}
