import Channel
import Glibc
import JSON
import Net
import Program
import Room
import Store

/// The chat's way to the store: writes what the program says, tries again what the disk did not take, and reads what
/// the program asks for. Nothing of it ends the chat: an error is told once, and what was to be written waits here.
final class HistoryKeeper {
  /// A word to the person.
  struct Word {
    var text: String
    var isError: Bool
  }

  /// Messages of each room that are deleted in one step where they are kept for a time only.
  private static let pruneStep = 100
  private static let pruneDelay: Duration = .milliseconds(50)
  /// What waits for the disk at most; the oldest messages go.
  private static let mostWaiting = 20_000
  static let retryDelay: Duration = .seconds(1)
  private static let busyDelay: Duration = .milliseconds(100)
  /// How long another program may write before it is told.
  private static let mostBusy = 50
  /// Of what can wait: what was typed is written at once.
  private static let writeInterval: Duration = .milliseconds(20)
  /// Messages that are indexed in one step, which takes a millisecond or two: a key waits for it.
  private static let indexStep = 50
  /// Messages are indexed once none has come for that long, and in a flood in any case after the longer time.
  static let indexDelay: Duration = .milliseconds(500)
  private static let longestIndexDelay: Duration = .seconds(10)
  static let cleanDelay: Duration = .seconds(5)
  /// How long another program that writes is waited for, in milliseconds: in the chat, and where something would be
  /// missing for good else.
  static let patience: Int32 = 250
  static let longPatience: Int32 = 5_000

  /// As long as it cannot be opened for writing, one that only reads, or none.
  var store: Store?
  let folder: String
  /// In the order in which they came about; neighbours of one server are written together.
  var waiting: [Waiting] = []

  /// Records of one server.
  struct Waiting {
    let server: String
    var records: [Record]
  }

  var failure: StoreError.Kind?
  /// The sentence of the last write that failed.
  var lastError = ""
  private var busyInRow = 0
  private var lost = 0
  var retryAt: Instant?
  /// What can wait is written then.
  private var writeAt: Instant?
  /// Nothing that can wait is written before then.
  private var mayWriteAt = Instant()
  private let checkpoints = HistoryCheckpoints()
  var indexAt: Instant?
  /// When the first message came that is not indexed.
  private var indexWaitsSince: Instant?
  private var pruneAt: Instant?
  private var retention = Retention.all
  /// What happened while opening; to be told first.
  var warnings: [String] = []
  /// The store is another one than before: the program tells what it knows once more.
  private var isRenewed = false
  /// Rooms that began without what is kept of them.
  var unread: Set<HistoryRoom> = []

  init() throws(CommandFailure) {
    folder = try stateFolder()
    try openFirst()
  }

  /// When `timeReached` wants to be called.
  var deadline: Instant? {
    [retryAt, writeAt, indexAt, pruneAt].compactMap(\.self).min()
  }

  /// What is kept reaches the disk.
  var reachesDisk: Bool { failure == nil }

  /// What the store says, or nothing and a warning.
  func read<Value>(
    _ nothing: Value, _ body: (Store) throws(StoreError) -> Value
  ) -> Value {
    if writeAt != nil { warnings += write(at: Machine.now()).map(\.text) }
    guard let store else { return nothing }
    do throws(StoreError) {
      return try body(store)
    } catch {
      warnings.append(error.kind == .damaged ? replaceDamaged() : error.message)
      return nothing
    }
  }

  /// What reading came to, once.
  func takeWarnings() -> [Word] {
    defer { warnings = [] }
    return warnings.map { Word(text: $0, isError: true) }
  }

  // MARK: Writing

  /// Writes records, with those that wait. Where something is among them that was typed, all are on the disk when this
  /// returns, or a word says why not; else they follow within milliseconds, and in a flood many at once.
  func keep(_ records: [Record], of server: String, at now: Instant) -> [Word] {
    guard !records.isEmpty else { return [] }
    wait(for: records, of: server)
    if let retryAt, retryAt > now, failure != nil {
      bound()
      return []
    }
    if records.contains(where: \.isUrgent) { return write(at: now) }
    // Another program writes: the next try is for all.
    if retryAt == nil { writeAt = writeAt ?? max(now, mayWriteAt) }
    return []
  }

  func timeReached(_ now: Instant) -> [Word] {
    var words: [Word] = []
    if let due = [retryAt, writeAt].compactMap(\.self).min(), due <= now { words = write(at: now) }
    if let due = indexAt, due <= now { index(at: now) }
    if let due = pruneAt, due <= now { prune(at: now) }
    return words
  }

  private func wait(for records: [Record], of server: String) {
    if let last = waiting.indices.last, waiting[last].server == server {
      waiting[last].records += records
    } else if !records.isEmpty {
      waiting.append(Waiting(server: server, records: records))
    }
  }

  /// The end of the program: what waits gets its last chance, and another program that writes is waited for.
  func keepLast(_ records: [(server: String, records: [Record])]) {
    for (server, records) in records { wait(for: records, of: server) }
    let now = Machine.now()
    while !waiting.isEmpty {
      _ = write(at: now)
      guard busyInRow > 0, Machine.now() - now < .milliseconds(Int64(Self.longPatience)) else {
        break
      }
      usleep(5_000)
    }
    for _ in 0..<20 where indexAt != nil { index(at: now) }
  }

  /// Whether the store is another one than at the last call.
  func takeIsRenewed() -> Bool {
    defer { isRenewed = false }
    return isRenewed
  }

  func write(at now: Instant) -> [Word] {
    retryAt = nil
    writeAt = nil
    mayWriteAt = now + Self.writeInterval
    guard let store = writer else { return openAgain(at: now) }
    let moved = store.isAtItsPath ? [] : goOver()
    guard moved.isEmpty else { return moved + write(at: now) }
    // Only what was typed is worth that a key waits for another program.
    let isUrgent = waiting.contains { $0.records.contains(where: \.isUrgent) }
    store.wait(atMost: isUrgent ? Self.patience : 0)
    defer { store.wait(atMost: Self.patience) }
    do throws(StoreError) {
      while let next = waiting.first {
        try store.write(next.records, of: next.server)
        if next.records.contains(where: \.isText) { awaitIndex(at: now) }
        waiting.removeFirst()
      }
      checkpoints.follow(store)
    } catch {
      return failed(error, at: now)
    }
    busyInRow = 0
    guard failure != nil else { return [] }
    failure = nil
    let loss =
      lost == 0 ? "nothing is missing in it" : "\(lost) messages of the meantime are missing in it"
    lost = 0
    return [Word(text: "The history is written again; \(loss).", isError: false)]
  }

  func failed(_ error: StoreError, at now: Instant) -> [Word] {
    bound()
    lastError = error.message
    if error.kind == .damaged {
      return [Word(text: replaceDamaged(), isError: true)]
    }
    retryAt = now + (error.kind == .busy ? Self.busyDelay : Self.retryDelay)
    if error.kind == .busy {
      busyInRow += 1
      guard busyInRow >= Self.mostBusy else { return [] }
    }
    guard failure != error.kind else { return [] }
    failure = error.kind
    return [Word(text: Self.sentence(of: error), isError: true)]
  }

  /// Rather messages go, which the server has, than something that was typed.
  private func bound() {
    let count = waiting.reduce(0) { $0 + $1.records.count }
    guard count > Self.mostWaiting else { return }
    var surplus = count - Self.mostWaiting * 3 / 4
    for index in waiting.indices where surplus > 0 {
      waiting[index].records.removeAll { record in
        guard surplus > 0, record.isText else { return false }
        surplus -= 1
        lost += 1
        return true
      }
    }
    waiting.removeAll(where: \.records.isEmpty)
  }

  /// Goes on with a new store; the program tells the outbox once more. Returns a sentence.
  private func replaceDamaged() -> String {
    let sentence = store?.setAside(at: Machine.wall()) ?? lastError
    do throws(CommandFailure) {
      try renew()
      return sentence + " The chat goes on in a new one."
    } catch {
      return "\(sentence) \(error.message)"
    }
  }

  /// The file is not at its path any more: what is written into it nobody finds.
  private func goOver() -> [Word] {
    guard (try? renew()) != nil else { return [] }
    return [
      Word(
        text:
          "The history in \(folder) was set aside or deleted by another program: the chat goes on in the new one.",
        isError: true)
    ]
  }

  private func renew() throws(CommandFailure) {
    let store = try openStore(folder)
    store.leaveCheckpoints()
    self.store = store
    isRenewed = true
  }

  /// Deletes what is not to be kept any longer, beginning a little later and in small steps.
  func keepOnly(_ retention: Retention, at now: Instant) {
    self.retention = retention
    pruneAt = retention == .all ? nil : now + .seconds(2)
  }

  private func prune(at now: Instant) {
    let isMore = try? writer?.pruneStep(retention, at: Machine.wall(), atMost: Self.pruneStep)
    // A store that is busy is asked again.
    pruneAt = isMore == nil ? now + .seconds(10) : isMore == true ? now + Self.pruneDelay : nil
    // Then the index lets go of it.
    if pruneAt == nil, indexAt == nil { awaitIndex(at: now) }
  }

  private func awaitIndex(at now: Instant) {
    let since = indexWaitsSince ?? now
    indexWaitsSince = since
    indexAt = min(since + Self.longestIndexDelay, now + Self.indexDelay)
  }

  private func index(at now: Instant) {
    indexWaitsSince = nil
    guard let store = writer else {
      indexAt = nil
      return
    }
    var isMore = (try? store.index(atMost: Self.indexStep)) ?? false
    // Then what is left there of texts that were deleted.
    if !isMore { isMore = (try? store.clean()) ?? false }
    // Another program may read just now.
    let isBlocked = !isMore && (try? store.hasTraces()) ?? false
    indexAt = isMore ? now + .milliseconds(20) : isBlocked ? now + Self.cleanDelay : nil
  }
}
