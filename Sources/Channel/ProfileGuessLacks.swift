extension ProfileGuess {
  /// A subscription that is none for messages.
  package struct Lacking: Equatable, Sendable {
    package var subscription: String
    package var type: String
    /// What a message would have and this has not, in words.
    package var lacks: [String]
  }

  /// The subscriptions of a schema of which no draft can be made, in the order of the schema.
  package static func lacking(in schema: IntrospectedSchema) -> [Lacking] {
    schema.fields(of: schema.subscription).map { field in
      let type = field.type.name
      guard schema.isObject(type) else {
        return Lacking(subscription: field.name, type: type, lacks: ["fields of its own"])
      }
      let found = Shape.parts(type, in: schema).paths
      var lacks: [String] = []
      if found[.text] == nil { lacks.append("a text (such as \(example(.text)))") }
      if found[.id] == nil, found[.author] == nil {
        lacks.append("an id (such as \(example(.id))) or an author (such as \(example(.author)))")
      }
      return Lacking(subscription: field.name, type: type, lacks: lacks)
    }
  }

  private static func example(_ role: Role) -> String {
    role.names.prefix(3).joined(separator: ", ")
  }
}
