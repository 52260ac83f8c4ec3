import JSON

/// The built-in scalars (GraphQL specification, sections 3.5.1 to 3.5.5); a scalar that the schema defines
/// itself takes and gives anything.
enum GraphQLScalar {
  private typealias Mismatch = GraphQLInput.Mismatch

  /// The value that a literal stands for.
  static func coerce(
    _ literal: GraphQLLiteral, _ name: String, _ variables: [String: JSON]
  ) -> Result<JSON, GraphQLInput.Mismatch> {
    switch (name, literal.value) {
    case ("String", .string(let text)), ("ID", .string(let text)), ("ID", .integer(let text)):
      return .success(.string(text))
    case ("Boolean", .boolean(let value)):
      return .success(.bool(value))
    case ("Int", .integer(let text)):
      return Int32(text).map { .success(.integer(Int64($0))) } ?? .failure(tooLarge(text))
    case ("Float", .integer(let text)):
      return finite(text).map { _ in .graphQLInteger(text) }
    case ("Float", .float(let text)):
      return finite(text).map(JSON.double)
    case ("String", _), ("ID", _), ("Boolean", _), ("Int", _), ("Float", _):
      return .failure(wrongKind(name, literal.description))
    default:
      return .success(literal.json(variables))
    }
  }

  /// The value that a variable's JSON stands for.
  static func coerce(
    _ value: JSON, _ name: String
  ) -> Result<JSON, GraphQLInput.Mismatch> {
    switch (name, value) {
    case ("String", .string), ("ID", .string), ("Boolean", .bool), ("Float", .integer),
      ("Float", .double):
      return .success(value)
    case ("Float", .bigInteger(let text)):
      return finite(text).map { _ in value }
    case ("ID", .integer(let number)):
      return .success(.string(String(number)))
    case ("ID", .bigInteger(let text)):
      return .success(.string(text))
    case ("Int", .integer(let number)):
      return Int32(exactly: number) == nil ? .failure(tooLarge(String(number))) : .success(value)
    case ("Int", .double(let number)):
      // JSON has one kind of number: 50.0 is an integer to the specification (section 3.5.1).
      guard let integer = Int32(exactly: number) else {
        return .failure(Mismatch("Int cannot represent non-integer value: \(number)"))
      }
      return .success(.integer(Int64(integer)))
    case ("Int", .bigInteger(let text)):
      return .failure(tooLarge(text))
    case ("String", _), ("ID", _), ("Boolean", _), ("Int", _), ("Float", _):
      return .failure(wrongKind(name, describe(value)))
    default:
      return .success(value)
    }
  }

  /// What a resolver gave, as the answer holds it; nil where it is no value of the type.
  static func serialize(_ value: JSON, _ type: GraphQLSchema.TypeDefinition) -> JSON? {
    if type.kind == .enumeration {
      return type.values.contains { .string($0.name) == value } ? value : nil
    }
    switch (type.name, value) {
    case ("String", .string), ("Boolean", .bool), ("ID", .string), ("Float", .integer),
      ("Float", .bigInteger):
      return value
    case ("ID", .integer(let number)): return .string(String(number))
    case ("ID", .bigInteger(let text)): return .string(text)
    case ("Int", .integer(let number)): return Int32(exactly: number).map { _ in value }
    case ("Float", .double(let number)): return number.isFinite ? value : nil
    case ("String", _), ("ID", _), ("Boolean", _), ("Int", _), ("Float", _): return nil
    default: return value
    }
  }

  private static func finite(_ text: String) -> Result<Double, GraphQLInput.Mismatch> {
    guard let value = Double(text), value.isFinite else {
      return .failure(Mismatch("Float cannot represent the value: \(text.shortened())"))
    }
    return .success(value)
  }

  private static func tooLarge(_ text: String) -> GraphQLInput.Mismatch {
    Mismatch("Int cannot represent non 32-bit signed integer value: \(text.shortened())")
  }

  private static func wrongKind(_ type: String, _ value: String) -> GraphQLInput.Mismatch {
    switch type {
    case "String": Mismatch("String cannot represent a non string value: \(value)")
    case "Int": Mismatch("Int cannot represent non-integer value: \(value)")
    case "Float": Mismatch("Float cannot represent non numeric value: \(value)")
    case "Boolean": Mismatch("Boolean cannot represent a non boolean value: \(value)")
    default: Mismatch("\(type) cannot represent value: \(value)")
    }
  }

  /// A value as a message quotes it, never longer than a line.
  static func describe(_ value: JSON) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): String(value)
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .bigInteger(let text): text.shortened()
    case .string(let text): "\"\(text.shortened())\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension GraphQLLiteral {
  /// As a message quotes it, never longer than a line.
  var description: String {
    switch value {
    case .variable(let name): "$\(name)"
    case .integer(let text), .float(let text): text.shortened()
    case .string(let text): "\"\(text.shortened())\""
    case .boolean(let value): String(value)
    case .null: "null"
    case .enumeration(let name): name.shortened()
    case .list: "a list"
    case .object: "an object"
    }
  }
}
