/// A JSON value (RFC 8259). Objects keep the order of their members; numbers that fit neither Int64
/// nor Double without loss keep their text, so that large identifiers survive.
package enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// An integer beyond Int64, as it stood.
  case bigInteger(String)
  case string(String)
  case array([JSON])
  case object([Member])

  package struct Member: Equatable, Sendable {
    package var key: String
    package var value: JSON

    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }
}

/// Why a text is no JSON, in a sentence for people; `offset` in bytes where it is known.
package struct JSONError: Error, Equatable, Sendable {
  package var message: String
  package var offset: Int?
  /// It may be JSON, but is nested deeper than is read.
  package var isTooDeep: Bool

  package init(message: String, offset: Int? = nil, isTooDeep: Bool = false) {
    self.message = message
    self.offset = offset
    self.isTooDeep = isTooDeep
  }
}

extension JSON {
  /// The member of that name (the last one where it stands twice), nil for anything but an object.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  package subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var array: [JSON]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var members: [Member]? {
    if case .object(let value) = self { value } else { nil }
  }

  package var isNull: Bool { self == .null }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral,
  ExpressibleByFloatLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
