extension Timestamp {
  /// Reads RFC 3339 / ISO 8601 date-times; nil for anything else, and for what is outside of the years 0000 … 9999 in UTC.
  ///
  /// Taken are `2026-01-01T00:00:07Z`, a space or `t` instead of `T`, no seconds, fractions of any length
  /// (cut to milliseconds), `z`, zones as `+02:00`, `+0200` or `+02`, and none. A leap second (`:60`) counts as the
  /// second after it.
  package init?(iso8601 text: String) {
    var reader = DateTimeReader(text)
    guard let milliseconds = reader.read() else { return nil }
    self.init(writable: milliseconds)
  }

  /// RFC 3339 in UTC with milliseconds where they are not zero, such as 2026-01-01T00:00:07Z. Years outside
  /// of 0000 … 9999 have a sign or more digits, as ISO 8601 writes them.
  package var iso8601: String {
    text(isExact: milliseconds % 1000 != 0)
  }

  /// The same with milliseconds always, so that they stand below one another.
  var iso8601Milliseconds: String {
    text(isExact: true)
  }

  private func text(isExact: Bool) -> String {
    let day = milliseconds.flooredQuotient(86_400_000)
    let date = CivilDate(daysSince1970: day)
    let inDay = milliseconds.flooredRemainder(86_400_000)
    let fraction = inDay % 1000
    let seconds = inDay / 1000
    let years = padded(date.year.magnitude, 4)
    let sign = date.year < 0 ? "-" : date.year > 9999 ? "+" : ""
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { padded($0.magnitude, 2) }.joined(separator: ":")
    let tail = isExact ? ".\(padded(fraction.magnitude, 3))Z" : "Z"
    return "\(sign)\(years)-\(padded(date.month.magnitude, 2))-\(padded(date.day.magnitude, 2))"
      + "T\(clock)\(tail)"
  }
}

private func padded(_ number: UInt64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension Int64 {
  package func flooredQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  package func flooredRemainder(_ divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

/// A date of the Gregorian calendar, extended to all years.
package struct CivilDate {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day comes last, and repeat
  /// every 400 years of 146 097 days.
  package init(daysSince1970: Int64) {
    let shifted = daysSince1970 + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = shifted.flooredRemainder(146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  var isReal: Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    switch month {
    case 2: return day <= (isLeapYear ? 29 : 28)
    case 4, 6, 9, 11: return day <= 30
    default: return day <= 31
    }
  }

  /// The reverse, `days_from_civil`.
  var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.flooredQuotient(400)
    let yearOfEra = shiftedYear.flooredRemainder(400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

private struct DateTimeReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    // Longer than any date-time with a sensible fraction.
    bytes = Array(text.utf8.prefix(65))
  }

  mutating func read() -> Int64? {
    guard bytes.count <= 64,
      let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      take("T") || take("t") || take(" "),
      let hour = digits(2), take(":"), let minute = digits(2)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isReal, hour <= 23, minute <= 59 else { return nil }
    var second: Int64 = 0
    var fraction: Int64 = 0
    if take(":") {
      guard let value = digits(2), value <= 60 else { return nil }
      second = value
      if take(".") || take(",") {
        guard let value = milliseconds() else { return nil }
        fraction = value
      }
    }
    // Without a zone it is what databases keep: UTC.
    guard let offset = position == bytes.count ? 0 : zone(), position == bytes.count else {
      return nil
    }
    let minutes = date.daysSince1970 * 1440 + hour * 60 + minute - offset
    return (minutes * 60 + second) * 1000 + fraction
  }

  /// Minutes east of Greenwich.
  private mutating func zone() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let sign: Int64
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), hours <= 23 else { return nil }
    guard position < bytes.count else { return sign * hours * 60 }
    _ = take(":")
    guard let minutes = digits(2), minutes <= 59 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private mutating func milliseconds() -> Int64? {
    var value: Int64 = 0
    var count = 0
    while position < bytes.count, let digit = digit(at: position) {
      if count < 3 { value = value * 10 + digit }
      count += 1
      position += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 3)..<3 { value *= 10 }
    return value
  }

  private mutating func digits(_ count: Int) -> Int64? {
    guard bytes.count - position >= count else { return nil }
    var value: Int64 = 0
    for index in position..<position + count {
      guard let digit = digit(at: index) else { return nil }
      value = value * 10 + digit
    }
    position += count
    return value
  }

  private func digit(at index: Int) -> Int64? {
    let byte = bytes[index]
    guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    return Int64(byte - UInt8(ascii: "0"))
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
