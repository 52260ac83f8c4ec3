import Room
import Store
import Testing

/// What was written is moved into the file beside the writing, by another connection in another thread.
@Suite struct CheckpointTests {
  private static func page(_ number: Int) -> [Record] {
    records(
      (number * 40..<number * 40 + 40).map { kept($0, String(repeating: "text \($0) ", count: 40)) }
    )
  }

  @Test func theLogGrowsUntilItIsMovedAndThenBeginsAnew() throws {
    let folder = try Folder()
    let store = try folder.open()
    #expect(store.logPages == 0)
    store.leaveCheckpoints()
    var number = 0
    while store.logPages < 2 * Store.usualLogPages {
      let before = store.logPages
      try store.write(Self.page(number), of: server)
      #expect(store.logPages > before)
      number += 1
    }
    Store.checkpoint(store.path)
    try store.write(Self.page(number), of: server)
    #expect(store.logPages < 100)
    let memory = try store.recall("lobby", of: server, messages: 100_000)
    #expect(memory.messages.count == 40 * (number + 1))
    #expect(try store.faults() == [])
  }

  @Test func itMayRunWhileOthersWriteAndRead() async throws {
    let folder = try Folder()
    let store = try folder.open()
    store.leaveCheckpoints()
    let path = store.path
    let mover = Task.detached { for _ in 0..<50 { Store.checkpoint(path) } }
    for number in 0..<100 {
      try store.write(Self.page(number), of: server)
      #expect(try store.recall("lobby", of: server, messages: 10).messages.count == 10)
    }
    await mover.value
    #expect(try store.recall("lobby", of: server, messages: 100_000).messages.count == 4_000)
    #expect(try store.faults() == [])
    // A file that is not there, or is none of SQLite's, is nobody's harm.
    Store.checkpoint(path + ".nowhere")
  }
}
