import JSON

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

/// Values as a TOML document: for drafts of profiles, whose plain keys stand before the sections.
nonisolated enum TOMLText {
  /// The text of an object; what is null is left out.
  static func document(_ root: JSON) -> String {
    let members = root.members ?? []
    let plain = members.filter { $0.value.members == nil && !$0.value.isNull }
    let sections = members.filter { $0.value.members != nil }
    return
      ([plain.map(line).joined()]
      + sections.map { section in
        "[\(key(section.key))]\n"
          + (section.value.members ?? []).filter { !$0.value.isNull }.map(line).joined()
      }).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func line(_ member: JSON.Member) -> String {
    "\(key(member.key)) = \(value(member.value))\n"
  }

  private static func value(_ value: JSON) -> String {
    switch value {
    case .string(let text): quotedTOML(text)
    case .array(let elements):
      "[\(elements.filter { !$0.isNull }.map(Self.value).joined(separator: ", "))]"
    case .object(let members):
      members.isEmpty
        ? "{}"
        : "{ "
          + members.filter { !$0.value.isNull }.map { "\(key($0.key)) = \(Self.value($0.value))" }
          .joined(separator: ", ") + " }"
    default: value.text
    }
  }

  private static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F || $0 == 0x2D
      }
    return isBare ? name : quotedTOML(name)
  }
}
