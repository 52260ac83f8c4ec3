/// Writes schemas and values in the schema definition language (GraphQL specification, section 3), in its usual
/// layout: what `GraphQLSchema(sdl:)` reads back as the same schema.
package enum GraphQLPrinter {
  /// Everything but what every schema has: built-in scalars, built-in directives and introspection.
  package static func text(of schema: GraphQLSchema) -> String {
    let builtIn = ["skip", "include", "deprecated", "specifiedBy", "oneOf"]
    let scalars = ["String", "Int", "Float", "Boolean", "ID"]
    var parts: [String] = []
    if let roots = self.roots(of: schema) { parts.append(roots) }
    parts += schema.directives.filter { !builtIn.contains($0.name) }.map(text(of:))
    parts += schema.types.filter { !$0.name.hasPrefix("__") && !scalars.contains($0.name) }
      .map(text(of:))
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// Left out where the names of the types say as much (section 3.3.1).
  private static func roots(of schema: GraphQLSchema) -> String? {
    let usual = GraphQLOperation.Kind.allCases.allSatisfy { kind in
      let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
      return schema.roots[kind] == (schema.type(named: name) == nil ? nil : name)
    }
    guard !usual || schema.description != nil else { return nil }
    let lines = GraphQLOperation.Kind.allCases.compactMap { kind in
      schema.roots[kind].map { "  \(kind.rawValue): \($0)\n" }
    }
    return description(schema.description) + "schema {\n" + lines.joined() + "}"
  }

  // MARK: Definitions

  private static func text(of type: GraphQLSchema.TypeDefinition) -> String {
    let directives = text(of: type.directives)
    let start = description(type.description)
    switch type.kind {
    case .scalar:
      return start + "scalar \(type.name)" + directives
    case .object, .interface:
      let interfaces =
        type.interfaces.isEmpty ? "" : " implements " + type.interfaces.joined(separator: " & ")
      let fields = type.fields.map { field in
        description(field.description, "  ") + "  \(field.name)"
          + arguments(field.arguments, "  ") + ": \(field.type.description)"
          + text(of: field.directives)
      }
      return start + (type.kind == .object ? "type " : "interface ") + type.name + interfaces
        + directives + block(fields)
    case .union:
      let members = type.members.isEmpty ? "" : " = " + type.members.joined(separator: " | ")
      return start + "union \(type.name)" + directives + members
    case .enumeration:
      let values = type.values.map { value in
        description(value.description, "  ") + "  \(value.name)" + text(of: value.directives)
      }
      return start + "enum \(type.name)" + directives + block(values)
    case .inputObject:
      let fields = type.inputFields.map { description($0.description, "  ") + "  " + text(of: $0) }
      return start + "input \(type.name)" + directives + block(fields)
    }
  }

  private static func text(of directive: GraphQLSchema.DirectiveDefinition) -> String {
    description(directive.description) + "directive @\(directive.name)"
      + arguments(directive.arguments, "") + (directive.isRepeatable ? " repeatable" : "")
      + " on " + directive.locations.joined(separator: " | ")
  }

  private static func block(_ lines: [String]) -> String {
    lines.isEmpty ? "" : " {\n" + lines.joined(separator: "\n") + "\n}"
  }

  /// On one line, unless one of them is described.
  private static func arguments(
    _ arguments: [GraphQLSchema.InputDefinition], _ indent: String
  ) -> String {
    guard !arguments.isEmpty else { return "" }
    if arguments.allSatisfy({ $0.description == nil }) {
      return "(" + arguments.map(text(of:)).joined(separator: ", ") + ")"
    }
    let inner = indent + "  "
    let lines = arguments.map { description($0.description, inner) + inner + text(of: $0) }
    return "(\n" + lines.joined(separator: "\n") + "\n\(indent))"
  }

  private static func text(of input: GraphQLSchema.InputDefinition) -> String {
    "\(input.name): \(input.type.description)"
      + (input.defaultValue.map { " = " + text(of: $0) } ?? "") + text(of: input.directives)
  }

  private static func text(of directives: [GraphQLDirective]) -> String {
    directives.map { directive in
      let arguments = directive.arguments.map { "\($0.name): \(text(of: $0.value))" }
      return " @\(directive.name)"
        + (arguments.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")")
    }.joined()
  }

  /// On one line where it needs no escapes, else as a block string, unless that would mean another text.
  private static func description(_ text: String?, _ indent: String = "") -> String {
    guard let text else { return "" }
    let line = "\(indent)\(quoted(text))\n"
    guard line.utf8.count > indent.utf8.count + text.utf8.count + 3 else { return line }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.map { $0.isEmpty ? "\n" : "\(indent)\($0)\n" }.joined()
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
    guard isPlain, GraphQLBlockString.value(of: Array("\n\(body)\(indent)".utf8)) == text else {
      return line
    }
    let escaped = body.replacing("\"\"\"", with: "\\\"\"\"")
    return "\(indent)\"\"\"\n\(escaped)\(indent)\"\"\"\n"
  }

  // MARK: Values

  static func text(of literal: GraphQLLiteral) -> String {
    switch literal.value {
    case .variable(let name): "$\(name)"
    case .integer(let text), .float(let text), .enumeration(let text): text
    case .string(let text): quoted(text)
    case .boolean(let value): String(value)
    case .null: "null"
    case .list(let elements): "[" + elements.map(text(of:)).joined(separator: ", ") + "]"
    case .object(let members):
      members.isEmpty
        ? "{}"
        : "{ " + members.map { "\($0.name): \(text(of: $0.value))" }.joined(separator: ", ") + " }"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{8}": quoted += "\\b"
      case "\u{C}": quoted += "\\f"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
