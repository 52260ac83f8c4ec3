/// How many values the defaults of a schema come to. A default that names an input object brings in the defaults
/// of its fields, and so on: a short text can ask for more than any memory holds, or for no end.
struct GraphQLDefaultSizes {
  /// Values that all defaults of a schema may come to.
  static let most = 100_000
  /// How often a default may bring in another one.
  static let deepest = 64

  private let schema: GraphQLSchema
  /// Of the defaults of input objects' fields, by `Type.field`; zero while it is being found.
  private var known: [String: Int] = [:]

  /// Whether all defaults together are within bounds.
  static func areBounded(in schema: GraphQLSchema) -> Bool {
    var sizes = GraphQLDefaultSizes(schema: schema)
    var total = 0
    let arguments = schema.types.flatMap { $0.fields.flatMap(\.arguments) }
    for definition in arguments + schema.directives.flatMap(\.arguments) {
      guard let literal = definition.defaultValue else { continue }
      guard let size = sizes.size(of: literal, as: definition.type, depth: 0) else { return false }
      total += size
      guard total <= most else { return false }
    }
    for type in schema.types {
      for field in type.inputFields {
        guard let size = sizes.size(of: field, in: type, depth: 0) else { return false }
        total += size
        guard total <= most else { return false }
      }
    }
    return true
  }

  private init(schema: GraphQLSchema) {
    self.schema = schema
  }

  /// Of a field's default; nil where it has no bounds.
  private mutating func size(
    of field: GraphQLSchema.InputDefinition, in type: GraphQLSchema.TypeDefinition, depth: Int
  ) -> Int? {
    guard let literal = field.defaultValue else { return 0 }
    let key = "\(type.name).\(field.name)"
    if let size = known[key] { return size == 0 ? nil : size }
    guard depth < Self.deepest else { return nil }
    known[key] = 0
    guard let size = size(of: literal, as: field.type, depth: depth + 1) else { return nil }
    known[key] = size
    return size
  }

  private mutating func size(
    of literal: GraphQLLiteral, as type: GraphQLType, depth: Int
  ) -> Int? {
    var total = 1
    switch literal.value {
    case .list(let elements):
      let element = if case .list(let inner) = type.nullable { inner } else { type }
      for literal in elements {
        guard let size = size(of: literal, as: element, depth: depth) else { return nil }
        total += size
      }
    case .object(let members):
      guard let definition = schema.type(named: type.innermost) else { return total }
      for field in definition.inputFields {
        let given = members.last { $0.name == field.name }?.value
        let size =
          if let given {
            size(of: given, as: field.type, depth: depth)
          } else {
            size(of: field, in: definition, depth: depth)
          }
        guard let size, total <= Self.most else { return nil }
        total += size
      }
    default: break
    }
    return total <= Self.most ? total : nil
  }
}
