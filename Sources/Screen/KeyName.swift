/// How people write keys: `^X`, `M-f`, `F5`, `C-M-k`, `PgUp`, and several in a row as `^X^E` or `^X e`.
package enum KeyName {
  /// The most keys that one binding waits for.
  static let longestChord = 3

  private struct Modifiers {
    var control = false
    var alt = false
    var shift = false

    var isNone: Bool { !control && !alt && !shift }
  }

  private static let modifiers: [(word: String, set: @Sendable (inout Modifiers) -> Void)] = [
    ("ctrl", { $0.control = true }), ("control", { $0.control = true }),
    ("c", { $0.control = true }), ("alt", { $0.alt = true }), ("meta", { $0.alt = true }),
    ("m", { $0.alt = true }), ("a", { $0.alt = true }), ("shift", { $0.shift = true }),
    ("s", { $0.shift = true }),
  ]

  /// The keys without a character of their own: plain, with Ctrl, with Alt, with Shift. Nil where terminals
  /// do not tell it apart, or Parlour does not.
  private static let named: [(names: [String], plain: Key, control: Key?, alt: Key?, shift: Key?)] =
    [
      (["Enter", "Return", "RET"], .enter, .altEnter, .altEnter, .altEnter),
      (["Tab", "TAB"], .tab, nil, nil, .backTab),
      (["Backspace", "BackSpace", "BS"], .backspace, .altBackspace, .altBackspace, .backspace),
      (["Delete", "Del"], .delete, .alt("d"), .alt("d"), .delete),
      (["Esc", "Escape", "ESC"], .escape, nil, nil, nil),
      (["Up"], .up, .controlUp, .altUp, nil), (["Down"], .down, .controlDown, .altDown, nil),
      (["Left"], .left, .controlLeft, .controlLeft, nil),
      (["Right"], .right, .controlRight, .controlRight, nil),
      (["Home"], .home, .controlHome, nil, nil), (["End"], .end, .controlEnd, nil, nil),
      (["PgUp", "PageUp", "Prior"], .pageUp, .controlPageUp, nil, nil),
      (["PgDn", "PageDown", "Next"], .pageDown, .controlPageDown, nil, nil),
      (["Insert", "Ins"], .insert, nil, nil, nil),
      (["BackTab"], .backTab, nil, nil, nil),
      (["WheelUp"], .wheelUp, nil, nil, nil), (["WheelDown"], .wheelDown, nil, nil, nil),
      (["Space", "SPC"], .character(" "), .control("@"), .alt(" "), nil),
    ]

  // MARK: Reading

  /// The keys of a name, one or several in a row; nil where it is no name of a key that can be told apart.
  package static func read(_ text: String) -> [Key]? {
    guard text.utf8.count <= 64 else { return nil }
    var keys: [Key] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      var rest = word
      while !rest.isEmpty {
        guard let key = readKey(&rest) else { return nil }
        keys.append(key)
      }
    }
    return (1...longestChord).contains(keys.count) ? keys : nil
  }

  private static func readKey(_ rest: inout Substring) -> Key? {
    var held = Modifiers()
    while true {
      if rest.first == "^", rest.count > 1 {
        held.control = true
        rest.removeFirst()
        continue
      }
      guard let end = rest.firstIndex(where: { $0 == "-" || $0 == "+" }),
        rest.index(after: end) != rest.endIndex
      else { break }
      let word = rest[..<end].lowercased()
      guard let modifier = modifiers.first(where: { $0.word == word }) else { break }
      modifier.set(&held)
      rest = rest[rest.index(after: end)...]
    }
    if rest.count > 1 {
      let word = rest.lowercased()
      if let entry = named.first(where: { $0.names.contains { $0.lowercased() == word } }) {
        rest = ""
        return key(entry, held)
      }
      if word.first == "f", let number = Int(word.dropFirst()), (1...20).contains(number) {
        rest = ""
        return held.isNone ? .function(number) : nil
      }
    }
    guard let character = rest.popFirst() else { return nil }
    // Behind a lone character of a chord only the next key with Ctrl goes without a space: ^X^E, ^Xe.
    guard rest.isEmpty || rest.first == "^" || held.control else { return nil }
    return key(character, held)
  }

  private static func key(
    _ entry: (names: [String], plain: Key, control: Key?, alt: Key?, shift: Key?),
    _ held: Modifiers
  ) -> Key? {
    switch (held.control, held.alt, held.shift) {
    case (false, false, false): entry.plain
    case (true, false, _): entry.control
    case (false, true, _): entry.alt
    case (false, false, true): entry.shift
    case (true, true, _): entry.plain == .character(" ") ? .altControl("@") : nil
    }
  }

  private static func key(_ character: Character, _ held: Modifiers) -> Key? {
    guard let scalar = character.unicodeScalars.first, scalar.value > 0x20, scalar.value != 0x7F
    else { return nil }
    if held.control {
      guard let letter = controlled(character) else { return nil }
      if held.alt { return .altControl(letter) }
      switch letter {
      case "i": return .tab
      case "m": return .enter
      case "[": return .escape
      case "?": return .backspace
      default: return .control(letter)
      }
    }
    var character = character
    if held.shift, let upper = character.uppercased().first { character = upper }
    return held.alt ? .alt(character) : .character(character)
  }

  /// The character as terminals send it with Ctrl, where they do.
  private static func controlled(_ character: Character) -> Character? {
    switch character {
    case "a"..."z" where character.isASCII, "@", "[", "\\", "]", "^", "_", "?": character
    case "A"..."Z" where character.isASCII: Character(character.lowercased())
    case "/": "_"
    default: nil
    }
  }

  // MARK: Writing

  /// As the help page writes it: `^X^E`, `M-f`, `^X e`.
  package static func write(_ keys: [Key]) -> String {
    var text = ""
    for (index, key) in keys.enumerated() {
      let name = write(key)
      if index > 0, !(name.hasPrefix("^") && name.count == 2) || !text.hasPrefix("^") {
        text += " "
      }
      text += name
    }
    return text
  }

  private static func write(_ key: Key) -> String {
    switch key {
    case .character(" "): return "Space"
    case .character(let character): return String(character)
    case .control("@"): return "^Space"
    case .control(let letter): return "^" + letter.uppercased()
    case .altControl("@"): return "M-^Space"
    case .altControl(let letter): return "M-^" + letter.uppercased()
    case .alt(" "): return "M-Space"
    case .alt(let character): return "M-" + String(character)
    case .function(let number): return "F\(number)"
    case .backTab: return "S-Tab"
    default: break
    }
    for entry in named {
      guard let name = entry.names.first else { continue }
      if entry.plain == key { return name }
      if entry.control == key, entry.alt != key { return "^" + name }
      if entry.alt == key {
        return entry.control == key && key != .altEnter && key != .altBackspace
          ? "^" + name : "M-" + name
      }
    }
    return "?"
  }
}
