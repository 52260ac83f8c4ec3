import CUTF8Proc

/// Goes once over untrusted text, code point by code point, and keeps what is safe for a sink.
struct Sanitiser {
  private let sink: Sink
  private let most: Int
  private var output = ""
  /// What came since the last line break or tab: a tab stop is counted from there.
  private var segment = ""
  /// More than the code points of `most` ordinary clusters: a family of four emoji has seven.
  private let bound: Int
  private var scalarsTaken = 0
  private var scalarsKept = 0
  private var marks = 0
  private var followsReturn = false
  private var followsJoiner = false
  private var wasCutShort = false

  init(sink: Sink, most: Int) {
    self.sink = sink
    self.most = most
    let product = most.multipliedReportingOverflow(by: 8)
    bound = product.overflow ? Int.max : max(product.partialValue, 8)
  }

  /// Takes one code point; false once no more can count, so that hidden characters without end cost
  /// nothing.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard scalarsTaken < bound, scalarsKept < bound else {
      wasCutShort = true
      return false
    }
    scalarsTaken += 1
    let followedReturn = followsReturn
    followsReturn = scalar == "\r"
    switch scalar.value {
    case 0x0A:
      if !followedReturn { breakLine() }
    case 0x0D, 0x2028, 0x2029: breakLine()
    case 0x09: expandTab()
    case 0x00..<0x20: keepPicture(0x2400 + scalar.value)
    case 0x7F: keepPicture(0x2421)
    case 0x20..<0x7F: keep(scalar)
    case 0x80..<0xA0: break
    case 0x200C, 0x200D:
      guard !followsJoiner else { break }
      segment.unicodeScalars.append(scalar)
      scalarsKept += 1
      followsJoiner = true
    default:
      if !isRemoved(scalar.value) { keepOther(scalar) }
    }
    return true
  }

  mutating func finish() -> String {
    output += segment
    var result = output
    if sink == .nick { result = trimmed(result) }
    guard wasCutShort || (scalarsKept > most && result.count > most) else { return result }
    guard most > 0 else { return "" }
    return String(result.prefix(most - 1)) + "…"
  }

  private func isRemoved(_ value: UInt32) -> Bool {
    switch value {
    case 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  private mutating func keep(_ scalar: Unicode.Scalar) {
    segment.unicodeScalars.append(scalar)
    scalarsKept += 1
    marks = 0
    followsJoiner = false
  }

  private mutating func keepPicture(_ value: UInt32) {
    if let picture = Unicode.Scalar(value) { keep(picture) }
  }

  private mutating func keepOther(_ scalar: Unicode.Scalar) {
    switch utf8proc_category(Int32(bitPattern: scalar.value)) {
    case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME, UTF8PROC_CATEGORY_MC:
      guard marks < 4 else { return }
      marks += 1
      segment.unicodeScalars.append(scalar)
      scalarsKept += 1
      followsJoiner = false
    default: keep(scalar)
    }
  }

  private mutating func breakLine() {
    switch sink {
    case .block, .plainOutput:
      keep("\n")
      output += segment
      segment = ""
    case .line, .nick, .title: keep(" ")
    case .log: keepPicture(0x240A)
    }
  }

  private mutating func expandTab() {
    switch sink {
    case .nick, .title: keep(" ")
    case .line, .block, .plainOutput, .log:
      let missing = 8 - columns(of: segment) % 8
      for _ in 0..<missing { keep(" ") }
      output += segment
      segment = ""
    }
  }

  private func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
