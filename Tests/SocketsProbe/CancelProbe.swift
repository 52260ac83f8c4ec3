import Foundation
import Glibc
import Sockets
import Synchronization
import TestKit

/// Where a task is that is going to be cancelled.
final class Gate: Sendable {
  private let steps = Atomic(0)

  /// The task goes on to what it may have to wait for.
  func step() { steps.add(1, ordering: .relaxed) }

  /// Until the task has come to its point and goes no further.
  func standsStill() async {
    var before = 0
    var still = 0
    while still < 1000 {
      await Task.yield()
      let now = steps.load(ordering: .relaxed)
      still = now == before && now > 0 ? still + 1 : 0
      before = now
    }
  }
}

/// Cancels a task at every point where it can wait, many times, and counts what is left.
struct CancelProbe {
  let base: String
  let repetitions: Int

  private func places(_ silent: SilentServer) -> CancelPlaces? {
    guard let echo = URL(string: base + "/echo"), let stuck = URL(string: base + "/stuck"),
      let mute = silent.url, let nobody = URL(string: "ws://127.0.0.1:1/"),
      let unknown = URL(string: "ws://nowhere.invalid/")
    else { return nil }
    return CancelPlaces(echo: echo, stuck: stuck, mute: mute, nobody: nobody, unknown: unknown)
  }

  func run() async -> Bool {
    let silent = SilentServer()
    guard let places = places(silent) else { return false }
    // What a first use leaves behind in the libraries is none of ours.
    do { try await conversation(places) } catch { print("warm-up: \(error)") }
    await idle()
    let before = descriptors()
    var isWhole = true
    for point in CancelPoint.allCases {
      let begin = ContinuousClock.now
      for repetition in 0..<repetitions {
        let gate = Gate()
        let task = Task { try await point.run(places, gate) }
        // Half of them on the way to the point, half of them there.
        if repetition % 2 == 0 {
          for _ in 0..<(repetition * 50) { await Task.yield() }
        } else {
          await gate.standsStill()
        }
        task.cancel()
        _ = await task.result
      }
      print("\(point): \(repetitions) in \(ContinuousClock.now - begin)")
    }
    if await !oneThreadDrivesAll(places) { isWhole = false }
    // From before the first step to behind the last.
    for steps in 0..<(repetitions * 5) {
      let task = Task { try await conversation(places) }
      for _ in 0..<(steps * 40) { await Task.yield() }
      task.cancel()
      _ = await task.result
    }
    await idle(downTo: before)
    for (name, count) in [("descriptors", descriptors() - before), ("threads", drivingThreads())] {
      print("\(name) left: \(count)")
      if count != 0 { isWhole = false }
    }
    withExtendedLifetime(silent) {}
    return isWhole
  }

  private func oneThreadDrivesAll(_ places: CancelPlaces) async -> Bool {
    let channels = (0..<50).map { _ in CancelPoint.channel(places.echo) }
    for channel in channels { try? await channel.open() }
    let count = drivingThreads()
    print("threads for \(channels.count) channels: \(count)")
    for channel in channels { await channel.close() }
    return count == 1
  }

  private func conversation(_ places: CancelPlaces) async throws {
    let channel = CancelPoint.channel(places.echo)
    channel.keepAlive(every: .milliseconds(1))
    try await channel.open()
    for number in 0..<10 { try await channel.send("\(number)") }
    try await channel.flush()
    var texts = 0
    for await event in channel.events {
      if case .text = event { texts += 1 }
      if texts == 10 { break }
    }
    await channel.close()
  }

  // MARK: What is left

  /// Until the driving thread has ended, and the look-ups: nobody can cancel getaddrinfo, which lets go of its
  /// descriptors when it returns. What is leaked stays, however long this waits.
  private func idle(downTo wanted: Int? = nil) async {
    while Hub.isRunning || drivingThreads() > 0 { await Task.yield() }
    let end = ContinuousClock.now + .seconds(60)
    while let wanted, descriptors() > wanted, ContinuousClock.now < end { await Task.yield() }
  }

  private func descriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }

  private func drivingThreads() -> Int { Hub.threads.load(ordering: .relaxed) }
}
