import Channel
import TestKit
import Testing
import WebSocket

/// 10 000 clients whose server restarts: how many of them are back in the busiest second.
///
/// The delays are those of the contract: before attempt n first × 2^(n−1), and a quarter of it at random. All lines break
/// in the same moment, so attempt 1 comes from everybody between 1 s and 1.25 s later: a server that is back within
/// a second gets all of them at once, and no jitter of a quarter can help that (a longer `--first-delay` does). From there
/// on each attempt is spread over twice the time of the one before, and the busiest second of attempt n gets
/// at most 1 / (0.25 × 2^(n−1)) of the clients: what the random part of its own delay alone spreads them to, before
/// those of the earlier attempts spread them further. Measured with these seeds:
///
/// | away for | back at attempt | bound | busiest second |
/// |---|---|---|---|
/// | 0.5 s | 1 | 100 % | 100 % |
/// | 2 s | 2 | 100 % | 100 % |
/// | 5 s | 3 | 100 % | 87 % |
/// | 10 s | 4 | 50 % | 49 % |
/// | 30 s | 5 | 25 % | 25 % |
/// | 60 s | 6 | 12.5 % | 13 % |
/// | 120 s | 7 | 6.7 % | 7 % |
@Suite struct HerdTests {
  private static let clients = 10_000
  private static let attempts = 7

  /// When each client dials, in milliseconds after its line broke: the server stays away. Whenever it comes back, the
  /// first dial behind that is the one that gets through.
  private static let dials: [[Int64]] = {
    guard var opened = (try? SessionHarness { $0.backoff.jitter = 0.25 }) else {
      return []
    }
    opened.open()
    opened.advance(.seconds(9))
    let refused = Failure(kind: .tcp, message: "Connection refused")
    return (1...clients).map { seed in
      // The session is a value: everybody begins with the same line, and dice of its own.
      var session = opened.session
      var entropy = Entropy.seeded(UInt64(seed))
      var link = opened.link
      var now = opened.now
      return (1...attempts).map { _ in
        _ = session.handle(.linkEnded(link, refused), at: now, entropy: &entropy)
        now = session.deadline ?? now
        for case .openLink(let next, _) in session.handle(.timeReached, at: now, entropy: &entropy)
        {
          link = next
        }
        let (seconds, attoseconds) = (now - opened.now).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
      }
    }
  }()

  /// The largest share within any 1000 ms.
  private func busiestSecond(_ times: [Int64]) -> Double {
    let sorted = times.sorted()
    var most = 0
    var first = 0
    for (index, time) in sorted.enumerated() {
      while time - sorted[first] >= 1000 { first += 1 }
      most = max(most, index - first + 1)
    }
    return Double(most) / Double(times.count)
  }

  /// The bound, with a hundredth for the dice.
  @Test(arguments: [
    (500, 1, 1.0), (2000, 2, 1.0), (5000, 3, 1.0), (10_000, 4, 0.5), (30_000, 5, 0.25),
    (60_000, 6, 0.125), (120_000, 7, 1.0 / 15),
  ])
  func theBusiestSecondAfterARestartHasItsBound(
    outage: Int64, attempt: Int, bound: Double
  ) throws {
    let times = try Self.dials.map { try #require($0.first { $0 >= outage }) }
    #expect(times.count == Self.clients)
    #expect(busiestSecond(times) <= bound + 0.01)
    // All of them come with the same attempt: between its delays without and with all jitter.
    let least = (1...Int64(attempt)).map { min(1000 << ($0 - 1), 60_000) }.reduce(0, +)
    #expect(times.allSatisfy { $0 >= least && $0 <= least * 5 / 4 })
  }

  /// A server that is overrun in the first second tells everybody to come back in 30 s: a quarter of jitter spreads
  /// them over 7.5 s, where they would otherwise come as close together as they came before.
  @Test func thoseWhoWereToldTheSamePauseDoNotComeBackAtOnce() {
    var dice = Entropy.seeded(1)
    let times = Self.dials.map { dials in
      let delay = Backoff().delay(
        beforeAttempt: 2, notBefore: .seconds(30), random: dice.unit())
      return dials[0] + delay.components.seconds * 1000
        + delay.components.attoseconds / 1_000_000_000_000_000
    }
    #expect(times.allSatisfy { $0 >= 31_000 })
    #expect(busiestSecond(times) <= 1 / 7.5 + 0.015)
  }
}
