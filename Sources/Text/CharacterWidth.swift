import CUTF8Proc

/// What one code point does to the cells of a row.
enum ScalarRole: Equatable {
  /// Begins a cell of that many columns.
  case base(Int)
  /// Goes onto the cell before it.
  case mark
  /// Draws nothing on any terminal, or draws differently on each: left out.
  case invisible
  /// No glyph is known for it, or it must not reach a terminal: shown as U+25A1.
  case missing
}

let standIn = "\u{25A1}"
let dottedCircle = "\u{25CC}"

/// Widths come from utf8proc, except where a terminal's own table (glibc's `wcwidth`, which ncurses asks
/// as well) is known to differ: spacing marks take a column of their own, conjoining vowels and finals
/// of Hangul none.
func role(of scalar: Unicode.Scalar) -> ScalarRole {
  let value = scalar.value
  switch value {
  case 0x20..<0x7F: return .base(1)
  case 0..<0x20, 0x7F..<0xA0: return .missing
  case 0x1160...0x11FF, 0xD7B0...0xD7FF: return .mark
  case 0xFFF9...0xFFFB: return .invisible
  case 0x3248...0x324F, 0x4DC0...0x4DFF: return .base(2)
  default: break
  }
  let point = Int32(bitPattern: value)
  switch utf8proc_category(point) {
  case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME:
    return scalar.properties.isDefaultIgnorableCodePoint ? .invisible : .mark
  case UTF8PROC_CATEGORY_MC:
    return .base(1)
  case UTF8PROC_CATEGORY_CF:
    return scalar.properties.isDefaultIgnorableCodePoint ? .invisible : .base(1)
  case UTF8PROC_CATEGORY_CN, UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CS:
    return scalar.properties.isDefaultIgnorableCodePoint ? .invisible : .missing
  case UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP:
    return .missing
  case UTF8PROC_CATEGORY_LO where scalar.properties.isDefaultIgnorableCodePoint:
    return .invisible
  default:
    if isRegionalIndicator(scalar) { return .base(1) }
    if scalar.properties.isEmojiPresentation { return .base(2) }
    return .base(utf8proc_charwidth(point) == 2 ? 2 : 1)
  }
}

func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
  (0x1F1E6...0x1F1FF).contains(scalar.value)
}

func isSkinTone(_ scalar: Unicode.Scalar) -> Bool {
  (0x1F3FB...0x1F3FF).contains(scalar.value)
}
