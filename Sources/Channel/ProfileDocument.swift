import GraphQL

/// A look at a profile's document before it is sent, since a slip in one costs the whole socket with some
/// servers (Strawberry closes with 4400). It finds what can be found without the schema.
enum ProfileDocument {
  /// What is wrong, as the end of a sentence; nil where nothing was found. `variables` are the names that the
  /// profile gives values for.
  static func fault(
    in text: String, kind: GraphQLOperation.Kind, operationName: String?, variables: [String]
  ) -> String? {
    let document: GraphQLDocument
    do {
      document = try GraphQLDocument.parse(text)
    } catch {
      return fault(error)
    }
    guard !document.operations.isEmpty else { return "holds no operation" }
    guard let operation = document.operation(named: operationName) else {
      return operationName == nil
        ? "holds several operations; say which one with “operationName”"
        : "holds no operation of the name that “operationName” gives"
    }
    guard operation.kind == kind else {
      return "must be a \(kind.rawValue), but is a \(operation.kind.rawValue)"
    }
    if let error = document.errorsWithoutSchema().first { return fault(error) }
    let declared = Set(operation.variables.map(\.name))
    if let stranger = variables.first(where: { !declared.contains($0) }) {
      return "does not define the variable “$\(stranger)” that “variables” gives"
    }
    return nil
  }

  private static func fault(_ error: GraphQLError) -> String {
    let sentence = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
    guard let place = error.locations.first else { return "cannot be used: \(sentence)" }
    return "is wrong at its line \(place.line), column \(place.column): \(sentence)"
  }
}
