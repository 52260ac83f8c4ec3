import CNcurses
import Glibc

/// 24-bit colour inside ncurses, for terminals whose terminfo entry does not say that they have it: a private entry made
/// of theirs, with `RGB`, 2²⁴ colours and the SGR parameters 38;2 and 48;2. It is handed over in the environment of the
/// process (`TERMINFO=hex:…`, ncurses 6.1), for the moment in which ncurses starts; one that does not read it finds the
/// usual entry instead. The terminal's palette is never changed: the entry has none of the capabilities for that.
enum DirectColor {
  /// The first values mean the terminal's 16 colours, so that a theme may mix both.
  static let paletteSize: UInt32 = 16
  static let colors = 1 << 24

  private static let removed: Set<String> = ["initc", "initp", "oc", "scp", "ccc", "setf", "setb"]

  /// The entry in the binary form of term(5) with numbers of 32 bits; nil where there is none to make it of, or where the
  /// terminal's own has 24 bits already.
  static func entry(of kind: TerminalKind) -> [UInt8]? {
    guard kind.colors < colors, pc_describe(kind.type, 1) == 1 else { return nil }
    defer { pc_forget_description() }
    var entry = CompiledEntry(name: kind.type)
    each(pc_flag_name) { name in
      entry.flags.append(!removed.contains(name) && tigetflag(name) == 1)
    }
    each(pc_number_name) { name in
      switch name {
      case "colors": entry.numbers.append(Int32(colors))
      case "pairs": entry.numbers.append(0x10000)
      default: entry.numbers.append(max(-1, tigetnum(name)))
      }
    }
    each(pc_string_name) { name in
      switch name {
      case "setaf": entry.strings.append(setting(low: "3", high: "9", direct: "38"))
      case "setab": entry.strings.append(setting(low: "4", high: "10", direct: "48"))
      case _ where removed.contains(name): entry.strings.append(nil)
      default: entry.strings.append(pc_capability(name).map { Array(String(cString: $0).utf8) })
      }
    }
    return entry.bytes
  }

  private static func each(
    _ name: (Int32) -> UnsafePointer<CChar>?, _ body: (String) -> Void
  ) {
    var index: Int32 = 0
    while let text = name(index) {
      body(String(cString: text))
      index += 1
    }
  }

  /// 0…7 and 8…15 by their own numbers, everything else by red, green and blue.
  private static func setting(low: String, high: String, direct: String) -> [UInt8] {
    Array(
      ("\u{1B}[%?%p1%{8}%<%t\(low)%p1%d%e%p1%{16}%<%t\(high)%p1%{8}%-%d%e\(direct);2"
        + ";%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m").utf8)
  }

  /// Runs `body` while ncurses is offered the entry.
  static func offering<Result>(_ entry: [UInt8]?, _ body: () -> Result) -> Result {
    guard let entry else { return body() }
    let before = getenv("TERMINFO").map { String(cString: $0) }
    setenv("TERMINFO", "hex:" + hex(entry), 1)
    // Programs that are started later (an editor, a token command) have the environment as it was.
    defer {
      if let before { setenv("TERMINFO", before, 1) } else { unsetenv("TERMINFO") }
    }
    return body()
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A terminfo entry as it is compiled (term(5)), with the one extended flag RGB.
private struct CompiledEntry {
  let name: String
  var flags: [Bool] = []
  var numbers: [Int32] = []
  var strings: [[UInt8]?] = []

  init(name: String) {
    self.name = name
  }

  var bytes: [UInt8]? {
    var table: [UInt8] = []
    var offsets: [Int16] = []
    for string in strings {
      guard let string, let offset = Int16(exactly: table.count) else {
        offsets.append(-1)
        continue
      }
      offsets.append(offset)
      table += string + [0]
    }
    let names = Array("\(name)|with 24-bit colours\0".utf8)
    let sizes = [names.count, flags.count, numbers.count, offsets.count, table.count]
    guard sizes.allSatisfy({ $0 <= Int16.max }) else { return nil }
    var bytes: [UInt8] = []
    // The magic number of entries with 32-bit numbers.
    append(Int16(0x021E), to: &bytes)
    for size in sizes { append(Int16(size), to: &bytes) }
    bytes += names + flags.map { $0 ? 1 : 0 }
    if bytes.count % 2 == 1 { bytes.append(0) }
    for number in numbers { append(number, to: &bytes) }
    for offset in offsets { append(offset, to: &bytes) }
    bytes += table
    if bytes.count % 2 == 1 { bytes.append(0) }
    // One flag, no numbers and no strings; a table of one string, the flag's name, of four bytes.
    for size in [1, 0, 0, 1, 4] { append(Int16(size), to: &bytes) }
    bytes += [1, 0]
    append(Int16(0), to: &bytes)
    return bytes + Array("RGB\0".utf8)
  }

  private func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
}
