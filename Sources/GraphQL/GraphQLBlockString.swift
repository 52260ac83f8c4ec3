/// The meaning of a block string: indentation and empty lines at its ends belong to the layout of the
/// document, not to the value (GraphQL specification, section 2.9.4, BlockStringValue).
enum GraphQLBlockString {
  static func value(of raw: [UInt8]) -> String {
    var lines = lines(of: raw)
    let indents = lines.dropFirst().compactMap { line -> Int? in
      let indent = indent(of: line)
      return indent < line.count ? indent : nil
    }
    if let common = indents.min() {
      for index in lines.indices.dropFirst() {
        lines[index] = lines[index].dropFirst(common)
      }
    }
    let isBlank = { (line: ArraySlice<UInt8>) in indent(of: line) == line.count }
    guard let first = lines.firstIndex(where: { !isBlank($0) }),
      let last = lines.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(
      decoding: Array(lines[first...last].joined(separator: [.lineFeed])), as: UTF8.self)
  }

  private static func indent(of line: ArraySlice<UInt8>) -> Int {
    line.prefix { $0 == 0x20 || $0 == 0x09 }.count
  }

  private static func lines(of raw: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index < raw.count {
      guard raw[index] == .lineFeed || raw[index] == .carriageReturn else {
        index += 1
        continue
      }
      lines.append(raw[start..<index])
      let isPair =
        raw[index] == .carriageReturn && index + 1 < raw.count && raw[index + 1] == .lineFeed
      index += isPair ? 2 : 1
      start = index
    }
    lines.append(raw[start...])
    return lines
  }
}
