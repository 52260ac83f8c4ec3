/// FieldsInSetCanMerge (GraphQL specification, section 5.3.2): fields with one response key must be the same
/// field with the same arguments, and so on below. The document's fragments exist and have no cycles.
struct GraphQLOverlap {
  /// Fields that may be looked at in all: fragments that spread each other twice double with every level.
  static let budget = 50_000

  struct Conflict {
    var message: String
    var offsets: [Int]
  }

  private let document: GraphQLDocument
  private var conflicts: [Conflict] = []
  private var budget: Int

  static func conflicts(
    in operation: GraphQLOperation, of document: GraphQLDocument, budget: inout Int
  ) -> [Conflict] {
    var overlap = GraphQLOverlap(document: document, budget: budget)
    overlap.check([operation.selections])
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

  private init(document: GraphQLDocument, budget: Int) {
    self.document = document
    self.budget = budget
  }

  private mutating func check(_ sets: [[GraphQLSelection]]) {
    guard budget >= 0, conflicts.count < GraphQLValidator.mostErrors else { return }
    var groups = GraphQLFieldGroups()
    var visited: Set<String> = []
    for selections in sets {
      collect(selections, &visited, into: &groups)
    }
    for group in groups.groups {
      compare(group.fields)
      let below = group.fields.map(\.selections).filter { !$0.isEmpty }
      if !below.isEmpty { check(below) }
    }
  }

  private mutating func collect(
    _ selections: [GraphQLSelection], _ visited: inout Set<String>,
    into groups: inout GraphQLFieldGroups
  ) {
    for selection in selections {
      guard budget >= 0 else { return }
      budget -= 1
      switch selection {
      case .field(let field): groups.append(field)
      case .inline(let inline): collect(inline.selections, &visited, into: &groups)
      case .spread(let spread):
        if visited.insert(spread.name).inserted,
          let fragment = document.fragment(named: spread.name)
        {
          collect(fragment.selections, &visited, into: &groups)
        }
      }
    }
  }

  private mutating func compare(_ fields: [GraphQLField]) {
    guard let first = fields.first else { return }
    for other in fields.dropFirst() {
      let reason: String
      if other.name != first.name {
        reason = "\"\(first.name)\" and \"\(other.name)\" are different fields"
      } else if !Self.haveSameArguments(first, other) {
        reason = "they have differing arguments"
      } else {
        continue
      }
      conflicts.append(
        Conflict(
          message:
            "Fields \"\(first.responseKey)\" conflict because \(reason). Use different aliases on the fields to fetch both if this was intentional.",
          offsets: [first.offset, other.offset]))
      return
    }
  }

  private static func haveSameArguments(_ left: GraphQLField, _ right: GraphQLField) -> Bool {
    left.arguments.count == right.arguments.count
      && left.arguments.allSatisfy { argument in
        right.arguments.contains { $0.name == argument.name && $0.value == argument.value }
      }
  }
}

/// Fields of one selection set by response key, in the order in which the keys came first.
struct GraphQLFieldGroups: Sendable {
  struct Group: Sendable {
    var key: String
    var fields: [GraphQLField]
  }

  private(set) var groups: [Group] = []
  private var index: [String: Int] = [:]

  mutating func append(_ field: GraphQLField) {
    let key = field.responseKey
    if let position = index[key] {
      groups[position].fields.append(field)
    } else {
      index[key] = groups.count
      groups.append(Group(key: key, fields: [field]))
    }
  }
}
