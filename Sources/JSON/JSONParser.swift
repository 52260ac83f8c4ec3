import CSimdjson

extension JSON {
  /// The most levels of nesting that `parse` takes, whatever is asked for.
  package static let deepest = 512

  /// Reads one value; anything but white space after it is an error. Nesting deeper than `depth` is an
  /// error too, never a stack overflow; `depth` above `deepest` counts as `deepest`.
  ///
  /// Refused as well: invalid UTF-8, lone surrogates (RFC 8259 section 8.2), control characters in strings,
  /// a byte order mark, and fractions or exponents beyond the range of Double.
  package static func parse(_ bytes: RawSpan, depth: Int = 128) throws(JSONError) -> JSON {
    let outcome = bytes.withUnsafeBytes { buffer in Self.outcome(of: buffer, depth: depth) }
    return try outcome.get()
  }

  package static func parse(_ text: String, depth: Int = 128) throws(JSONError) -> JSON {
    var text = text
    let outcome = text.withUTF8 { buffer in
      Self.outcome(of: UnsafeRawBufferPointer(buffer), depth: depth)
    }
    return try outcome.get()
  }

  private static func outcome(
    of buffer: UnsafeRawBufferPointer, depth: Int, isRepaired: Bool = false
  ) -> Result<JSON, JSONError> {
    let bound = max(0, min(depth, deepest))
    let parsed = parlour_json_parse(
      buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count, bound)
    if !isRepaired, [PARLOUR_JSON_BAD_STRING, PARLOUR_JSON_NUMBER_RANGE].contains(parsed.error),
      let repaired = JSONRepair.repaired(buffer)
    {
      return repaired.withUnsafeBytes { outcome(of: $0, depth: depth, isRepaired: true) }
    }
    guard parsed.error == PARLOUR_JSON_OK, let steps = parsed.steps, parsed.count > 0 else {
      return .failure(
        JSONError(
          message: sentence(for: parsed.error, depth: bound),
          offset: parsed.offset < 0 ? nil : Int(parsed.offset),
          isTooDeep: parsed.error == PARLOUR_JSON_TOO_DEEP))
    }
    var builder = JSONBuilder(steps: UnsafeBufferPointer(start: steps, count: parsed.count))
    return .success(builder.value())
  }

  private static func sentence(for error: parlour_json_error, depth: Int) -> String {
    switch error {
    case PARLOUR_JSON_EMPTY: "There is no JSON value in the text."
    case PARLOUR_JSON_TOO_DEEP:
      "The JSON is nested deeper than \(depth) levels."
    case PARLOUR_JSON_TOO_LARGE: "The JSON holds too many values to be read."
    case PARLOUR_JSON_NO_MEMORY: "There is not enough memory to read the JSON."
    case PARLOUR_JSON_BAD_UTF8: "The JSON is not valid UTF-8."
    case PARLOUR_JSON_BAD_STRING:
      "The JSON has a string that is not closed or holds a bad escape or a control character."
    case PARLOUR_JSON_BAD_NUMBER: "The JSON has a number that is written wrongly."
    case PARLOUR_JSON_NUMBER_RANGE: "The JSON has a number that is too large."
    case PARLOUR_JSON_BAD_LITERAL:
      "The JSON has a word that is not true, false or null."
    case PARLOUR_JSON_TRAILING: "There is more after the end of the JSON value."
    case PARLOUR_JSON_UNCLOSED: "The JSON ends in the middle of an array or an object."
    default: "The JSON has a bracket, comma or colon missing or in the wrong place."
    }
  }
}

/// Turns the flat form of a document into values. It recurses as deep as the document is nested, which
/// the C side has bounded.
private struct JSONBuilder {
  let steps: UnsafeBufferPointer<parlour_json_step>
  var position = 0

  init(steps: UnsafeBufferPointer<parlour_json_step>) {
    self.steps = steps
  }

  mutating func value() -> JSON {
    let step = steps[position]
    position += 1
    switch parlour_json_kind(step.kind) {
    case PARLOUR_JSON_FALSE: return .bool(false)
    case PARLOUR_JSON_TRUE: return .bool(true)
    case PARLOUR_JSON_INTEGER: return .integer(step.value.integer)
    case PARLOUR_JSON_DOUBLE: return .double(step.value.number)
    case PARLOUR_JSON_BIG_INTEGER: return .bigInteger(text(of: step))
    case PARLOUR_JSON_STRING: return .string(text(of: step))
    case PARLOUR_JSON_ARRAY:
      var elements: [JSON] = []
      elements.reserveCapacity(Int(step.size))
      for _ in 0..<step.size { elements.append(value()) }
      return .array(elements)
    case PARLOUR_JSON_OBJECT:
      var members: [JSON.Member] = []
      members.reserveCapacity(Int(step.size))
      for _ in 0..<step.size {
        let key = text(of: steps[position])
        position += 1
        members.append(JSON.Member(key, value()))
      }
      return .object(members)
    default: return .null
    }
  }

  private func text(of step: parlour_json_step) -> String {
    guard let start = step.value.text else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(step.size))
    return String(decoding: bytes, as: UTF8.self)
  }
}
