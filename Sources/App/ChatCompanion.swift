import Net

/// What runs beside a chat in the same thread.
protocol ChatCompanion: AnyObject {
  var deadline: Duration? { get }
  func ready(_ ready: Ready, at now: Duration) -> Bool
  func timeReached(at now: Duration)
}
