import Foundation
import Synchronization
import Testing

/// Runs the tests of a suite on threads of their own.
///
/// These tests wait in poll(2) for programs that they started. On the threads that async code shares, as many as there
/// are cores, only so many of them could wait at once, and everything else would wait behind them.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// Runs the tests on threads of their own, since they block.
  static var ownThreads: Self { Self() }
}

/// A fixed number of threads that take the jobs of tasks in their order.
final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads(count: 8)

  private let jobs = Mutex<[UnownedJob]>([])
  private let arrived = DispatchSemaphore(value: 0)

  private init(count: Int) {
    for _ in 0..<count { Thread.detachNewThread { [self] in work() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrived.signal()
  }

  private func work() {
    while true {
      arrived.wait()
      let job = jobs.withLock { $0.removeFirst() }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
