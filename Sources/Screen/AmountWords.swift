import Channel

/// Amounts in a few columns.
enum AmountWords {
  /// "0 B", "812 B", "12.3 kB", "1.2 MB": by powers of 1000.
  static func bytes(_ count: Double) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB"]
    var value = max(0, count)
    var unit = 0
    while value >= 999.95, unit + 1 < units.count {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(Int(value.rounded())) B" : "\(oneDigit(value)) \(units[unit])"
  }

  /// With one digit behind the point, where it says something: "0.3", "12", "1 204".
  static func rate(_ value: Double) -> String {
    value >= 10 || value == 0 ? count(Int(value.rounded())) : oneDigit(value)
  }

  /// Digits in groups of three: "12 345 678".
  static func count(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += " " }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
  }

  static func messages(_ number: Int) -> String {
    number == 1 ? "1 message" : "\(count(number)) messages"
  }

  /// "98 %", and "99.9 %" where it is close to all.
  static func percent(_ share: Double) -> String {
    let percent = min(max(0, share), 1) * 100
    if percent >= 99, percent < 99.95 { return oneDigit(percent) + " %" }
    return "\(Int(percent.rounded())) %"
  }

  private static func oneDigit(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
