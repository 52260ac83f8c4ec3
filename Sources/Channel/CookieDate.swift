/// The dates of Expires as servers write them, by the lenient rules of RFC 6265 section 5.1.1: day, month, year and
/// time in any order, between separators of any kind.
enum CookieDate {
  private static let longest = 100
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Seconds since 1970-01-01T00:00:00Z; nil for what is no date.
  static func seconds(of text: String) -> Int64? {
    guard text.utf8.count <= longest else { return nil }
    var clock: Int64?
    var day: Int64?
    var month: Int64?
    var year: Int64?
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      if clock == nil, let found = secondsOfDay(token) {
        clock = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = monthNumber(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
      }
    }
    guard let clock, let day, let month, let year, year >= 1601, (1...31).contains(day) else {
      return nil
    }
    return CivilDate(year: year, month: month, day: day).daysSince1970 * 86_400 + clock
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// The first digits of a token; what stands behind them must be no digit.
  private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int64? {
    let start = token.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.contains(start.count) else { return nil }
    return Int64(Substring(start))
  }

  private static func secondsOfDay(_ token: Substring.UTF8View) -> Int64? {
    let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count >= 3, let hour = number(parts[0], digits: 1...2), hour < 24,
      let minute = number(parts[1], digits: 1...2), minute < 60,
      let second = number(parts[2], digits: 1...2), second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func monthNumber(_ token: Substring.UTF8View) -> Int64? {
    let name = String(Substring(token.prefix(3))).lowercased()
    return months.firstIndex(of: name).map { Int64($0) + 1 }
  }
}
