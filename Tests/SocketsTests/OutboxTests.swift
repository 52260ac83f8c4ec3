import Foundation
import Testing
import WebSocket

@testable import Sockets

@Suite struct OutboxTests {
  private func isReached(_ purpose: Outbox.Purpose, _ outbox: Outbox) async -> Bool {
    // A cancelled task does not wait: what is not so at once is told by the error.
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await outbox.wait(for: purpose)
    }
    if case .success = await task.result { return true }
    return false
  }

  /// The driving thread masks and writes what it has taken; a message is not flushed meanwhile, though the queue is
  /// empty, and it keeps its place in the bound.
  @Test(arguments: ["", "hello", String(repeating: "x", count: 100)])
  func whatWasTakenIsNotFlushedBeforeItHasLeft(text: String) async throws {
    let outbox = Outbox(mark: SocketBuffer(bytes: 100, messages: 10), whenOffline: .wait)
    outbox.enter(.open)
    #expect(try await outbox.send(.text) { $0.append(contentsOf: text.utf8) })
    var queue = MessageQueue()
    outbox.take(&queue)
    #expect(queue.count == 1)
    #expect(await !isReached(.flushed, outbox))
    #expect(await isReached(.room, outbox) == (text.utf8.count < 100))
    outbox.update(unsent: 0)
    #expect(await isReached(.flushed, outbox))
    #expect(await isReached(.room, outbox))
  }

  @Test func anErrorDescribesItselfByItsSentence() {
    let error: any Error = SocketError(kind: .dns, message: "There is no host named x.")
    #expect(error.localizedDescription == "There is no host named x.")
  }
}
