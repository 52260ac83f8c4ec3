import GraphQL
import JSON

/// Where queries and mutations reach the rooms. Names and arguments fit the schema.
struct ChatRoot: GraphQLRoot {
  var rooms: RoomStore
  /// Milliseconds since 1970.
  let wall: Int64
  /// Who is in a room.
  let members: (String) -> [String]
  /// What happened, for those who listen.
  private(set) var effects: [DialectEffect] = []

  init(rooms: RoomStore, wall: Int64, members: @escaping (String) -> [String] = { _ in [] }) {
    self.rooms = rooms
    self.wall = wall
    self.members = members
  }

  mutating func resolve(
    _ field: String, _ arguments: [String: JSON]
  ) throws(GraphQLFieldError) -> GraphQLResolved {
    let room = arguments["room"]?.string ?? ""
    do {
      switch field {
      case "messages":
        let messages = try rooms.messages(
          room: room, last: Int(clamping: arguments["last"]?.integer ?? 0),
          after: arguments["after"]?.string, before: arguments["before"]?.string)
        return .list(messages.map { .object($0) })
      case "postMessage":
        let post = try rooms.post(
          arguments["text"]?.string ?? "", by: arguments["author"]?.string ?? "", in: room,
          clientId: arguments["clientId"]?.string, wall: wall,
          replyTo: arguments["replyTo"]?.string)
        if post.isNew { effects.append(.posted(post.message, heardBySelf: true)) }
        return .object(post.message)
      case "members":
        try RoomLimits.check(room: room)
        return .list(members(room).map { .text($0) })
      case "setTyping":
        let nick = arguments["nick"]?.string ?? ""
        try RoomLimits.check(room: room)
        try RoomLimits.check(nick: nick)
        effects.append(.typing(nick: nick, room: room))
        return .leaf(.bool(true))
      default:
        let change = try change(field, arguments, in: room)
        if change.isNew { effects.append(.changed(change.message, heardBySelf: true)) }
        return .object(change.message)
      }
    } catch {
      throw GraphQLFieldError(error.message)
    }
  }
}

extension ChatRoot {
  private mutating func change(
    _ field: String, _ arguments: [String: JSON], in room: String
  ) throws(Complaint) -> RoomStore.Changed {
    let id = arguments["id"]?.string ?? ""
    let author = arguments["author"]?.string ?? ""
    let emoji = arguments["emoji"]?.string ?? ""
    switch field {
    case "editMessage":
      return try rooms.edit(
        id, in: room, by: author, to: arguments["text"]?.string ?? "", wall: wall)
    case "deleteMessage": return try rooms.delete(id, in: room, by: author, wall: wall)
    case "addReaction": return try rooms.react(emoji, to: id, in: room, by: author)
    case "removeReaction": return try rooms.unreact(emoji, to: id, in: room, by: author)
    default: throw Complaint("There is no field \(field).")
    }
  }
}

extension MessageReaction: GraphQLObject {
  var graphQLType: String { "Reaction" }

  func resolve(
    _ field: String, _ arguments: [String: JSON]
  ) throws(GraphQLFieldError) -> GraphQLResolved {
    switch field {
    case "emoji": .text(emoji)
    case "count": .leaf(.integer(Int64(authors.count)))
    default: .list(authors.map { .text($0) })
    }
  }
}

extension StoredMessage: GraphQLObject {
  var graphQLType: String { "Message" }

  func resolve(
    _ field: String, _ arguments: [String: JSON]
  ) throws(GraphQLFieldError) -> GraphQLResolved {
    switch field {
    case "id": .text(id)
    case "seq": .leaf(.integer(Int64(seq)))
    case "room": .text(room)
    case "author": .text(author)
    case "text": .text(text)
    case "sentAt": .text(sentAt)
    case "editedAt": .text(editedAt)
    case "deletedAt": .text(deletedAt)
    case "revision": .leaf(revision.map { .integer(Int64($0)) } ?? .null)
    case "replyTo": .text(replyTo.map { "m\($0)" })
    case "reactions": .list(reactions.map { .object($0) })
    default: .text(clientId)
    }
  }
}
