import JSON
import Program
import Room
import Store

/// What the chat reads of the store. What waits to be written is written before.
extension HistoryKeeper {
  /// Messages that a room begins with, and how many come with each step further back.
  private static let firstPage = 200
  private static let nextPage = 500
  /// Messages that a search shows.
  private static let mostFound = 200

  /// Where to go on from, by room. Servers are named by their `Endpoint.identity`.
  func cursors(of server: String) -> [String: JSON] {
    read([:]) { store throws(StoreError) in try store.cursors(of: server) }
  }

  func inputs() -> [String] { read([]) { store throws(StoreError) in try store.inputs() } }

  func recall(_ room: String, of server: String) -> RoomMemory {
    if store == nil { unread.insert(HistoryRoom(server: server, room: room)) }
    // A room that begins without it would stand beside its transcript, not behind it.
    return patiently {
      read(RoomMemory()) { store throws(StoreError) in
        try store.recall(room, of: server, messages: Self.firstPage)
      }
    }
  }

  func earlier(
    than message: KeptMessage, in room: String, of server: String
  ) -> (messages: [KeptMessage], hasEarlier: Bool) {
    read(([], false)) { store throws(StoreError) in
      try store.earlier(than: message, in: room, of: server, count: Self.nextPage)
    }
  }

  func later(
    than message: KeptMessage, in room: String, of server: String
  ) -> (messages: [KeptMessage], hasLater: Bool) {
    read(([], false)) { store throws(StoreError) in
      try store.later(than: message, in: room, of: server, count: Self.nextPage)
    }
  }

  func page(at place: TranscriptPlace, in room: String, of server: String) -> TranscriptPage {
    read(TranscriptPage()) { store throws(StoreError) in
      try store.page(at: place, in: room, of: server, count: Self.nextPage)
    }
  }

  /// Messages with all of these words, the best first; nil for all rooms of the server.
  func search(_ text: String, room: String?, of server: String) -> [FoundMessage] {
    var query = HistoryQuery(text: text)
    query.server = server
    query.room = room
    query.limit = Self.mostFound
    query.givesExcerpts = true
    return read([]) { store throws(StoreError) in
      try store.search(query).map { FoundMessage(room: $0.room, kept: $0.kept) }
    }
  }
}
