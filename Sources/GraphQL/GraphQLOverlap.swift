/// FieldsInSetCanMerge (GraphQL specification, section 5.3.2): fields with one response key must give values of
/// one shape, and where they can meet on one object be the same field with the same arguments; and so on
/// below. The document's fragments exist and have no cycles.
///
/// The specification compares every pair of fields. Here all fields of a response key are compared with the
/// first, and their selections looked at together, which finds the same and takes as many steps as there are
/// fields once all fragments are spread. Since that can double with every level, the steps are counted.
struct GraphQLOverlap {
  /// Fields that may be looked at in all.
  static let budget = 50_000

  struct Conflict {
    var message: String
    var offsets: [Int]
  }

  /// A field with the type on which it is selected.
  private struct Placed {
    var field: GraphQLField
    var parent: GraphQLSchema.TypeDefinition
    var type: GraphQLType

    var isOnObject: Bool { parent.kind == .object }
  }

  private struct Scope {
    var selections: [GraphQLSelection]
    var parent: GraphQLSchema.TypeDefinition
  }

  private let document: GraphQLDocument
  private let schema: GraphQLSchema
  private var conflicts: [Conflict] = []
  private var budget: Int

  static func conflicts(
    in operation: GraphQLOperation, of document: GraphQLDocument, schema: GraphQLSchema,
    budget: inout Int
  ) -> [Conflict] {
    guard let root = schema.rootType(of: operation.kind) else { return [] }
    var overlap = GraphQLOverlap(document: document, schema: schema, budget: budget)
    let scope = Scope(selections: operation.selections, parent: root)
    overlap.checkMeaning([scope])
    // On objects alone, fields of one key are one field: nothing is left to compare.
    if schema.types.contains(where: { $0.kind == .interface || $0.kind == .union }) {
      overlap.checkShape([scope])
    }
    budget = overlap.budget
    if budget < 0 {
      return [
        Conflict(
          message: "The document has too many fields once its fragments are spread.",
          offsets: [operation.offset])
      ]
    }
    return overlap.conflicts
  }

  private init(document: GraphQLDocument, schema: GraphQLSchema, budget: Int) {
    self.document = document
    self.schema = schema
    self.budget = budget
  }

  private var goesOn: Bool { budget >= 0 && conflicts.count < GraphQLValidator.mostErrors }

  // MARK: The same field

  /// Fields that can meet on one object: those on the same object type, and those on any interface or union.
  private mutating func checkMeaning(_ scopes: [Scope]) {
    guard goesOn else { return }
    for group in fields(of: scopes) {
      var order: [String] = []
      var onObjects: [String: [Placed]] = [:]
      var onOthers: [Placed] = []
      for placed in group {
        guard placed.isOnObject else {
          onOthers.append(placed)
          continue
        }
        if onObjects[placed.parent.name] == nil { order.append(placed.parent.name) }
        onObjects[placed.parent.name, default: []].append(placed)
      }
      let meeting = order.isEmpty ? [onOthers] : order.map { (onObjects[$0] ?? []) + onOthers }
      for fields in meeting {
        if let conflict = Self.difference(in: fields) {
          conflicts.append(conflict)
          break
        }
        let below = self.scopes(below: fields)
        if !below.isEmpty { checkMeaning(below) }
      }
    }
  }

  private static func difference(in fields: [Placed]) -> Conflict? {
    guard let first = fields.first?.field else { return nil }
    for other in fields.dropFirst().map(\.field) {
      if other.name != first.name {
        return conflict(
          first, other, "\"\(first.name)\" and \"\(other.name)\" are different fields")
      }
      if !haveSameArguments(first, other) {
        return conflict(first, other, "they have differing arguments")
      }
    }
    return nil
  }

  private static func haveSameArguments(_ left: GraphQLField, _ right: GraphQLField) -> Bool {
    left.arguments.count == right.arguments.count
      && left.arguments.allSatisfy { argument in
        right.arguments.contains { $0.name == argument.name && $0.value == argument.value }
      }
  }

  private static func conflict(
    _ first: GraphQLField, _ other: GraphQLField, _ reason: String
  ) -> Conflict {
    Conflict(
      message:
        "Fields \"\(first.responseKey)\" conflict because \(reason). Use different aliases on the fields to fetch both if this was intentional.",
      offsets: [first.offset, other.offset])
  }

  // MARK: The same shape

  /// SameResponseShape: whatever object it is, a key's value is read in one way.
  private mutating func checkShape(_ scopes: [Scope]) {
    guard goesOn else { return }
    for group in fields(of: scopes) {
      guard let first = group.first else { continue }
      if let other = group.first(where: { !haveSameShape(first.type, $0.type) }) {
        conflicts.append(
          Self.conflict(
            first.field, other.field,
            "they return conflicting types \"\(first.type.description)\" and \"\(other.type.description)\""
          ))
        continue
      }
      let below = self.scopes(below: group)
      if !below.isEmpty { checkShape(below) }
    }
  }

  private func haveSameShape(_ left: GraphQLType, _ right: GraphQLType) -> Bool {
    switch (left, right) {
    case (.nonNull(let one), .nonNull(let other)), (.list(let one), .list(let other)):
      return haveSameShape(one, other)
    case (.named(let one), .named(let other)):
      if one == other { return true }
      return schema.type(named: one)?.isComposite == true
        && schema.type(named: other)?.isComposite == true
    case (.nonNull, _), (.list, _), (.named, _): return false
    }
  }

  // MARK: Fields of selection sets

  private func scopes(below fields: [Placed]) -> [Scope] {
    fields.compactMap { placed in
      guard !placed.field.selections.isEmpty,
        let type = schema.type(named: placed.type.innermost)
      else { return nil }
      return Scope(selections: placed.field.selections, parent: type)
    }
  }

  /// By response key, in the order in which the keys came first.
  private mutating func fields(of scopes: [Scope]) -> [[Placed]] {
    var groups: [[Placed]] = []
    var index: [String: Int] = [:]
    var visited: Set<String> = []
    for scope in scopes { collect(scope, &visited, &groups, &index) }
    return groups
  }

  private mutating func collect(
    _ scope: Scope, _ visited: inout Set<String>, _ groups: inout [[Placed]],
    _ index: inout [String: Int]
  ) {
    for selection in scope.selections {
      guard budget >= 0 else { return }
      budget -= 1
      switch selection {
      case .field(let field):
        guard let type = schema.field(named: field.name, of: scope.parent)?.type else { continue }
        let placed = Placed(field: field, parent: scope.parent, type: type)
        if let position = index[field.responseKey] {
          groups[position].append(placed)
        } else {
          index[field.responseKey] = groups.count
          groups.append([placed])
        }
      case .inline(let inline):
        let parent = inline.typeCondition.flatMap(schema.type(named:)) ?? scope.parent
        collect(Scope(selections: inline.selections, parent: parent), &visited, &groups, &index)
      case .spread(let spread):
        guard visited.insert(spread.name).inserted,
          let fragment = document.fragment(named: spread.name),
          let parent = schema.type(named: fragment.typeCondition)
        else { continue }
        collect(
          Scope(selections: fragment.selections, parent: parent), &visited, &groups, &index)
      }
    }
  }
}
