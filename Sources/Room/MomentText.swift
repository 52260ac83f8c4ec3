package import Channel

/// Reads a moment as a person writes it: a day (its beginning by the clock here), a day and a time, a time of today, a
/// moment of RFC 3339, "today", "yesterday", or an age such as 7d. Nil for anything else.
package func moment(
  of text: String, now: Timestamp, offset: (Timestamp) -> Int
) -> Timestamp? {
  if let moment = Timestamp(iso8601: text) {
    // Without a zone it is read as UTC: by the clock here it is meant.
    return Timestamp(iso8601: text + "Z") == nil ? moment : here(moment, offset)
  }
  if let age = Retention.milliseconds(ofAge: text) {
    return Timestamp(milliseconds: now.milliseconds - age)
  }
  let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
  guard (1...2).contains(words.count), let first = words.first else { return nil }
  if words.count == 1, let time = minutes(ofDay: first) {
    return moment(day: 0, minutes: time, now, offset)
  }
  var time = 0
  if words.count == 2 {
    guard let minutes = minutes(ofDay: words[1]) else { return nil }
    time = minutes
  }
  switch first.lowercased() {
  case "today": return moment(day: 0, minutes: time, now, offset)
  case "yesterday": return moment(day: -1, minutes: time, now, offset)
  default:
    guard let midnight = Timestamp(iso8601: first + "T00:00Z") else { return nil }
    return here(Timestamp(milliseconds: midnight.milliseconds + Int64(time) * 60_000), offset)
  }
}

/// Such as 09:15 or 9:15.
private func minutes(ofDay text: String) -> Int? {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
    parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
    let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
  else { return nil }
  return hour * 60 + minute
}

private func moment(
  day: Int64, minutes: Int, _ now: Timestamp, _ offset: (Timestamp) -> Int
) -> Timestamp {
  let milliseconds: Int64 = 86_400_000
  let local = now.milliseconds + Int64(offset(now)) * 1_000
  let (quotient, remainder) = local.quotientAndRemainder(dividingBy: milliseconds)
  let midnight = (quotient - (remainder < 0 ? 1 : 0) + day) * milliseconds
  return here(Timestamp(milliseconds: midnight + Int64(minutes) * 60_000), offset)
}

/// The moment at which the clock here shows what the other shows in UTC. The offset may change at that very moment: it
/// is looked up where it is applied.
private func here(_ shown: Timestamp, _ offset: (Timestamp) -> Int) -> Timestamp {
  let guess = Timestamp(milliseconds: shown.milliseconds - Int64(offset(shown)) * 1_000)
  return Timestamp(milliseconds: shown.milliseconds - Int64(offset(guess)) * 1_000)
}
