import JSON
package import Screen
import TOML

/// Changes settings in the text of a configuration file, line by line: comments, order and blank lines stay.
package nonisolated enum ConfigurationEditor {
  /// The text with each setting at its value. Throws a sentence where a value is written in a way that cannot be
  /// changed by itself; then nothing is changed.
  package static func text(
    _ text: String, file: String, setting values: [(name: String, value: String)]
  ) throws(CommandFailure) -> String {
    var text = text
    for (name, value) in values {
      text = try changed(text, file: file, name) { literal(value, of: name, like: $0) }
    }
    return text
  }

  /// The text with the keys under [keys]: those that are not as the program has them by itself, and those that the
  /// file has already.
  package static func text(
    _ text: String, file: String, binding keys: KeyMap
  ) throws(CommandFailure) -> String {
    let there = try parse(text, file: file).root["keys"]
    let changed = Set(keys.changes.map(\.action))
    var text = text
    for action in KeyAction.all {
      let path = action.name.split(separator: ".").map(String.init)
      let isThere = path.reduce(there) { $0?[$1] } != nil
      guard isThere || changed.contains(action.name) else { continue }
      let names = literal(keys.keys(of: action))
      text = try self.changed(text, file: file, "keys." + action.name) { _ in names }
    }
    return text
  }

  private static func changed(
    _ text: String, file: String, _ name: String, to makeLiteral: (JSON?) -> String
  ) throws(CommandFailure) -> String {
    let document = try parse(text, file: file)
    let path = name.split(separator: ".").map(String.init)
    let old = path.reduce(document.root as JSON?) { $0?[$1] }
    let literal = makeLiteral(old)
    var lines = Lines(text)
    if let line = document.line(of: path), let old, old.members == nil {
      guard lines.replaceValue(line: line, with: literal) else {
        throw byHand(file: file, line: line, name, literal)
      }
    } else {
      lines.insert(path, literal, into: document)
    }
    let result = lines.text
    // Whatever way the file is written: nothing but this setting may have changed.
    guard let check = try? TOMLDocument.parse(result) else {
      throw byHand(file: file, line: document.line(of: path), name, literal)
    }
    var wanted = leaves(document.root)
    wanted[path] = leaves(parsed(literal))[["value"]]
    guard leaves(check.root) == wanted else {
      throw byHand(file: file, line: document.line(of: path), name, literal)
    }
    return result
  }

  private static func byHand(
    file: String, line: Int?, _ name: String, _ literal: String
  ) -> CommandFailure {
    let place = line.map { "\(file):\($0)" } ?? file
    return .configuration(
      "\(place): \(name) cannot be changed there without touching what else is written: write"
        + " \(name) = \(shown(literal)) by hand.")
  }

  private static func parse(_ text: String, file: String) throws(CommandFailure) -> TOMLDocument {
    do {
      return try TOMLDocument.parse(text)
    } catch {
      throw .configuration("\(file):\(error.line): \(error.message) Nothing was written.")
    }
  }

  private static func parsed(_ literal: String) -> JSON {
    (try? TOMLDocument.parse("value = \(literal)"))?.root ?? .null
  }

  /// Every value that is no table, by its path.
  private static func leaves(_ root: JSON) -> [[String]: JSON] {
    var found: [[String]: JSON] = [:]
    var open: [(path: [String], value: JSON)] = [([], root)]
    while let (path, value) = open.popLast() {
      if let members = value.members {
        open += members.map { (path + [$0.key], $0.value) }
      } else {
        found[path] = value
      }
    }
    return found
  }

  /// As TOML writes it: true and false for on and off, digits for a number, else a text in quotes.
  static func literal(_ value: String, of name: String, like old: JSON? = nil) -> String {
    let isText = old?.string != nil
    if SettingTable.setting(named: name)?.isOnOff == true, !isText {
      return value == "on" ? "true" : "false"
    }
    if let number = Int64(value), String(number) == value,
      SettingTable.setting(named: name)?.choices == nil, !isText
    {
      return value
    }
    return quotedTOML(value)
  }

  /// One text, or a list of them; where there is none, the word for no key.
  static func literal(_ values: [String]) -> String {
    let texts = values.map(quotedTOML)
    switch texts.count {
    case 0: return quotedTOML(KeyMap.noKey)
    case 1: return texts[0]
    default: return "[" + texts.joined(separator: ", ") + "]"
    }
  }
}

/// The lines of a file as bytes, each without its line feed.
private nonisolated struct Lines {
  private var lines: [[UInt8]]

  init(_ text: String) {
    lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  }

  var text: String {
    String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
  }

  /// Puts another value behind the first "=" of a line (counted from 1); what follows the old one stays.
  mutating func replaceValue(line: Int, with literal: String) -> Bool {
    guard lines.indices.contains(line - 1) else { return false }
    let bytes = lines[line - 1]
    guard let equals = outsideQuotes(bytes[...], UInt8(ascii: "=")) else { return false }
    guard let start = bytes[(equals + 1)...].firstIndex(where: { !isBlank($0) }) else {
      return false
    }
    let end: Int
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      if bytes[start...].starts(with: [bytes[start], bytes[start], bytes[start]]) { return false }
      guard let close = closingQuote(bytes[start...]) else { return false }
      end = close + 1
    case UInt8(ascii: "["):
      // A list of texts that ends in this line.
      guard let close = outsideQuotes(bytes[start...], UInt8(ascii: "]")),
        !bytes[(start + 1)..<close].contains(UInt8(ascii: "["))
      else { return false }
      end = close + 1
    case UInt8(ascii: "{"): return false
    default:
      end = bytes[start...].firstIndex { isBlank($0) || $0 == UInt8(ascii: "#") } ?? bytes.count
    }
    lines[line - 1].replaceSubrange(start..<end, with: Array(literal.utf8))
    return true
  }

  /// Behind the last line of the table of the name's first parts, where the file has one, else behind the last of
  /// the lines before all tables.
  mutating func insert(_ path: [String], _ literal: String, into document: TOMLDocument) {
    var first = 0
    var name = path.joined(separator: ".")
    for depth in stride(from: path.count - 1, to: 0, by: -1) {
      let table = Array(path[..<depth])
      guard let line = document.line(of: table), lines.indices.contains(line - 1),
        isHeader(lines[line - 1])
      else { continue }
      first = line
      name = path[depth...].joined(separator: ".")
      break
    }
    let end = lines[first...].firstIndex(where: isHeader) ?? lines.count
    let last = lines[first..<end].lastIndex { line in
      line.contains { !isBlank($0) } && !isComment(line)
    }
    let ending: [UInt8] = lines.first?.last == 0x0D ? [0x0D] : []
    let place = last.map { $0 + 1 } ?? (first > 0 ? first : leadingComment(before: end))
    lines.insert(Array("\(name) = \(literal)".utf8) + ending, at: place)
    if last == nil, place < lines.count - 1, isHeader(lines[place + 1]) {
      lines.insert(ending, at: place + 1)
    }
    if place == lines.count - 1 { lines.append([]) }
  }

  /// A comment at the head of a file stays there.
  private func leadingComment(before end: Int) -> Int {
    guard let last = lines[..<end].lastIndex(where: isComment) else { return 0 }
    // One that stands right above a table belongs to it.
    return last + 1 == end && end < lines.count ? 0 : last + 1
  }

  private func outsideQuotes(_ bytes: ArraySlice<UInt8>, _ wanted: UInt8) -> Int? {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == wanted { return index }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        guard let close = closingQuote(bytes[index...]) else { return nil }
        index = close
      }
      index += 1
    }
    return nil
  }

  private func closingQuote(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let quote = bytes.first else { return nil }
    var index = bytes.startIndex + 1
    while index < bytes.endIndex {
      if bytes[index] == quote { return index }
      if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { index += 1 }
      index += 1
    }
    return nil
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private func isHeader(_ line: [UInt8]) -> Bool {
    line.first { !isBlank($0) } == UInt8(ascii: "[")
  }

  private func isComment(_ line: [UInt8]) -> Bool {
    line.first { !isBlank($0) } == UInt8(ascii: "#")
  }
}
