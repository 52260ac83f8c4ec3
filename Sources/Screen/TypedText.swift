/// Text that a person pasted, or that a draft file holds, as the input line keeps it: line ends are "\n",
/// tabs stay; of every other control character its picture is kept (U+2400 …; for C1 U+FFFD), so that it is
/// seen, and nobody's terminal obeys it.
package func typedText(from raw: String) -> String {
  var result = String.UnicodeScalarView()
  var afterCarriageReturn = false
  for scalar in raw.unicodeScalars {
    switch scalar.value {
    case 0x0D:
      result.append("\n")
      afterCarriageReturn = true
      continue
    case 0x0A where afterCarriageReturn:
      // The second half of "\r\n": the line break is there already.
      break
    case 0x09, 0x0A: result.append(scalar)
    case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
    case 0x7F: result.append("\u{2421}")
    case 0x80..<0xA0: result.append("\u{FFFD}")
    default: result.append(scalar)
    }
    afterCarriageReturn = false
  }
  return String(result)
}
