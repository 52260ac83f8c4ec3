/// Shift, Alt and Ctrl as xterm and kitty count them: the parameter is one more than the sum of the bits.
struct Modifiers: Equatable, Sendable {
  var shift = false
  var alt = false
  var control = false

  init(alt: Bool = false) {
    self.alt = alt
  }

  init(parameter: Int) {
    let bits = max(0, parameter - 1)
    shift = bits & 1 != 0
    // Meta counts as Alt.
    alt = bits & (2 | 8 | 32) != 0
    control = bits & 4 != 0
  }
}

/// The key of a sequence that ends with a letter.
func namedKey(_ final: UInt8, _ modifiers: Modifiers) -> Key? {
  let byWord = modifiers.control || modifiers.alt
  switch final {
  case UInt8(ascii: "A"), UInt8(ascii: "a"):
    return modifiers.control ? .controlUp : modifiers.alt ? .altUp : .up
  case UInt8(ascii: "B"), UInt8(ascii: "b"):
    return modifiers.control ? .controlDown : modifiers.alt ? .altDown : .down
  case UInt8(ascii: "C"), UInt8(ascii: "c"): return byWord ? .controlRight : .right
  case UInt8(ascii: "D"), UInt8(ascii: "d"): return byWord ? .controlLeft : .left
  case UInt8(ascii: "F"): return modifiers.control ? .controlEnd : .end
  case UInt8(ascii: "H"): return modifiers.control ? .controlHome : .home
  case UInt8(ascii: "P")...UInt8(ascii: "S"): return .function(Int(final) - 0x4F)
  case UInt8(ascii: "Z"): return .backTab
  case UInt8(ascii: "I"): return .focusIn
  case UInt8(ascii: "O"): return .focusOut
  default: return nil
  }
}

/// The key of a sequence that ends with "~".
func numberedKey(_ number: Int, _ modifiers: Modifiers) -> Key? {
  switch number {
  case 1, 7: return modifiers.control ? .controlHome : .home
  case 4, 8: return modifiers.control ? .controlEnd : .end
  case 2: return .insert
  // Ctrl or Alt with Delete takes the word, as Alt-D does.
  case 3: return modifiers.control || modifiers.alt ? .alt("d") : .delete
  case 5: return modifiers.control ? .controlPageUp : .pageUp
  case 6: return modifiers.control ? .controlPageDown : .pageDown
  case 11...15: return .function(number - 10)
  case 17...21: return .function(number - 11)
  case 23...26: return .function(number - 12)
  case 28, 29: return .function(number - 13)
  case 31...34: return .function(number - 14)
  default: return nil
  }
}

/// The key of a sequence that holds a code point: `ESC [ 27 ; modifiers ; code ~` (xterm's modifyOtherKeys)
/// and `ESC [ code ; modifiers u` (kitty). Ctrl and Alt come out as the old encoding has them.
func codedKey(_ code: Int, shifted: Int?, _ modifiers: Modifiers) -> Key? {
  switch code {
  case 9: return modifiers.shift ? .backTab : .tab
  case 13: return modifiers == Modifiers() ? .enter : .altEnter
  case 27: return .escape
  case 8, 127: return modifiers.control || modifiers.alt ? .altBackspace : .backspace
  default: break
  }
  // Code points of the private use area are kitty's keypad, media and modifier keys.
  guard code >= 0x20, !(0x80..<0xA0).contains(code), !(0xE000...0xF8FF).contains(code),
    let scalar = Unicode.Scalar(UInt32(code))
  else { return nil }
  if modifiers.control {
    switch scalar {
    case "a"..."z", "A"..."Z", "@", "[", "\\", "]", "^", "_":
      return controlled(UInt8(scalar.value & 0x1F), modifiers)
    case " ", "2": return controlled(0, modifiers)
    case "/", "7", "-": return controlled(0x1F, modifiers)
    default: return nil
    }
  }
  var character = Character(scalar)
  if modifiers.shift {
    if let shifted, shifted >= 0x20, let other = Unicode.Scalar(UInt32(shifted)) {
      character = Character(other)
    } else if let upper = character.uppercased().first, character.uppercased().count == 1 {
      character = upper
    }
  }
  return modifiers.alt ? .alt(character) : .character(character)
}

private func controlled(_ byte: UInt8, _ modifiers: Modifiers) -> Key {
  if byte == 0x1B { return .escape }
  let key = controlKey(byte)
  guard modifiers.alt, case .control(let letter) = key else { return key }
  return .altControl(letter)
}
