import Channel
import Room
import Store

/// Deleting in the chat what is kept of a room.
extension HistoryKeeper {
  /// Deletes what is kept of a room, for good; what came of it, in a sentence.
  func forget(_ room: String, of server: String) -> Word {
    // What waits for the disk is forgotten as well.
    for index in waiting.indices where waiting[index].server == server {
      waiting[index].records.removeAll { $0.isText(of: room) }
    }
    guard let store = writer else {
      return Word(text: "Nothing of #\(room) could be deleted. \(lastError)", isError: true)
    }
    do throws(StoreError) {
      let count = try store.forget(server: server, room: room)
      let deleted = "\(counted(count, "message")) of #\(room) deleted from the disk"
      guard try store.hasTraces() else { return Word(text: deleted + ".", isError: false) }
      indexAt = Machine.now() + Self.cleanDelay
      return Word(
        text:
          "\(deleted), but another program reads the history: the texts go from its log as soon as that ends.",
        isError: true)
    } catch {
      return Word(text: "Not all of #\(room) could be deleted. \(error.message)", isError: true)
    }
  }
}
