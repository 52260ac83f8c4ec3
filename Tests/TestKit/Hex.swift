/// Literal wire bytes: `hex("81 05 48656c6c6f")`. Blanks and line breaks are passed over.
package func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap { character -> UInt8? in
    if character.isWhitespace { return nil }
    guard let digit = character.hexDigitValue else {
      preconditionFailure("\(character) is no hexadecimal digit in \(text)")
    }
    return UInt8(digit)
  }
  precondition(digits.count.isMultiple(of: 2), "half a byte too many in \(text)")
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
