/// The dates of RFC 9110 section 5.6.7: IMF-fixdate, such as "Sun, 06 Nov 1994 08:49:37 GMT", and the two obsolete forms
/// that have to be read as well.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970-01-01T00:00:00Z; nil for anything else.
  static func seconds(of text: String) -> Int64? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    if isObsolete(parts) { return CookieDate.seconds(of: text) }
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
      let day = number(parts[1], digits: 2), (1...31).contains(day),
      let month = months.firstIndex(of: String(parts[2])),
      let year = number(parts[3], digits: 4)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3,
      let hour = number(clock[0], digits: 2), hour < 24,
      let minute = number(clock[1], digits: 2), minute < 60,
      let second = number(clock[2], digits: 2), second <= 60
    else { return nil }
    return CivilDate(year: year, month: Int64(month) + 1, day: day).daysSince1970 * 86_400
      + hour * 3600 + minute * 60 + second
  }

  /// "Sunday, 06-Nov-94 08:49:37 GMT" of RFC 850, or "Sun Nov  6 08:49:37 1994" of asctime, by their outlines.
  private static func isObsolete(_ parts: [Substring]) -> Bool {
    if parts.count == 4 { return parts[0].hasSuffix("day,") && parts[3] == "GMT" }
    let words = parts.filter { !$0.isEmpty }
    return words.count == 5 && words[0].count == 3 && months.contains(String(words[1]))
  }

  private static func number(_ text: Substring, digits: Int) -> Int64? {
    guard text.utf8.count == digits,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(text)
  }
}
