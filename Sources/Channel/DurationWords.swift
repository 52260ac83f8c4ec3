extension Duration {
  /// For sentences: "250 ms", "10 s", "2.5 s", "90 s". Rounded to milliseconds.
  package var words: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if seconds == 0 { return "\(milliseconds) ms" }
    let fraction = abs(milliseconds)
    if fraction == 0 { return "\(seconds) s" }
    var digits = String(fraction + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(seconds).\(digits) s"
  }
}
