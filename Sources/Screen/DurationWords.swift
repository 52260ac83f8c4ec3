extension Duration {
  private var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let product = seconds.multipliedReportingOverflow(by: 1000)
    guard !product.overflow else { return seconds < 0 ? .min : .max }
    return product.partialValue + attoseconds / 1_000_000_000_000_000
  }

  /// A measured time: "<1 ms", "38 ms", "1.2 s", "45 s".
  var measured: String {
    let milliseconds = max(0, wholeMilliseconds)
    switch milliseconds {
    case 0: return "<1 ms"
    case ..<1000: return "\(milliseconds) ms"
    case ..<10_000: return "\(milliseconds / 1000).\(milliseconds / 100 % 10) s"
    default: return Duration.seconds(milliseconds / 1000).spelled
    }
  }

  /// A round trip, with tenths where they say something: "0.21 ms", "3.8 ms", "38 ms", "1.2 s".
  var precise: String {
    let (seconds, attoseconds) = components
    let microseconds = attoseconds / 1_000_000_000_000
    guard seconds == 0, (0..<10_000).contains(microseconds) else { return measured }
    let hundredths = microseconds / 10
    let digits = String(100 + hundredths % 100).dropFirst()
    return "\(hundredths / 100).\(hundredths < 100 ? digits : digits.prefix(1)) ms"
  }

  /// A time that is waited for, rounded up, of fixed width while it runs: "07 s", "1 min 07 s".
  var countdown: String {
    let milliseconds = max(0, wholeMilliseconds)
    let seconds = milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0)
    guard seconds >= 60 else { return twoDigits(Int(seconds)) + " s" }
    return Duration.seconds(seconds).spelled
  }

  /// Whole seconds in words: "45 s", "3 min 05 s", "2 h 03 min".
  private var spelled: String {
    let seconds = Int(wholeMilliseconds / 1000)
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(twoDigits(seconds % 60)) s"
    default: return "\(seconds / 3600) h \(twoDigits(seconds / 60 % 60)) min"
    }
  }
}
