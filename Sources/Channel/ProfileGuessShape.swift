extension ProfileGuess {
  /// How a root field leads to messages, and where in one of them its parts are.
  struct Shape: Equatable {
    /// The type of a message.
    var type: String
    /// From the root field to the messages; empty where it gives them itself.
    var steps: [String]
    var isMany: Bool
    /// What the steps lead to are the edges of a connection: each has a cursor, and the message in its `node`.
    var isEdge = false
    var paths: [Role: String]
    /// What is asked for, with its braces.
    var selection: String

    /// Nil where the field gives nothing with a text and an id, or an author, in it.
    init?(_ field: IntrospectedSchema.Field, in schema: IntrospectedSchema) {
      if let found = Self.message(field.type.name, in: schema) {
        self.init(
          type: field.type.name, steps: [], isMany: field.type.isList, paths: found.paths,
          selection: found.selection)
        return
      }
      let each = field.type.isList ? ["*"] : []
      // One step down: the payload of a mutation, or a page; two steps down: edges and nodes.
      for outer in schema.fields(of: field.type.name) where outer.isFree {
        if let found = Self.message(outer.type.name, in: schema) {
          self.init(
            type: outer.type.name, steps: each + [outer.name],
            isMany: field.type.isList || outer.type.isList, paths: found.paths,
            selection: "{ \(outer.name) \(found.selection) }")
          return
        }
        guard outer.name == "edges", outer.type.isList else { continue }
        for node in schema.fields(of: outer.type.name) where node.name == "node" {
          guard let found = Self.message(node.type.name, in: schema) else { continue }
          let hasCursor = schema.fields(of: outer.type.name).contains { $0.name == "cursor" }
          self.init(
            type: node.type.name,
            steps: each + ["edges", "*"] + (hasCursor ? [] : ["node"]), isMany: true,
            paths: found.paths,
            selection: "{ edges { \(hasCursor ? "cursor " : "")node \(found.selection) } }")
          isEdge = hasCursor
          return
        }
      }
      return nil
    }

    private init(
      type: String, steps: [String], isMany: Bool, paths: [Role: String], selection: String
    ) {
      self.type = type
      self.steps = steps
      self.isMany = isMany
      self.paths = paths
      self.selection = selection
    }

    private static func message(
      _ type: String, in schema: IntrospectedSchema
    ) -> (paths: [Role: String], selection: String)? {
      let found = parts(type, in: schema)
      return found.paths[.text] != nil && (found.paths[.id] ?? found.paths[.author]) != nil
        ? found : nil
    }

    /// What of a message is in the type, were it none.
    static func parts(
      _ type: String, in schema: IntrospectedSchema
    ) -> (paths: [Role: String], selection: String) {
      let fields = schema.fields(of: type).filter(\.isFree)
      var paths: [Role: String] = [:]
      var selections: [String] = []
      for role in Role.ofMessages {
        let names = role.names + (role == .id ? [ProfileGuess.plain(type) + "id"] : [])
        let best = names.lazy.compactMap { name in
          fields.first { ProfileGuess.plain($0.name) == name }
        }
        for field in best {
          guard let found = leaf(field, for: role, in: schema) else { continue }
          paths[role] = found.path
          if !selections.contains(found.selection) { selections.append(found.selection) }
          break
        }
      }
      return (paths, "{ \(selections.joined(separator: " ")) }")
    }

    /// A field itself where it is plain; of an author or a room that is an object its name.
    private static func leaf(
      _ field: IntrospectedSchema.Field, for role: Role, in schema: IntrospectedSchema
    ) -> (path: String, selection: String)? {
      if schema.isPlain(field.type.name) {
        return field.type.isList ? nil : (field.name, field.name)
      }
      guard role == .author || role == .room, !field.type.isList else { return nil }
      let names =
        role == .room
        ? ["id", "slug", "name"]
        : [
          "name", "displayname", "username", "login", "nick", "nickname", "handle", "screenname",
          "fullname", "firstname", "slug", "id",
        ]
      let inner = schema.fields(of: field.type.name).filter { $0.isFree && !$0.type.isList }
      let found = names.lazy.compactMap { name in
        inner.first { ProfileGuess.plain($0.name) == name && schema.isPlain($0.type.name) }
      }.first
      return found.map { ("\(field.name).\($0.name)", "\(field.name) { \($0.name) }") }
    }
  }

  /// Upper case, and underscores as of PostgreSQL, make no difference.
  static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" }
  }
}

extension IntrospectedSchema.Field {
  /// It can be asked for without arguments.
  fileprivate var isFree: Bool { !arguments.contains(where: \.isNeeded) }
}
