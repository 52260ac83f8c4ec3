/// A text as TOML writes it in quotes. What a terminal would obey, or would not show, stands as its number.
nonisolated func quotedTOML(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator,
      .paragraphSeparator:
      let digits = String(scalar.value, radix: 16)
      let width = digits.count > 4 ? 8 : 4
      quoted += width == 8 ? "\\U" : "\\u"
      quoted += String(repeating: "0", count: width - digits.count) + digits
    default:
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
