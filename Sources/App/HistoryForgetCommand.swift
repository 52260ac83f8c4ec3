import Channel
import Glibc
import Store
import Text

/// `parlour history forget`: what is deleted is to be gone, from damaged files as well.
extension HistoryCommand {
  /// Without a room or a server nothing is forgotten by mistake.
  func forget() throws(CommandFailure) -> Int32 {
    let room = arguments.value("room")
    let server = arguments.value("server")
    guard (room != nil || server != nil) != arguments.has("all") else {
      throw .usage(
        "Say what to forget: parlour history forget --room NAME, --server URL, both, or --all.")
    }
    var identity: String?
    if let server {
      guard let endpoint = try? Endpoint(parsing: server) else {
        throw .usage(
          "--server \(shown(server)) is no URL of a server: write ws://HOST/ as parlour history stats lists them."
        )
      }
      identity = endpoint.identity
    }
    let store = try store()
    let count: Int
    do throws(StoreError) {
      count = try store.forget(server: identity, room: room)
    } catch {
      return try forgetDamaged(error, store)
    }
    var done = "\(counted(count, "message")) forgotten"
    if arguments.has("all") {
      let files = try with(store) { store throws(StoreError) in try store.deleteDamaged() }
      if files > 0 { done += ", and \(counted(files, "damaged file")) that had been set aside" }
    } else {
      for path in store.damaged {
        write(
          "parlour: \(whole(path)) is damaged and was left alone: parlour history forget --all deletes it too.\n",
          to: STDERR_FILENO)
      }
    }
    _ = try Self.say(done + ".")
    return try checked(store)
  }

  /// What cannot be read is deleted with its file, where everything is to be forgotten.
  private func forgetDamaged(_ error: StoreError, _ store: Store) throws(CommandFailure) -> Int32 {
    try with(store) { store throws(StoreError) in
      guard error.kind == .damaged, arguments.has("all") else { throw error }
    }
    let sentence = store.setAside(at: Machine.wall())
    if store.isAtItsPath { throw CommandFailure(sentence, exitCode: exitCode(of: error)) }
    let files = try with(store) { store throws(StoreError) in try store.deleteDamaged() }
    return try Self.say("\(counted(files, "damaged file")) deleted, with all that stood there.")
  }

  /// What was deleted is to be gone from the files too.
  func checked(_ store: Store) throws(CommandFailure) -> Int32 {
    guard try with(store, { store throws(StoreError) in try store.hasTraces() }) else {
      return ExitCode.done
    }
    throw CommandFailure(
      "Another program reads the history: what was deleted stays in \(whole(store.path))-wal until it ends. End it and give"
        + " the command again, or start a chat, which clears it away.",
      exitCode: ExitCode.unavailable)
  }
}
