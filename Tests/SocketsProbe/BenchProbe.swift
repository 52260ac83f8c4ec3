import Foundation
import Glibc
import Sockets

/// The jobs of `parlour bench` through `SocketChannel`: one JSON line with the figures.
struct BenchProbe {
  private let job: String
  private let url: URL
  private var count = 1000
  private var size = 125

  init(_ arguments: [String]) throws {
    job = arguments[0]
    guard let url = URL(string: arguments[1]) else { throw CocoaError(.formatting) }
    self.url = url
    for (name, value) in zip(arguments, arguments.dropFirst()) {
      if name == "--count" { count = Int(value) ?? count }
      if name == "--size" { size = Int(value) ?? size }
    }
  }

  func run() async throws {
    var configuration = SocketConfiguration()
    configuration.offersCompression = false
    configuration.tls.isInsecure = true
    let channel = SocketChannel(url: url, configuration: configuration)
    try await channel.open()
    let cpu = cpuSeconds()
    let start = ContinuousClock.now
    switch job {
    case "flood": try await flood(channel)
    case "sink": try await sink(channel)
    default: try await echo(channel)
    }
    let time = start.duration(to: .now) / .seconds(1)
    await channel.close()
    print(
      """
      {"client":"sockets","job":"\(job)","n":\(count),"size":\(size),"tls":\(url.scheme == "wss"),\
      "seconds":\(time),"msgs_per_s":\(Double(count) / time),\
      "mb_per_s":\(Double(count * size) / time / 1e6),"p50_us":null,"p99_us":null,\
      "cpu_s":\(cpuSeconds() - cpu),"max_rss_kb":\(peakKibibytes())}
      """)
  }

  private func flood(_ channel: SocketChannel) async throws {
    try await channel.send("go")
    var received = 0
    var bytes = 0
    for await event in channel.events {
      guard case .text(let text) = event else { continue }
      received += 1
      bytes += text.utf8.count
    }
    guard received == count, bytes == count * size else { throw CocoaError(.coderReadCorrupt) }
  }

  private func sink(_ channel: SocketChannel) async throws {
    let text = String(repeating: "x", count: size)
    for _ in 0..<count { try await channel.send(text) }
    try await channel.send("done")
    for await event in channel.events {
      if case .text(let answer) = event, answer.contains("bytes") { return }
    }
  }

  private func echo(_ channel: SocketChannel) async throws {
    let text = String(repeating: "x", count: size)
    var events = channel.events.makeAsyncIterator()
    _ = await events.next()
    for _ in 0..<count {
      try await channel.send(text)
      _ = await events.next()
    }
  }

  private func cpuSeconds() -> Double {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}
