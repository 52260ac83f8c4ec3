import CTomlplusplus
import JSON

extension TOMLDocument {
  /// The largest text that is read, in bytes: configuration is written by hand.
  package static let largest = 1 << 20
  /// The most levels of tables and arrays.
  package static let deepest = 128

  /// Reads a document. Infinity and not-a-number stay such in the values.
  package static func parse(_ text: String) throws(TOMLError) -> TOMLDocument {
    var text = text
    guard text.utf8.count <= largest else {
      throw TOMLError(message: "The text is larger than \(largest) bytes.", line: 1)
    }
    let outcome = text.withUTF8 { buffer -> Result<TOMLDocument, TOMLError> in
      let start = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      guard let parsed = parlour_toml_parse(start, buffer.count, deepest) else {
        return .failure(
          TOMLError(message: "There is not enough memory to read the text.", line: 1))
      }
      defer { parlour_toml_free(parsed) }
      if let description = parlour_toml_error(parsed) {
        return .failure(
          TOMLError(
            message: sentence(String(cString: description)),
            line: max(1, Int(parlour_toml_error_line(parsed)))))
      }
      var builder = TOMLBuilder(
        steps: UnsafeBufferPointer(
          start: parlour_toml_steps(parsed), count: parlour_toml_count(parsed)))
      return .success(builder.document())
    }
    return try outcome.get()
  }

  /// The parser speaks in clauses with a small first letter. Excerpts of the text may hold anything, so
  /// controls are left out.
  private static func sentence(_ description: String) -> String {
    let clean = String(
      String.UnicodeScalarView(
        description.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    let first = clean.prefix(1).uppercased()
    let end = clean.hasSuffix(".") ? "" : "."
    return "\(first)\(clean.dropFirst())\(end)"
  }
}

/// Turns the flat form of a document into values and lines. It recurses as deep as the document is
/// nested, which the C side has bounded.
private struct TOMLBuilder {
  let steps: UnsafeBufferPointer<parlour_toml_step>
  var position = 0
  var lines: [[String]: Int] = [:]
  var path: [String] = []

  init(steps: UnsafeBufferPointer<parlour_toml_step>) {
    self.steps = steps
  }

  mutating func document() -> TOMLDocument {
    guard !steps.isEmpty else { return TOMLDocument(root: .object([]), lines: [:]) }
    let root = value()
    return TOMLDocument(root: root, lines: lines)
  }

  private mutating func value() -> JSON {
    let step = steps[position]
    position += 1
    if !path.isEmpty, step.line > 0 { lines[path] = Int(step.line) }
    switch parlour_toml_kind(step.kind) {
    case PARLOUR_TOML_FALSE: return .bool(false)
    case PARLOUR_TOML_TRUE: return .bool(true)
    case PARLOUR_TOML_INTEGER: return .integer(step.integer)
    case PARLOUR_TOML_FLOAT: return .double(step.number)
    case PARLOUR_TOML_ARRAY:
      var elements: [JSON] = []
      for index in 0..<step.size {
        path.append(String(index))
        elements.append(value())
        path.removeLast()
      }
      return .array(elements)
    case PARLOUR_TOML_TABLE:
      var members: [JSON.Member] = []
      for _ in 0..<step.size {
        let key = Self.text(steps[position].key, steps[position].key_size)
        path.append(key)
        members.append(JSON.Member(key, value()))
        path.removeLast()
      }
      return .object(members)
    default:
      return .string(Self.text(step.text, step.size))
    }
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
