/// Reads durations as options have them: 250ms, 30s, 2m, 1h; a bare number means seconds.
///
/// Nil for anything else, for negative ones and for those beyond 365 days.
package nonisolated func parseDuration(_ text: String) -> Duration? {
  let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
  let unit = text[digits.endIndex...]
  let millisecondsPerUnit: Double
  switch unit {
  case "ms": millisecondsPerUnit = 1
  case "", "s": millisecondsPerUnit = 1000
  case "m": millisecondsPerUnit = 60_000
  case "h": millisecondsPerUnit = 3_600_000
  default: return nil
  }
  guard let number = Double(digits), number.isFinite else { return nil }
  let milliseconds = (number * millisecondsPerUnit).rounded()
  guard milliseconds >= 0, milliseconds <= 365 * 86_400_000 else { return nil }
  return .milliseconds(Int64(milliseconds))
}

/// Reads sizes in bytes: 65536, 64KiB, 16MiB (K, KiB, M, MiB, G, GiB mean powers of 1024).
package nonisolated func parseByteCount(_ text: String) -> Int? {
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  let shift: Int
  switch text[digits.endIndex...] {
  case "": shift = 0
  case "K", "KiB": shift = 10
  case "M", "MiB": shift = 20
  case "G", "GiB": shift = 30
  default: return nil
  }
  guard let number = Int(digits), number > 0 else { return nil }
  let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
  return overflows || bytes > 1 << 40 ? nil : bytes
}
