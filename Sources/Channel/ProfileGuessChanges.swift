import JSON

/// Mutations that change a message: found by their names, and by the id that they take.
extension ProfileGuess {
  private enum ChangeKind: String {
    case edit, delete
  }

  private static let verbs: [(kind: ChangeKind, words: [String])] = [
    (.edit, ["edit", "update", "modify", "change"]),
    (.delete, ["delete", "remove", "retract", "redact", "unsend"]),
  ]
  private static let nouns = ["message", "msg", "post", "chat", "line", "note"]

  /// Whether a mutation is no way to say something new.
  func changeKind(of field: IntrospectedSchema.Field) -> String? { kind(of: field)?.rawValue }

  private func kind(of field: IntrospectedSchema.Field) -> ChangeKind? {
    let name = Self.plain(field.name)
    guard Self.nouns.contains(where: name.contains), hasID(field.arguments) else { return nil }
    let kind = Self.verbs.first { verb in
      verb.words.contains { name.hasPrefix($0) || name.hasSuffix($0) }
    }?.kind
    guard kind != .edit || takes(.text, field.arguments) else { return nil }
    return kind
  }

  private func hasID(_ arguments: [IntrospectedSchema.Argument], depth: Int = 0) -> Bool {
    arguments.contains { argument in
      if let fields = schema.inputs[argument.type.name] {
        return depth < 2 && !argument.type.isList && hasID(fields, depth: depth + 1)
      }
      return Role.id.names.contains(Self.plain(argument.name))
    }
  }

  /// The more of a message a subscription gives, the likelier it is; one about changes is not the one for new messages.
  static func weight(_ field: IntrospectedSchema.Field, _ shape: Shape) -> Int {
    shape.paths.count - (isAboutChanges(field.name) ? 100 : 0)
  }

  private static func isAboutChanges(_ name: String) -> Bool {
    let name = plain(name)
    return ["chang", "edit", "updat", "delet", "remov", "react"].contains(where: name.contains)
  }

  /// The parts of the profile for them.
  mutating func changes(_ type: String) -> [JSON.Member] {
    var members: [JSON.Member] = []
    let streams = schema.fields(of: schema.subscription).compactMap { field in
      Shape(field, in: schema).flatMap { $0.type == type ? (field, $0) : nil }
    }
    let stream = streams.first { field, _ in
      Self.isAboutChanges(field.name) && !Self.plain(field.name).contains("delet")
    }
    if let stream {
      members.append(.init("changes", part("subscription", "Changes", stream, [])))
    }
    for kind in [ChangeKind.edit, .delete] {
      let fields = schema.fields(of: schema.mutation)
      guard let field = fields.first(where: { self.kind(of: $0) == kind }) else { continue }
      members.append(.init(kind.rawValue, change(kind, field, type)))
    }
    return members
  }

  private mutating func change(
    _ kind: ChangeKind, _ field: IntrospectedSchema.Field, _ type: String
  ) -> JSON {
    var definitions: [String] = []
    var passed: [String] = []
    var variables: [JSON.Member] = []
    for argument in field.arguments {
      let place = [kind.rawValue, "variables"]
      guard let value = changeValue(argument, among: field.arguments, at: place) else { continue }
      definitions.append("$\(argument.name): \(argument.type.text)")
      passed.append("\(argument.name): $\(argument.name)")
      variables.append(.init(argument.name, value))
    }
    let shape = Shape(field, in: schema).flatMap { $0.type == type ? $0 : nil }
    let name = kind == .edit ? "Edit" : "Delete"
    let selection = shape.map { " \($0.selection)" } ?? leafSelection(of: field)
    let document =
      "mutation \(name)(\(definitions.joined(separator: ", "))) { "
      + "\(field.name)(\(passed.joined(separator: ", ")))\(selection) }"
    var members: [JSON.Member] = [
      .init("document", .string(document)), .init("operationName", .string(name)),
      .init("variables", .object(variables)),
    ]
    if let shape {
      let path = ([field.name] + shape.steps).joined(separator: ".")
      members.append(.init("items", .string(path)))
    }
    return .object(members)
  }

  /// An object has to be asked for something.
  private func leafSelection(of field: IntrospectedSchema.Field) -> String {
    schema.isPlain(field.type.name) ? "" : " { __typename }"
  }

  private mutating func changeValue(
    _ argument: IntrospectedSchema.Argument, among arguments: [IntrospectedSchema.Argument],
    at place: [String]
  ) -> JSON? {
    if let fields = schema.inputs[argument.type.name], place.count < 4, !argument.type.isList {
      guard argument.isNeeded || hasID([argument]) else { return nil }
      return .object(
        fields.compactMap { field in
          changeValue(field, among: fields, at: place + [argument.name]).map {
            .init(field.name, $0)
          }
        })
    }
    if Role.id.names.contains(Self.plain(argument.name)) { return "{id}" }
    return value(for: argument, among: arguments, isPost: true, at: place)
  }
}
