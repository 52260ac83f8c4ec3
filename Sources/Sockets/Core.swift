import Channel
import FoundationEssentials
import Synchronization
import WebSocket

/// What the two kinds of channels have in common: the tasks' side of it.
///
/// The channel and its sequences of events hold it together; where the last of them goes, the line is closed.
final class Core: Sendable {
  private struct State {
    /// The number of the row of lines that was begun last.
    var channel: Int?
    var pingInterval = Duration.zero
  }

  private let url: URL
  private let configuration: SocketConfiguration
  private let policy: ReconnectPolicy?
  private let inbox: Inbox
  private let outbox: Outbox
  private let state = Mutex(State())

  init(_ url: URL, _ configuration: SocketConfiguration, policy: ReconnectPolicy?) {
    self.url = url
    self.configuration = configuration
    self.policy = policy
    inbox = Inbox(mark: configuration.receiveBuffer)
    outbox = Outbox(mark: configuration.sendBuffer, whenOffline: policy?.whenOffline ?? .wait)
  }

  deinit {
    if let channel = state.withLock({ $0.channel }) { Hub.post(.abandon(channel)) }
  }

  var subprotocol: String? { outbox.subprotocol }

  private func post(_ letter: (Int) -> Letter) {
    if let channel = state.withLock({ $0.channel }) { Hub.post(letter(channel)) }
  }

  // MARK: The line

  /// Begins unless that was done: a channel of one line does it once, another also after its end.
  func connect() {
    let order: Order
    do throws(SocketError) {
      order = try Order(url, configuration)
    } catch {
      return failAtOnce(error)
    }
    state.withLock { state in
      guard mayBegin(state.channel) else { return }
      let channel = Hub.nextChannel()
      state.channel = channel
      inbox.restart()
      outbox.enter(.offline)
      let errand = Errand(
        order: order, policy: policy, pingInterval: state.pingInterval, inbox: inbox,
        outbox: outbox)
      Hub.post(.add(channel, errand))
    }
  }

  private func mayBegin(_ channel: Int?) -> Bool {
    guard channel != nil else { return true }
    guard policy != nil, case .over = outbox.phase else { return false }
    return true
  }

  private func failAtOnce(_ error: SocketError) {
    state.withLock { state in
      guard mayBegin(state.channel) else { return }
      state.channel = Hub.nextChannel()
      inbox.restart()
      var batch = Batch()
      batch.append(policy == nil ? .failed(error) : .gaveUp(error))
      _ = inbox.post(&batch)
      inbox.finish()
      outbox.enter(.over(error))
    }
  }

  /// Begins and suspends until the line is open; gives the attempt up where the task is cancelled.
  func open() async throws {
    try Task.checkCancellation()
    connect()
    do {
      try await outbox.wait(for: .opened)
    } catch {
      post { .close($0, CloseReason(.goingAway)) }
      throw error
    }
    if case .over(let error) = outbox.phase { throw error }
  }

  /// Closes and suspends until that is done; a cancelled task does not wait for it.
  func close(_ code: SocketCloseCode, _ reason: String?) async {
    let number = UInt16(exactly: code.rawValue) ?? CloseCode.noStatus.rawValue
    post { .close($0, CloseReason(CloseCode(rawValue: number), reason ?? "")) }
    try? await outbox.wait(for: .over)
  }

  func keepAlive(every interval: Duration) {
    state.withLock { $0.pingInterval = max(.zero, interval) }
    post { .keepAlive($0, max(.zero, interval)) }
  }

  // MARK: Messages

  func send(_ text: String) async throws {
    let isNews = try await outbox.send(.text) { $0.append(contentsOf: text.utf8) }
    if isNews { post { .send($0) } }
  }

  func send(_ data: Data) async throws {
    let isNews = try await outbox.send(.binary) { $0.append(contentsOf: data) }
    if isNews { post { .send($0) } }
  }

  func flush() async throws {
    try await outbox.wait(for: .flushed)
    switch outbox.phase {
    case .open, .closing: break
    case .offline: throw SocketError.offline
    case .over(let error): throw error
    }
  }

  /// What there is, without suspending: the way of nearly every event.
  func take() -> Inbox.Taken {
    let (taken, resumes) = inbox.take()
    if resumes { post { .resume($0) } }
    return taken
  }

  /// Suspends until there is more. False where the task is cancelled, or another one waits already.
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    await inbox.wait(isolation: isolation)
  }

  /// The next event; nil at the end, and where `wait` says so.
  func next(isolation: isolated (any Actor)?) async -> ResilientEvent? {
    while true {
      switch take() {
      case .event(let event): return event
      case .finished: return nil
      case .nothing: guard await wait(isolation: isolation) else { return nil }
      }
    }
  }
}
