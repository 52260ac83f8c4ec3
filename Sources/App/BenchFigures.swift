import Channel
import Glibc

/// What a run took, from behind the opening handshake to its end.
struct BenchFigures {
  var seconds: Double
  /// User and system, of all threads.
  var processorSeconds: Double
  /// Nanoseconds of each round trip; empty where none was measured.
  var roundTrips: [Int64] = []
  /// Bytes of a message, where the server decides about that.
  var size: Int?

  /// The JSON line of `parlour bench`.
  func line(for plan: BenchPlan) -> String {
    let sorted = roundTrips.sorted()
    let rate = Double(plan.count) / seconds
    let size = size ?? plan.size
    return "{\"client\":\"parlour\",\"job\":\"\(plan.job.rawValue)\",\"n\":\(plan.count),"
      + "\"size\":\(size),\"tls\":\(plan.endpoint.isSecure),"
      + "\"seconds\":\(decimal(seconds, places: 6)),\"msgs_per_s\":\(decimal(rate, places: 1)),"
      + "\"mb_per_s\":\(decimal(rate * Double(size) / 1e6, places: 3)),"
      + "\"p50_us\":\(Self.microseconds(of: sorted, share: 0.5)),"
      + "\"p99_us\":\(Self.microseconds(of: sorted, share: 0.99)),"
      + "\"cpu_s\":\(decimal(processorSeconds, places: 6)),"
      + "\"max_rss_kb\":\(Self.peakResidentKilobytes)}"
  }

  private static func microseconds(of sorted: [Int64], share: Double) -> String {
    guard !sorted.isEmpty else { return "null" }
    let index = share == 0.5 ? sorted.count / 2 : Int(Double(sorted.count - 1) * share)
    return decimal(Double(sorted[index]) / 1000, places: 2)
  }

  /// The peak of this program's image: what getrusage tells may be that of the program that started it.
  private static var peakResidentKilobytes: Int {
    guard let text = try? readTextFile("/proc/self/status") else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter { "0"..."9" ~= $0 }) } ?? 0
  }
}

/// A moment of a run: the time that has passed and that of the processor.
struct BenchMoment {
  private let time = BenchMoment.nanoseconds()
  private let processorSeconds = BenchMoment.processorSeconds()

  func figures(roundTrips: [Int64] = []) -> BenchFigures {
    BenchFigures(
      // A run shorter than the clock's step would make a rate without bounds.
      seconds: Double(max(1, BenchMoment.nanoseconds() - time)) / 1e9,
      processorSeconds: BenchMoment.processorSeconds() - processorSeconds, roundTrips: roundTrips)
  }

  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}

/// A number that is not negative, with so many places behind the point.
private func decimal(_ number: Double, places: Int) -> String {
  let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int64((number * Double(scale)).rounded())
  let fraction = String(scaled % Int64(scale))
  return "\(scaled / Int64(scale))." + String(repeating: "0", count: places - fraction.utf8.count)
    + fraction
}
