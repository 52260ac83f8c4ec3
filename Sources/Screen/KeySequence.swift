/// A control sequence after its introducer: `ESC [` (CSI, ECMA-48 section 5.4) or `ESC O` (SS3), in the
/// dialects of xterm, rxvt, tmux, the Linux console and kitty.
struct KeySequence: Equatable, Sendable {
  /// Longer ones are read to their end but mean nothing.
  private static let limit = 64

  let introducer: UInt8
  /// ESC stood in front, which is how rxvt says Alt.
  let alt: Bool
  private var parameters: [UInt8] = []
  private var isTooLong = false

  enum Step: Equatable {
    case more
    /// Nil: understood or not, it is no key.
    case whole(Key?)
    case pasteBegins
    case linuxFunction
    case mouse
    case report(ModeReport)
    /// The byte cannot stand in a sequence and must be looked at by itself.
    case broken
  }

  init(introducer: UInt8, alt: Bool) {
    self.introducer = introducer
    self.alt = alt
  }

  private var isSS3: Bool { introducer == UInt8(ascii: "O") }

  /// What it was if nothing follows: somebody pressed Alt with the introducer.
  var keyIfTyped: Key? {
    parameters.isEmpty && !isTooLong ? .alt(Character(Unicode.Scalar(introducer))) : nil
  }

  mutating func take(_ byte: UInt8) -> Step {
    switch byte {
    case 0x20...0x3F:
      if byte == UInt8(ascii: "$"), isRxvtShift { return .whole(key(final: byte)) }
      if parameters.count < Self.limit {
        parameters.append(byte)
      } else {
        isTooLong = true
      }
      return .more
    case 0x40...0x7E:
      if isTooLong { return .whole(nil) }
      if !isSS3, parameters.isEmpty {
        if byte == UInt8(ascii: "[") { return .linuxFunction }
        if byte == UInt8(ascii: "M") { return .mouse }
      }
      if !isSS3, byte == UInt8(ascii: "~"), parameters == Array("200".utf8) {
        return .pasteBegins
      }
      if byte == UInt8(ascii: "y"), let report = modeReport { return .report(report) }
      return .whole(key(final: byte))
    default:
      return .broken
    }
  }

  /// `ESC [ ? mode ; state $ y` (DECRPM).
  private var modeReport: ModeReport? {
    guard !isSS3, parameters.first == UInt8(ascii: "?"), parameters.last == UInt8(ascii: "$") else {
      return nil
    }
    let fields = numbers(parameters.dropFirst().dropLast())
    guard fields.count == 2, let mode = fields[0].first, let state = fields[1].first else {
      return nil
    }
    return ModeReport(mode: mode, state: state)
  }

  /// `ESC [ 7 $`: rxvt ends a shifted key with "$", which elsewhere is an intermediate byte.
  private var isRxvtShift: Bool {
    !isSS3 && (1...2).contains(parameters.count)
      && parameters.allSatisfy { (0x30...0x39).contains($0) }
  }

  private func key(final: UInt8) -> Key? {
    if isSS3 { return keyOfSS3(final: final) }
    guard let first = parameters.first else { return namedKey(final, Modifiers(alt: alt)) }
    if first == UInt8(ascii: "<") {
      return final == UInt8(ascii: "M") ? mouse(numbers(parameters.dropFirst()), first: 0) : nil
    }
    guard (0x30...0x3B).contains(first), !parameters.contains(where: { $0 < 0x30 }) else {
      return nil
    }
    let fields = numbers(parameters[...])
    let number = fields[0].first ?? 1
    var modifiers = Modifiers(parameter: fields.count > 1 ? fields[1].first ?? 1 : 1)
    modifiers.alt = modifiers.alt || alt
    // kitty's third kind of event is the release of the key.
    if fields.count > 1, fields[1].count > 1, fields[1][1] == 3 { return nil }
    switch final {
    case UInt8(ascii: "~"):
      if number == 27, fields.count == 3, let code = fields[2].first {
        return codedKey(code, shifted: nil, modifiers)
      }
      return numberedKey(number, modifiers)
    case UInt8(ascii: "$"): return numberedKey(number, modifiers)
    case UInt8(ascii: "^"), UInt8(ascii: "@"):
      modifiers.control = true
      return numberedKey(number, modifiers)
    case UInt8(ascii: "u"):
      return codedKey(number, shifted: fields[0].count > 1 ? fields[0][1] : nil, modifiers)
    case UInt8(ascii: "M"):
      return mouse(fields, first: 32)
    case UInt8(ascii: "R"):
      // With F3 it shares its letter with the report of the cursor's position.
      return number == 1 && fields.count == 2 && (fields[1].first ?? 0) <= 16 ? .function(3) : nil
    default:
      return number == 1 ? namedKey(final, modifiers) : nil
    }
  }

  /// A report of the mouse: button, column, row. `first` is the number of the left button (SGR 0, rxvt 32).
  private func mouse(_ fields: [[Int]], first: Int) -> Key? {
    let report = fields.compactMap(\.first)
    guard report.count == 3, report[0] >= first else { return nil }
    return mouseKey(button: report[0] - first, column: report[1], row: report[2])
  }

  private func keyOfSS3(final: UInt8) -> Key? {
    var modifiers = Modifiers(alt: alt)
    if !parameters.isEmpty {
      guard parameters.allSatisfy({ (0x30...0x3B).contains($0) }) else { return nil }
      // `ESC O 5 P` and `ESC O 1 ; 5 P` both mean Ctrl with F1.
      modifiers = Modifiers(parameter: numbers(parameters[...]).last?.first ?? 1)
      modifiers.alt = modifiers.alt || alt
    }
    switch final {
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      modifiers.control = true
      return namedKey(final - 0x20, modifiers)
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      // The keypad in application mode: "*" to "9".
      return .character(Character(Unicode.Scalar(final - 0x40)))
    case UInt8(ascii: "X"): return .character("=")
    case UInt8(ascii: "M"): return .enter
    case UInt8(ascii: "I"): return .tab
    case UInt8(ascii: "O"): return nil
    default: return namedKey(final, modifiers)
    }
  }

  /// The fields between semicolons, each with what stands between its colons; an empty one counts as 1
  /// (ECMA-48: the default). Numbers beyond a scalar value are no keys and stop growing.
  private func numbers(_ bytes: ArraySlice<UInt8>) -> [[Int]] {
    bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
      field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { digits in
        if digits.isEmpty { return 1 }
        return digits.reduce(0) { min($0 * 10 + Int($1 & 0x0F), 0x11_0000) }
      }
    }
  }
}
