/// Hands out the tokens of one reactor; none is used twice.
final class Tokens {
  private var last: UInt64 = 0

  func next() -> UInt64 {
    last += 1
    return last
  }
}
