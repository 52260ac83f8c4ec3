import Channel
import JSON
import Store
import Text

/// A number and what is counted, such as “1 room” and “2 rooms”.
nonisolated func counted(_ number: Int, _ thing: String) -> String {
  "\(number) \(thing)\(number == 1 ? "" : "s")"
}

/// A name that is to be given to a command again: safe to look at, and not cut.
nonisolated func whole(_ name: String) -> String {
  UntrustedText(name).safe(for: .line, limit: .max)
}

/// What the history holds in numbers: JSON for programs, lines for people.
extension HistoryLine {
  static func json(_ figures: StoreFigures, path: String) -> String {
    var members: [JSON.Member] = [
      .init("file", .string(path)), .init("bytes", .integer(Int64(figures.bytes))),
      .init("servers", .integer(Int64(figures.servers.count))),
      .init("rooms", .integer(Int64(figures.rooms))),
      .init("messages", .integer(Int64(figures.messages))),
      .init("outbox", .integer(Int64(figures.posts))),
      .init(
        "by_server",
        .array(
          figures.servers.map { server in
            .object([
              .init("url", .string(server.url)), .init("rooms", .integer(Int64(server.rooms))),
              .init("messages", .integer(Int64(server.messages))),
            ])
          })),
    ]
    if let oldest = figures.oldest { members.append(.init("oldest", .string(oldest.iso8601))) }
    if let newest = figures.newest { members.append(.init("newest", .string(newest.iso8601))) }
    return JSON.object(members).text
  }

  static func text(
    _ figures: StoreFigures, path: String, offset: (Timestamp) -> Int
  ) -> String {
    var lines = [
      "\(whole(path)), \(figures.bytes >> 10) KiB",
      "\(amount(figures.messages, figures.rooms)) of \(counted(figures.servers.count, "server"))",
    ]
    if let oldest = figures.oldest, let newest = figures.newest {
      lines.append("from \(day(oldest, offset)) to \(day(newest, offset))")
    }
    // As `forget --server` takes them.
    for server in figures.servers {
      lines.append("\(whole(server.url))  \(amount(server.messages, server.rooms))")
    }
    if figures.posts > 0 {
      lines.append(
        "\(counted(figures.posts, "message")) \(figures.posts == 1 ? "waits" : "wait") to be sent")
    }
    return lines.joined(separator: "\n")
  }

  private static func amount(_ messages: Int, _ rooms: Int) -> String {
    "\(counted(messages, "message")) in \(counted(rooms, "room"))"
  }

  private static func day(_ moment: Timestamp, _ offset: (Timestamp) -> Int) -> String {
    String(local(moment, offset).prefix(10))
  }
}
