/// The rules that need no schema (GraphQL specification, parts of section 5): for clients, which rarely have one.
extension GraphQLDocument {
  /// What is wrong with the document whatever the schema is: names that stand twice, fragments that are missing
  /// or spread themselves, variables that no operation defines. At most `mostErrors`; empty where nothing was
  /// found.
  package func errorsWithoutSchema() -> [GraphQLError] {
    var validator = GraphQLValidator(document: self, schema: .empty)
    validator.runWithoutSchema()
    return validator.errors
  }
}

extension GraphQLValidator {
  fileprivate mutating func runWithoutSchema() {
    checkOperationNames()
    var fragments: [String: Uses] = [:]
    for fragment in document.fragments {
      guard fragments[fragment.name] == nil else {
        report(
          "There can be only one fragment named \"\(fragment.name)\".", at: fragment.offset)
        continue
      }
      fragments[fragment.name] = uses(of: fragment.selections, fragment.directives)
    }
    let operations = document.operations.map { uses(of: $0.selections, $0.directives) }
    for uses in operations + document.fragments.compactMap({ fragments[$0.name] }) {
      for spread in uses.spreads where fragments[spread.name] == nil {
        report("Unknown fragment \"\(spread.name)\".", at: spread.offset)
      }
    }
    for problem in GraphQLFragmentWalk(document: document, uses: fragments).problems() {
      report(problem.message, at: problem.offsets)
    }
    for (operation, uses) in zip(document.operations, operations) {
      checkDefinitions(of: operation, uses, fragments)
    }
  }

  private mutating func checkDefinitions(
    of operation: GraphQLOperation, _ uses: Uses, _ fragments: [String: Uses]
  ) {
    let defined = Set(operation.variables.map(\.name))
    let title = operation.name.map { " by operation \"\($0)\"" } ?? ""
    var reached: Set<String> = []
    var pending = [uses]
    while let uses = pending.popLast() {
      for use in uses.variables where !defined.contains(use.name) {
        report("Variable \"$\(use.name)\" is not defined\(title).", at: use.offset)
      }
      for spread in uses.spreads where reached.insert(spread.name).inserted {
        if let uses = fragments[spread.name] { pending.append(uses) }
      }
    }
  }

  // MARK: What a definition uses

  private func uses(
    of selections: [GraphQLSelection], _ directives: [GraphQLDirective]
  ) -> Uses {
    var uses = Uses()
    note(directives, &uses)
    note(selections, depth: 1, &uses)
    return uses
  }

  /// Recursion is bounded by the parser's depth.
  private func note(_ selections: [GraphQLSelection], depth: Int, _ uses: inout Uses) {
    uses.deepest = max(uses.deepest, depth)
    for selection in selections {
      note(selection.directives, &uses)
      switch selection {
      case .field(let field):
        note(field.arguments, &uses)
        if !field.selections.isEmpty { note(field.selections, depth: depth + 1, &uses) }
      case .inline(let inline):
        note(inline.selections, depth: depth + 1, &uses)
      case .spread(let spread):
        uses.spreads.append(Uses.Spread(name: spread.name, offset: spread.offset, depth: depth))
      }
    }
  }

  private func note(_ directives: [GraphQLDirective], _ uses: inout Uses) {
    for directive in directives { note(directive.arguments, &uses) }
  }

  private func note(_ arguments: [GraphQLArgument], _ uses: inout Uses) {
    for argument in arguments { noteVariables(in: argument.value, &uses) }
  }
}
