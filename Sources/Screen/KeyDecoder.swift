/// Turns the bytes of a terminal into keys. The keys are the same however the bytes are split between
/// reads. After `feed`, while `waitsForMore`, call `timeReached` once nothing has come for `patience`.
///
/// ncurses is not used for input: it loses bytes when a signal comes in the middle of a character.
package struct KeyDecoder: Equatable, Sendable {
  private enum State: Equatable {
    case ground
    case character(UTF8Scalar, alt: Bool)
    /// After ESC; `doubled` after ESC ESC, which rxvt sends in front of a sequence for Alt.
    case escape(doubled: Bool)
    /// After ESC [ or ESC O, with the bytes since.
    case sequence(KeySequence)
    /// After ESC [ [ of the Linux console: one letter follows.
    case linuxFunction
    /// After ESC [ M: three bytes of the oldest mouse report follow.
    case mouse([UInt8])
    /// An answer of the terminal (OSC, DCS, APC, PM, SOS), thrown away up to BEL or ESC \.
    case string(introducer: UInt8, length: Int, afterEscape: Bool)
    case paste(PasteCollector)
    case late(LateSequence)
  }

  /// An answer of the terminal longer than this is taken to have ended.
  private static let stringLimit = 65_536
  /// Longer than any answer that is understood.
  private static let answerLimit = 64

  private var state = State.ground
  /// The latest key is an ESC behind which nothing came in time.
  private var wasLoneEscape = false
  /// The beginning of the answer that is being read.
  private var answer: [UInt8] = []
  /// Whether the latest `.paste` is only the first mebibyte of what was pasted.
  package private(set) var pasteWasCut = false
  private static let mostReports = 16
  /// What the terminal answered since `takeReports`; answers are no keys, however late they come.
  private var reports: [ModeReport] = []

  package init() {}

  /// Whether bytes are held that may be the beginning of a longer sequence.
  package var waitsForMore: Bool { state != .ground }

  /// How long to wait after the latest `feed` before `timeReached`. Only meaningful while `waitsForMore`.
  package var patience: Duration {
    switch state {
    case .ground, .escape, .late: .milliseconds(25)
    case .string(_, length: 0, afterEscape: false): .milliseconds(25)
    case .character, .sequence, .linuxFunction, .mouse, .string: .milliseconds(250)
    case .paste: .seconds(1)
    }
  }

  package mutating func takeReports() -> [ModeReport] {
    guard !reports.isEmpty else { return [] }
    defer { reports = [] }
    return reports
  }

  package mutating func feed(_ bytes: [UInt8]) -> [Key] {
    bytes.withUnsafeBytes { feed($0) }
  }

  package mutating func feed(_ bytes: UnsafeRawBufferPointer) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  /// Nothing more came in time: what is held is decided as it stands. A lone ESC is the Escape key, and a
  /// paste without an end marker ends here, so that the keyboard is never dead.
  package mutating func timeReached() -> [Key] {
    defer { state = .ground }
    switch state {
    case .ground: return []
    case .character: return [.character("\u{FFFD}")]
    case .escape(let doubled):
      wasLoneEscape = true
      return doubled ? [.escape, .escape] : [.escape]
    case .late(let late): return late.keys
    case .sequence(let sequence): return sequence.keyIfTyped.map { [$0] } ?? []
    case .linuxFunction, .mouse: return []
    case .string(let introducer, length: 0, afterEscape: false):
      return [.alt(Character(Unicode.Scalar(introducer)))]
    case .string: return []
    case .paste(var paste):
      pasteWasCut = paste.wasCut
      return [.paste(paste.finish())]
    }
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
    switch state {
    case .ground: takeFirst(byte, &keys)
    case .character(let partial, let alt): takeContinuation(byte, of: partial, alt: alt, &keys)
    case .escape(let doubled): takeAfterEscape(byte, doubled: doubled, &keys)
    case .sequence(let sequence): takeInSequence(byte, sequence, &keys)
    case .linuxFunction:
      state = .ground
      if (0x41...0x45).contains(byte) {
        keys.append(.function(Int(byte) - 0x40))
      } else if byte < 0x20 || byte > 0x7E {
        takeFirst(byte, &keys)
      }
    case .mouse(let report): takeMouse(byte, report, &keys)
    case .string(let introducer, let length, let afterEscape):
      takeInString(byte, introducer, length: length, afterEscape: afterEscape, &keys)
    case .paste: takePasted(byte, &keys)
    case .late(let late): takeLate(byte, late, &keys)
    }
  }

  private mutating func takeLate(_ byte: UInt8, _ late: LateSequence, _ keys: inout [Key]) {
    var late = late
    switch late.take(byte) {
    case .more: state = .late(late)
    case .mouse(let sequence): state = .sequence(sequence)
    case .pasteBegins:
      pasteWasCut = false
      state = .paste(PasteCollector())
    case .broken:
      keys += late.keys
      takeFirst(byte, &keys)
    }
  }

  private mutating func takeFirst(_ byte: UInt8, _ keys: inout [Key]) {
    state = .ground
    defer { wasLoneEscape = false }
    switch byte {
    case LateSequence.first where wasLoneEscape: state = .late(LateSequence())
    case 0x1B: state = .escape(doubled: false)
    case 0..<0x20, 0x7F: keys.append(controlKey(byte))
    case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
    default:
      if let partial = UTF8Scalar(lead: byte) {
        state = .character(partial, alt: false)
      } else {
        keys.append(.character("\u{FFFD}"))
      }
    }
  }

  private mutating func takeContinuation(
    _ byte: UInt8, of partial: UTF8Scalar, alt: Bool, _ keys: inout [Key]
  ) {
    switch partial.step(byte) {
    case .more(let next): state = .character(next, alt: alt)
    case .whole(let scalar):
      state = .ground
      // C1 controls are no keys.
      guard !(0x80..<0xA0).contains(scalar.value) else { return }
      keys.append(alt ? .alt(Character(scalar)) : .character(Character(scalar)))
    case .broken:
      keys.append(.character("\u{FFFD}"))
      takeFirst(byte, &keys)
    }
  }

  private mutating func takeAfterEscape(_ byte: UInt8, doubled: Bool, _ keys: inout [Key]) {
    state = .ground
    if byte == 0x1B {
      // Of three in a row the first is certainly a key of its own.
      if doubled { keys.append(.escape) }
      state = .escape(doubled: true)
      return
    }
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
      state = .sequence(KeySequence(introducer: byte, alt: doubled))
      return
    }
    if doubled { keys.append(.escape) }
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      answer = []
      state = .string(introducer: byte, length: 0, afterEscape: false)
    case 0x0D, 0x0A: keys.append(.altEnter)
    case 0x08, 0x7F: keys.append(.altBackspace)
    // Esc and then Ctrl-C, typed ahead of a terminal that is slow: it always works.
    case 0x03: keys += [.escape, .control("c")]
    case 0x09: keys += [.escape, .tab]
    case 0..<0x20:
      if case .control(let letter) = controlKey(byte) { keys.append(.altControl(letter)) }
    case 0x20..<0x7F: keys.append(.alt(Character(Unicode.Scalar(byte))))
    default:
      if let partial = UTF8Scalar(lead: byte) {
        state = .character(partial, alt: true)
      } else {
        keys += [.escape, .character("\u{FFFD}")]
      }
    }
  }

  private mutating func takeInSequence(
    _ byte: UInt8, _ sequence: KeySequence, _ keys: inout [Key]
  ) {
    var sequence = sequence
    switch sequence.take(byte) {
    case .more: state = .sequence(sequence)
    case .linuxFunction: state = .linuxFunction
    case .mouse: state = .mouse([])
    case .pasteBegins:
      pasteWasCut = false
      state = .paste(PasteCollector())
    case .whole(let key):
      state = .ground
      if let key { keys.append(key) }
    case .report(let report):
      state = .ground
      if reports.count < Self.mostReports { reports.append(report) }
    case .broken:
      // A control character in the middle is a key of its own: Ctrl-C always works.
      takeFirst(byte, &keys)
    }
  }

  private mutating func takeMouse(_ byte: UInt8, _ report: [UInt8], _ keys: inout [Key]) {
    let report = report + [byte]
    guard report.count == 3 else {
      state = .mouse(report)
      return
    }
    state = .ground
    guard let button = report.first, button >= 32 else { return }
    // One byte each for column and row, which count from 33; 0 is beyond what a byte can say.
    let key = mouseKey(
      button: Int(button) - 32, column: Int(report[1]) - 32, row: Int(report[2]) - 32)
    if let key { keys.append(key) }
  }

  private mutating func takeInString(
    _ byte: UInt8, _ introducer: UInt8, length: Int, afterEscape: Bool, _ keys: inout [Key]
  ) {
    if afterEscape {
      if byte == UInt8(ascii: "\\") {
        endString(introducer, &keys)
      } else {
        takeAfterEscape(byte, doubled: false, &keys)
      }
      return
    }
    switch byte {
    case 0x1B: state = .string(introducer: introducer, length: length, afterEscape: true)
    case 0x07: endString(introducer, &keys)
    case 0..<0x20: takeFirst(byte, &keys)
    default:
      if answer.count < Self.answerLimit { answer.append(byte) }
      state =
        length < Self.stringLimit
        ? .string(introducer: introducer, length: length + 1, afterEscape: false) : .ground
    }
  }

  /// Of all answers only that about the background means something.
  private mutating func endString(_ introducer: UInt8, _ keys: inout [Key]) {
    state = .ground
    if introducer == UInt8(ascii: "]"), let isLight = Background.isLight(answer: answer) {
      keys.append(.background(isLight: isLight))
    }
    answer = []
  }

  private mutating func takePasted(_ byte: UInt8, _ keys: inout [Key]) {
    guard case .paste(var paste) = state else { return }
    // The state lets go of the bytes first, or each appended byte would copy them all.
    state = .ground
    if paste.take(byte) {
      pasteWasCut = paste.wasCut
      keys.append(.paste(paste.finish()))
    } else {
      state = .paste(paste)
    }
  }
}

/// A byte below 0x20, or DEL, as a key. ESC is not asked for.
func controlKey(_ byte: UInt8) -> Key {
  switch byte {
  case 0x0D: .enter
  case 0x09: .tab
  case 0x7F: .backspace
  case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
  default: .control(Character(Unicode.Scalar(byte | 0x40)))
  }
}

/// The wheel turns buttons 64 and 65, the left button is 0; Shift, Alt and Ctrl add 4, 8 and 16, movement
/// 32. Columns and rows count from 1.
func mouseKey(button: Int, column: Int, row: Int) -> Key? {
  switch button & ~(4 | 8 | 16) {
  case 64: return .wheelUp
  case 65: return .wheelDown
  case 0:
    guard column > 0, row > 0, column <= 0xFFFF, row <= 0xFFFF else { return nil }
    return .click(row: row - 1, column: column - 1)
  default: return nil
  }
}
