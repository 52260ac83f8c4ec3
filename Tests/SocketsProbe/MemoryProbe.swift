import Foundation
import Sockets

/// Lets a peer flood a consumer that does not consume, until the peer's sending stands still; then counts.
struct MemoryProbe {
  private static let count = 131_072
  private static let size = 1024
  let base: String

  /// True where 128 MiB of messages went through whole and in order, and little memory.
  func run() async throws -> Bool {
    guard let flood = URL(string: base + "/count?n=\(Self.count)&size=\(Self.size)"),
      let question = URL(string: base + "/how-many")
    else { return false }
    let before = peakKibibytes()
    let channel = SocketChannel(url: flood)
    try await channel.open()
    let asking = SocketChannel(url: question)
    try await asking.open()
    var answers = asking.events.makeAsyncIterator()
    var stands: [SocketEvent] = []
    while stands.count < 5 {
      try await asking.send("?")
      guard let answer = await answers.next() else { return false }
      if stands.last != answer { stands = [] }
      stands.append(answer)
    }
    let slow = peakKibibytes() - before
    print("the peer stopped at \(stands)")
    print("KiB more while nothing was consumed: \(slow)")
    var next = 0
    for await event in channel.events {
      if case .text(let text) = event, text.hasPrefix("\(next) ") { next += 1 }
    }
    let all = peakKibibytes() - before
    print("KiB more after \(next) messages: \(all)")
    return next == Self.count && slow < 16_384 && all < 16_384
  }
}

func peakKibibytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
  return Int(line.filter(\.isNumber)) ?? 0
}
