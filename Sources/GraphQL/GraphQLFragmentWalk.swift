/// Checks how fragments refer to each other (GraphQL specification, section 5.5.2): no cycles, and no chain
/// that would nest deeper than a single selection set may. Walks without recursion.
struct GraphQLFragmentWalk {
  let document: GraphQLDocument
  let uses: [String: GraphQLValidator.Uses]

  struct Problem {
    var message: String
    var offsets: [Int]
  }

  private enum Mark {
    case onPath
    case done(depth: Int)
  }

  private struct Step {
    var name: String
    var next = 0
    var depth: Int
  }

  func problems() -> [Problem] {
    var problems: [Problem] = []
    var marks: [String: Mark] = [:]
    for fragment in document.fragments where marks[fragment.name] == nil {
      walk(from: fragment.name, &marks, &problems)
    }
    return problems
  }

  private func walk(
    from start: String, _ marks: inout [String: Mark], _ problems: inout [Problem]
  ) {
    var path = [Step(name: start, depth: uses[start]?.deepest ?? 0)]
    marks[start] = .onPath
    while var step = path.popLast() {
      let spreads = uses[step.name]?.spreads ?? []
      guard step.next < spreads.count else {
        marks[step.name] = .done(depth: step.depth)
        if step.depth > document.limits.depth {
          problems.append(
            Problem(
              message:
                "Fragment \"\(step.name)\" is nested deeper than \(document.limits.depth) levels.",
              offsets: document.fragment(named: step.name).map { [$0.offset] } ?? []))
          // Told once; what spreads it is not measured by it again.
          marks[step.name] = .done(depth: 0)
        }
        continue
      }
      let spread = spreads[step.next]
      switch marks[spread.name] {
      case .onPath:
        problems.append(cycle(path.map(\.name) + [step.name], spread))
        step.next += 1
        path.append(step)
      case .done(let depth):
        step.depth = max(step.depth, spread.depth + depth)
        step.next += 1
        path.append(step)
      case nil where uses[spread.name] == nil:
        step.next += 1
        path.append(step)
      case nil:
        marks[spread.name] = .onPath
        path.append(step)
        path.append(Step(name: spread.name, depth: uses[spread.name]?.deepest ?? 0))
      }
    }
  }

  private func cycle(_ path: [String], _ spread: GraphQLValidator.Uses.Spread) -> Problem {
    let between = path.drop { $0 != spread.name }.dropFirst().prefix(5).map { "\"\($0)\"" }
    let via = between.isEmpty ? "" : " via \(between.joined(separator: ", "))"
    return Problem(
      message: "Cannot spread fragment \"\(spread.name)\" within itself\(via).",
      offsets: [spread.offset])
  }
}
