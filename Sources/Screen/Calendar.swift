import Channel

/// A moment in the person's own time: the day as a number, and the minute of the day.
struct LocalTime: Equatable {
  /// Days since 1970-01-01.
  var day: Int
  var minute: Int

  init(_ time: Timestamp, offset: (Timestamp) -> Int) {
    let zone = Int64(max(-86_400, min(86_400, offset(time))))
    let seconds = floorDivide(time.milliseconds, 1000).quotient
    let (day, second) = floorDivide(seconds + zone, 86_400)
    self.day = Int(day)
    minute = Int(second / 60)
  }

  /// Such as 09:12.
  var clock: String {
    "\(twoDigits(minute / 60)):\(twoDigits(minute % 60))"
  }

  /// Such as "Tue 3 March 2026".
  var date: String {
    let civil = civilDate(day)
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    let weekday = Int(floorDivide(Int64(day), 7).remainder)
    return "\(weekdays[weekday]) \(civil.day) \(months[civil.month - 1]) \(civil.year)"
  }
}

func twoDigits(_ number: Int) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}

private func floorDivide(_ left: Int64, _ right: Int64) -> (quotient: Int64, remainder: Int64) {
  let (quotient, remainder) = left.quotientAndRemainder(dividingBy: right)
  return remainder < 0 ? (quotient - 1, remainder + right) : (quotient, remainder)
}

/// The Gregorian date of a day since 1970-01-01. Years are counted from March, so that the leap day is
/// the last of its year, in eras of 400 years, which all have 146 097 days.
private func civilDate(_ day: Int) -> (year: Int, month: Int, day: Int) {
  let (era, dayOfEra) = floorDivide(Int64(day) + 719_468, 146_097)
  let yearOfEra =
    (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (Int(year), Int(month), Int(dayOfMonth))
}
