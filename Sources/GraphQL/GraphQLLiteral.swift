import JSON

/// A value as a document writes it (GraphQL specification, section 2.9). Two are equal that mean the same,
/// wherever they stand and in whatever order the fields of an object come.
package struct GraphQLLiteral: Equatable, Sendable {
  package indirect enum Value: Sendable {
    case variable(String)
    /// As it stood: it may be larger than any integer type.
    case integer(String)
    case float(String)
    case string(String)
    case boolean(Bool)
    case null
    case enumeration(String)
    case list([GraphQLLiteral])
    case object([Member])
  }

  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: GraphQLLiteral
    var offset = 0

    package static func == (left: Member, right: Member) -> Bool {
      left.name == right.name && left.value == right.value
    }
  }

  package var value: Value
  var offset: Int

  package static func == (left: GraphQLLiteral, right: GraphQLLiteral) -> Bool {
    left.value == right.value
  }

  /// The value as JSON, for scalars that take anything; enumerations become strings, a variable its value or
  /// null. Integers keep every digit.
  func json(_ variables: [String: JSON] = [:]) -> JSON {
    switch value {
    case .variable(let name): variables[name] ?? .null
    case .integer(let text): .graphQLInteger(text)
    case .float(let text): Double(text).map(JSON.double) ?? .null
    case .string(let text), .enumeration(let text): .string(text)
    case .boolean(let value): .bool(value)
    case .null: .null
    case .list(let elements): .array(elements.map { $0.json(variables) })
    case .object(let members):
      .object(members.map { JSON.Member($0.name, $0.value.json(variables)) })
    }
  }
}

extension GraphQLLiteral.Value: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.variable(let one), .variable(let other)), (.integer(let one), .integer(let other)),
      (.float(let one), .float(let other)), (.string(let one), .string(let other)),
      (.enumeration(let one), .enumeration(let other)):
      one == other
    case (.boolean(let one), .boolean(let other)): one == other
    case (.null, .null): true
    case (.list(let one), .list(let other)): one == other
    case (.object(let one), .object(let other)):
      one.count == other.count
        && one.sorted { $0.name < $1.name } == other.sorted { $0.name < $1.name }
    default: false
    }
  }
}

extension JSON {
  /// An integer of a document: every digit is kept.
  static func graphQLInteger(_ text: String) -> JSON {
    Int64(text).map(JSON.integer) ?? .bigInteger(text)
  }
}
