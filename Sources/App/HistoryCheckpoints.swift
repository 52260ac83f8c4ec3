import Net
import Store
import Synchronization

/// Moves what was written from the log of the store into its file, on a thread of its own: it waits for the disk, and a
/// key would wait with it.
final class HistoryCheckpoints {
  /// The log of a store that is read all the time cannot begin anew; then the write itself waits.
  private static let mostLogPages = 16 * Store.usualLogPages

  private var errand: Errand?
  /// The log had that many pages when the last errand began.
  private var pagesThen = 0

  /// To be called behind each write.
  func follow(_ store: Store) {
    let pages = store.logPages
    if pages < pagesThen { pagesThen = 0 }
    guard pages - pagesThen >= Store.usualLogPages,
      errand?.isDone.load(ordering: .acquiring) ?? true
    else { return }
    pagesThen = pages
    guard pages < Self.mostLogPages else {
      Store.checkpoint(store.path)
      return
    }
    let errand = Errand(path: store.path)
    self.errand = errand
    let carried = Unmanaged.passRetained(errand)
    do throws(SystemFailure) {
      try startDetachedThread(that: "moves the history", runErrand, carried.toOpaque())
    } catch {
      carried.release()
      self.errand = nil
      Store.checkpoint(store.path)
    }
  }
}

/// What the thread carries.
private nonisolated final class Errand: Sendable {
  let path: String
  let isDone = Atomic(false)

  init(path: String) {
    self.path = path
  }
}

private nonisolated func runErrand(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
{
  guard let pointer else { return nil }
  let errand = Unmanaged<Errand>.fromOpaque(pointer).takeRetainedValue()
  Store.checkpoint(errand.path)
  errand.isDone.store(true, ordering: .releasing)
  return nil
}
