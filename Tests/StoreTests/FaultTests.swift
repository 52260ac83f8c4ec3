import CSQLite
import Channel
import JSON
import Room
import Store
import Synchronization
import Testing

/// Every write that the store makes fails once, in every way.
@Suite(.serialized) struct FaultTests {
  private static func arm(after calls: Int?, code: Int32, stays: Bool) {
    FaultyDisk.plan.withLock {
      $0 = FaultyDisk.Plan(callsLeft: calls, code: code, stays: stays)
    }
  }

  /// Writes that are told to have gone well, in small transactions.
  private static func work(_ store: Store, _ written: inout [String], _ posts: inout Set<String>)
    throws -> Int
  {
    var failures = 0
    func attempt(_ records: [Record], _ then: () -> Void) {
      do {
        try store.write(records, of: server)
        then()
      } catch {
        failures += 1
      }
    }
    for number in 1...6 {
      let nonce = "n\(number)"
      attempt([.post(post(nonce), room: "lobby")]) { posts.insert(nonce) }
      attempt([.post(post(nonce, .sending), room: "lobby")]) { posts.insert(nonce) }
      let text = String(repeating: "text \(number) ", count: 400)
      attempt(
        [
          .message(kept(number, text), room: "lobby"), .postEnded(nonce: nonce, room: "lobby"),
          .cursor(.string("m\(number)"), room: "lobby"),
        ]
      ) {
        written.append("m\(number)")
        posts.remove(nonce)
      }
      if number % 3 == 0 {
        do { try store.index(atMost: 100) } catch { failures += 1 }
      }
    }
    return failures
  }

  @Test(arguments: [SQLITE_FULL, SQLITE_IOERR | (3 << 8), SQLITE_IOERR | (4 << 8)], [false, true])
  func noWriteThatFailsHarmsWhatIsStored(code: Int32, stays: Bool) throws {
    #expect(FaultyDisk.registered)
    defer { Self.arm(after: nil, code: code, stays: false) }
    var calls = 0
    var failing = 0
    while true {
      let folder = try Folder()
      // The file is there, as after an earlier run.
      Self.arm(after: nil, code: code, stays: false)
      let before = try folder.open(system: FaultyDisk.name)
      #expect(before.warnings == [])
      try before.write(records([kept(0, id: "first")]), of: server)
      var written = ["first"]
      var posts: Set<String> = []
      Self.arm(after: calls, code: code, stays: stays)
      do {
        let store = try folder.open(system: FaultyDisk.name)
        #expect(store.warnings == [], "after \(calls) calls")
        _ = try Self.work(store, &written, &posts)
      } catch let error as StoreError {
        #expect(error.kind == .full || error.kind == .inputOutput, "\(error)")
      }
      let failures = FaultyDisk.plan.withLock { $0.failures }
      failing += min(1, failures)
      Self.arm(after: nil, code: code, stays: false)
      let store = try folder.open(system: FaultyDisk.name)
      #expect(store.warnings == [])
      let memory = try store.recall("lobby", of: server, messages: 100)
      let ids = memory.messages.map(\.message.id)
      // What was told to be stored is stored. What failed may be there only as a whole.
      #expect(Set(written).isSubset(of: Set(ids)), "after \(calls) calls")
      #expect(
        ids
          == ids.sorted {
            ($0 == "first" ? 0 : Int($0.dropFirst()) ?? 0)
              < ($1 == "first" ? 0 : Int($1.dropFirst()) ?? 0)
          })
      #expect(posts.isSubset(of: Set(memory.outbox.map(\.post.nonce))), "after \(calls) calls")
      #expect(try store.faults() == [], "after \(calls) calls")
      if failures == 0 { break }
      // One way goes through every call, the others through each seventh.
      calls += code == SQLITE_FULL && !stays ? 1 : 7
    }
    #expect(failing > 10)
  }
}
