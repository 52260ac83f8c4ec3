import JSON

/// Input coercion of the scalars that the schema has (GraphQL specification, section 3.5). The schema has no
/// input objects and no custom scalars.
enum GraphQLInput {
  /// The value of a type that a literal without variables stands for, or a sentence why it is none.
  static func coerce(
    _ literal: GraphQLLiteral, to type: GraphQLType
  ) -> Result<JSON, Mismatch> {
    switch type {
    case .nonNull(let inner):
      if literal.value == .null {
        return .failure(
          Mismatch("Expected value of type \"\(type.description)\", found null."))
      }
      return coerce(literal, to: inner)
    case .list(let element):
      if literal.value == .null { return .success(.null) }
      // One value stands for a list of one (section 3.11).
      guard case .list(let elements) = literal.value else {
        return coerce(literal, to: element).map { .array([$0]) }
      }
      var values: [JSON] = []
      for literal in elements {
        switch coerce(literal, to: element) {
        case .success(let value): values.append(value)
        case .failure(let mismatch): return .failure(mismatch)
        }
      }
      return .success(.array(values))
    case .named(let name):
      return scalar(literal, name)
    }
  }

  struct Mismatch: Error, Equatable {
    var message: String

    init(_ message: String) {
      self.message = message
    }
  }

  private static func scalar(
    _ literal: GraphQLLiteral, _ name: String
  ) -> Result<JSON, Mismatch> {
    switch (name, literal.value) {
    case (_, .null):
      return .success(.null)
    case ("String", .string(let text)), ("ID", .string(let text)), ("ID", .integer(let text)):
      return .success(.string(text))
    case ("Boolean", .boolean(let value)):
      return .success(.bool(value))
    case ("Int", .integer(let text)), ("Float", .integer(let text)):
      guard let value = Int32(text) else {
        return name == "Int"
          ? .failure(
            Mismatch("Int cannot represent non 32-bit signed integer value: \(text.shortened())"))
          : .success(.bigInteger(text))
      }
      return .success(.integer(Int64(value)))
    case ("Float", .float(let text)):
      guard let value = Double(text), value.isFinite else {
        return .failure(Mismatch("Float cannot represent the value: \(text.shortened())"))
      }
      return .success(.double(value))
    default:
      return .failure(Mismatch(wrongKind(name, literal.description)))
    }
  }

  /// The value of a type that a variable's JSON stands for.
  static func coerce(_ value: JSON, to type: GraphQLType) -> Result<JSON, Mismatch> {
    switch type {
    case .nonNull(let inner):
      if value.isNull {
        return .failure(
          Mismatch("Expected non-nullable type \"\(type.description)\" not to be null."))
      }
      return coerce(value, to: inner)
    case .list(let element):
      if value.isNull { return .success(.null) }
      guard let elements = value.array else {
        return coerce(value, to: element).map { .array([$0]) }
      }
      var values: [JSON] = []
      for json in elements {
        switch coerce(json, to: element) {
        case .success(let coerced): values.append(coerced)
        case .failure(let mismatch): return .failure(mismatch)
        }
      }
      return .success(.array(values))
    case .named(let name):
      return scalar(value, name)
    }
  }

  private static func scalar(_ value: JSON, _ name: String) -> Result<JSON, Mismatch> {
    switch (name, value) {
    case (_, .null), ("String", .string), ("ID", .string), ("Boolean", .bool),
      ("Float", .integer), ("Float", .double):
      return .success(value)
    case ("ID", .integer(let number)):
      return .success(.string(String(number)))
    case ("ID", .bigInteger(let text)):
      return .success(.string(text))
    case ("Int", .integer(let number)):
      guard Int32(exactly: number) != nil else { return .failure(tooLarge(String(number))) }
      return .success(value)
    case ("Int", .double(let number)):
      // JSON has one kind of number: 50.0 is an integer to the specification (section 3.5.1).
      guard let integer = Int32(exactly: number) else {
        return .failure(Mismatch("Int cannot represent non-integer value: \(number)"))
      }
      return .success(.integer(Int64(integer)))
    case ("Int", .bigInteger(let text)):
      return .failure(tooLarge(text))
    default:
      return .failure(Mismatch(wrongKind(name, describe(value))))
    }
  }

  private static func tooLarge(_ text: String) -> Mismatch {
    Mismatch("Int cannot represent non 32-bit signed integer value: \(text.shortened())")
  }

  private static func wrongKind(_ type: String, _ value: String) -> String {
    switch type {
    case "String": "String cannot represent a non string value: \(value)"
    case "Int": "Int cannot represent non-integer value: \(value)"
    case "Float": "Float cannot represent non numeric value: \(value)"
    case "Boolean": "Boolean cannot represent a non boolean value: \(value)"
    case "ID": "ID cannot represent value: \(value)"
    default: "\(type) cannot represent value: \(value)"
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
