/// The calendar, for the times of messages.
enum WallTime {
  /// RFC 3339 in UTC, always with milliseconds: 2026-01-01T00:00:07.000Z. Moments outside of the years
  /// 1970 to 9999 are moved to the nearer end, as the format has four digits for the year.
  static func iso8601(milliseconds: Int64) -> String {
    let clamped = max(0, min(milliseconds, 253_402_300_799_999))
    let (days, rest) = clamped.quotientAndRemainder(dividingBy: 86_400_000)
    let date = civil(days: Int(days))
    let seconds = Int(rest / 1000)
    return
      "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
      + "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
      + ".\(digits(Int(rest % 1000), 3))Z"
  }

  /// The Gregorian date of a day counted from 1970-01-01. Years are counted from March, so that the leap day
  /// stands at the end; an era is 400 of them.
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  private static func digits(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
