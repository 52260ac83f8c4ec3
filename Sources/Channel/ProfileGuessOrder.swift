import JSON

/// How a list of messages is asked for with the newest first: `order_by: [{created_at: desc}]` as with Hasura, or
/// `orderBy: CREATED_AT_DESC` as with PostGraphile.
extension ProfileGuess {
  /// Fields of a message by which the newest is known, the best first, in `plain` form.
  struct Newest: Equatable {
    var fields: [String]

    /// Nil where a message has neither a time, a sequence number nor an id in itself.
    init?(in shape: Shape) {
      fields = [Role.time, .seq, .id].compactMap { shape.paths[$0] }.filter { !$0.contains(".") }
        .map(ProfileGuess.plain)
      if fields.isEmpty { return nil }
    }
  }

  private static let orders: Set<String> = ["orderby", "sortby", "sort", "order"]
  private static let falling: Set<String> = ["desc", "descending", "newest", "newestfirst"]

  /// The first of the arguments that orders, and its value; nil where none is known to give the newest first.
  func order(
    _ arguments: [IntrospectedSchema.Argument]
  ) -> (argument: IntrospectedSchema.Argument, value: JSON)? {
    for argument in arguments where Self.orders.contains(Self.plain(argument.name)) {
      if let value = order(of: argument.type) { return (argument, value) }
    }
    return nil
  }

  private func order(of type: IntrospectedSchema.TypeReference) -> JSON? {
    guard let newest else { return nil }
    if let values = schema.enumerations[type.name] {
      let words = newest.fields.map { $0 + "desc" } + Self.falling.sorted()
      let value = words.lazy.compactMap { word in values.first { Self.plain($0) == word } }.first
      return value.map { type.isList ? .array([.string($0)]) : .string($0) }
    }
    guard let fields = schema.inputs[type.name] else { return nil }
    let members = newest.fields.compactMap { name -> JSON? in
      guard let field = fields.first(where: { Self.plain($0.name) == name }),
        let value = schema.enumerations[field.type.name]?.first(where: {
          Self.falling.contains(Self.plain($0))
        })
      else { return nil }
      return .object([.init(field.name, .string(value))])
    }
    // Of messages of one moment the id decides, where a list can say so.
    return type.isList && !members.isEmpty ? .array(members) : members.first
  }
}
