import Channel
import Room
import Store

/// A room of a server, as the store names both.
struct HistoryRoom: Hashable {
  var server: String
  var room: String
}

/// Opening the store, at the start or as soon as the disk lets it be.
extension HistoryKeeper {
  /// The store, where it can be written.
  var writer: Store? { store.flatMap { $0.isForReading ? nil : $0 } }

  /// A disk that takes nothing now may do so later: until then what is there is read, and the rest waits here.
  func openFirst() throws(CommandFailure) {
    do throws(StoreError) {
      take(try openedStore(folder, patience: Self.longPatience))
    } catch {
      guard error.mayPass else {
        throw CommandFailure(error.message, exitCode: exitCode(of: error))
      }
      failure = error.kind
      lastError = error.message
      warnings.append(Self.sentence(of: error))
      retryAt = Machine.now() + Self.retryDelay
      readOnly()
    }
  }

  /// The next try, with what waits if it goes well.
  func openAgain(at now: Instant) -> [Word] {
    // The locks of a file go with any descriptor of it that is closed: no reader may be there beside the writer.
    store = nil
    do throws(StoreError) {
      take(try openedStore(folder))
    } catch {
      readOnly()
      return failed(error, at: now)
    }
    placeUnread()
    return write(at: now)
  }

  static func sentence(of error: StoreError) -> String {
    "\(error.message) The chat goes on; what is said waits in memory and is written once that works."
  }

  private func take(_ store: Store) {
    self.store = store
    store.wait(atMost: Self.patience)
    warnings += store.warnings
    store.leaveCheckpoints()
    // An earlier run may have been ended before it had taken out all of what was deleted.
    if (try? store.hasTraces()) ?? false { indexAt = Machine.now() + Self.indexDelay }
  }

  private func readOnly() {
    store = try? Store(reading: folder, needsLog: true)
  }

  /// The first message of a room that began without its transcript goes behind it; those that follow stand behind that one.
  private func placeUnread() {
    defer { unread = [] }
    for place in unread {
      guard let last = try? writer?.lastID(in: place.room, of: place.server) else { continue }
      for index in waiting.indices where waiting[index].server == place.server {
        let first = waiting[index].records.firstIndex { record in
          if case .message(let kept, place.room) = record { kept.behind == nil } else { false }
        }
        guard let first, case .message(var kept, _) = waiting[index].records[first] else {
          continue
        }
        kept.behind = last
        waiting[index].records[first] = .message(kept, room: place.room)
        break
      }
    }
  }
}
