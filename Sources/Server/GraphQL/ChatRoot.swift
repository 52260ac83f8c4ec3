import GraphQL
import JSON

/// Where queries and mutations reach the rooms. Names and arguments fit the schema.
struct ChatRoot: GraphQLRoot {
  var rooms: RoomStore
  /// Milliseconds since 1970.
  let wall: Int64
  /// New messages, for those who listen.
  private(set) var posted: [StoredMessage] = []

  init(rooms: RoomStore, wall: Int64) {
    self.rooms = rooms
    self.wall = wall
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
          clientId: arguments["clientId"]?.string, wall: wall)
        if post.isNew { posted.append(post.message) }
        return .object(post.message)
      default:
        return .null
      }
    } catch {
      throw GraphQLFieldError(error.message)
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
    default: .text(clientId)
    }
  }
}
