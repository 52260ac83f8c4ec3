import JSON

/// What a guess puts into the arguments of a field: templates by the names of the arguments, and of the fields of
/// input objects.
extension ProfileGuess {
  private static let deepestInput = 3
  private static let filters: Set<String> = ["where", "filter", "filters", "condition", "criteria"]
  private static let numbers: Set<String> = ["int", "bigint", "long", "float", "decimal"]
  private static let equalities: Set<String> = ["eq", "equals", "equalto", "is"]

  /// The template for an argument; nil where it is left out.
  mutating func value(
    for argument: IntrospectedSchema.Argument, among arguments: [IntrospectedSchema.Argument],
    isPost: Bool, at place: [String]
  ) -> JSON? {
    let place = place + [argument.name]
    let roles: [Role] =
      isPost ? [.text, .nonce, .room, .author] : [.room, .count, .cursor, .author]
    if schema.isPlain(argument.type.name), !argument.type.isList, fits(argument, roles),
      let role = Self.role(of: argument.name, among: roles),
      argument.isNeeded || argument == Self.best(for: role, in: arguments)
    {
      switch role {
      case .room: return "{room}"
      case .count: return "{count=50}"
      case .cursor: return argument.type.isRequired ? "{cursor=0}" : "{cursor?}"
      // Who reads is no part of what is read: given only where it must be.
      case .author: return isPost || argument.isNeeded ? "{nick}" : nil
      case .text: return "{text}"
      case .nonce: return "{nonce}"
      case .id, .time, .seq, .edited, .deleted: break
      }
    }
    if !isPost, let order = order([argument]) { return order.value }
    if let fields = schema.inputs[argument.type.name],
      place.count - 3 < Self.deepestInput, !argument.type.isList
    {
      if argument.isNeeded || (isPost && takes(.text, [argument])) {
        return .object(
          fields.compactMap { field in
            value(for: field, among: fields, isPost: isPost, at: place).map {
              .init(field.name, $0)
            }
          })
      }
      if !isPost, Self.filters.contains(Self.plain(argument.name)) { return filter(fields) }
    }
    guard argument.isNeeded else { return nil }
    ask(argument, at: place)
    return .string("ASK_\(argument.name)")
  }

  /// A room's name is a text, and so is the person's.
  private func fits(_ argument: IntrospectedSchema.Argument, _ roles: [Role]) -> Bool {
    switch Self.role(of: argument.name, among: roles) {
    case .room, .author: !Self.numbers.contains(argument.type.name.lowercased())
    default: true
    }
  }

  private mutating func ask(_ argument: IntrospectedSchema.Argument, at place: [String]) {
    let place = place.joined(separator: ".")
    let known = questions.firstIndex {
      $0.name == argument.name && $0.type == argument.type.text
    }
    if let known {
      if !questions[known].places.contains(place) { questions[known].places.append(place) }
    } else {
      questions.append(Question(name: argument.name, type: argument.type.text, places: [place]))
    }
  }

  /// What narrows a list down to the room: `{room: "…"}`, or `{room: {_eq: "…"}}`.
  private func filter(_ fields: [IntrospectedSchema.Argument]) -> JSON? {
    guard let room = Self.best(for: .room, in: fields) else { return nil }
    if schema.isPlain(room.type.name) {
      guard fits(room, [.room]) else { return nil }
      return .object([.init(room.name, "{room}")])
    }
    guard
      let equality = schema.inputs[room.type.name]?.first(where: {
        Self.equalities.contains(Self.plain($0.name))
          && !Self.numbers.contains($0.type.name.lowercased())
      })
    else { return nil }
    return .object([.init(room.name, .object([.init(equality.name, "{room}")]))])
  }

  /// Whether one of the arguments is for that, or a field of an input object among them.
  func takes(_ role: Role, _ arguments: [IntrospectedSchema.Argument], depth: Int = 0) -> Bool {
    guard depth < Self.deepestInput else { return false }
    return arguments.contains { argument in
      if let fields = schema.inputs[argument.type.name] {
        // Of what may be left out only that which is asked for by itself is given.
        return !argument.type.isList && (argument.isNeeded || depth == 0)
          && takes(role, fields, depth: depth + 1)
      }
      return Self.role(of: argument.name, among: [role]) != nil
    }
  }

  /// The one whose name is the likeliest: `last` and `first` are not given both.
  private static func best(
    for role: Role, in arguments: [IntrospectedSchema.Argument]
  ) -> IntrospectedSchema.Argument? {
    role.names.lazy.compactMap { name in arguments.first { plain($0.name) == name } }.first
  }
}
