/// Text that a person pasted, or that a draft file holds, as the input line keeps it: line ends are "\n",
/// tabs stay, every other control character (C0, DEL, C1) is left out.
func typedText(from raw: String) -> String {
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
    case 0..<0x20, 0x7F..<0xA0: break
    default: result.append(scalar)
    }
    afterCarriageReturn = false
  }
  return String(result)
}
