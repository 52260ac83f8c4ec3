import Channel

/// A moment in the person's own time: the day as a number, and the minute of the day.
struct LocalTime: Equatable {
  /// Days since 1970-01-01.
  var day: Int
  var minute: Int

  init(_ time: Timestamp, offset: (Timestamp) -> Int) {
    let zone = Int64(max(-86_400, min(86_400, offset(time))))
    let seconds = time.milliseconds.flooredQuotient(1000) + zone
    day = Int(seconds.flooredQuotient(86_400))
    minute = Int(seconds.flooredRemainder(86_400) / 60)
  }

  /// Such as 09:12.
  var clock: String {
    "\(twoDigits(minute / 60)):\(twoDigits(minute % 60))"
  }

  /// Such as 2026-03-03.
  var shortDate: String {
    let civil = CivilDate(daysSince1970: Int64(day))
    return "\(civil.year)-\(twoDigits(Int(civil.month)))-\(twoDigits(Int(civil.day)))"
  }

  /// Such as 09:12:30.123.
  static func precise(_ time: Timestamp, offset: (Timestamp) -> Int) -> String {
    let local = LocalTime(time, offset: offset)
    let milliseconds = time.milliseconds.flooredRemainder(60_000)
    // Zones are shifted by whole minutes since the last of them with seconds was given up in 1972.
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    return "\(local.clock):\(twoDigits(Int(milliseconds / 1000))).\(fraction)"
  }

  /// Such as "Tue 3 March 2026".
  var date: String {
    let civil = CivilDate(daysSince1970: Int64(day))
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    let weekday = Int(Int64(day).flooredRemainder(7))
    return "\(weekdays[weekday]) \(civil.day) \(months[Int(civil.month) - 1]) \(civil.year)"
  }
}

func twoDigits(_ number: Int) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}
