import GraphQL

/// A look at a profile's document before it is sent, since a slip in one costs the whole socket with some
/// servers (Strawberry closes with 4400). It finds what can be found without the schema.
enum ProfileDocument {
  /// What is wrong, as the end of a sentence; nil where nothing was found. `variables` are the names that the
  /// profile gives values for.
  static func fault(
    in text: String, kind: GraphQLOperation.Kind, operationName: String?, variables: [String]
  ) -> String? {
    let operation: GraphQLOperation
    do {
      operation = try self.operation(in: text, named: operationName)
    } catch {
      return error.fault
    }
    guard operation.kind == kind else {
      return "must be a \(kind.rawValue), but is a \(operation.kind.rawValue)"
    }
    let declared = Set(operation.variables.map(\.name))
    if let stranger = variables.first(where: { !declared.contains($0) }) {
      return "does not define the variable “$\(stranger)” that “variables” gives"
    }
    return nil
  }

  /// Whether the first operation of a document is a subscription; false for one that cannot be read.
  static func isSubscription(_ text: String) -> Bool {
    (try? GraphQLDocument.parse(text))?.operations.first?.kind == .subscription
  }

  /// Why a document gives no operation.
  struct Problem: Error {
    /// The end of a sentence.
    var fault: String
    /// The document is right; it is not said which of its operations is meant.
    var isNameMissing = false
  }

  /// The operation of that name, or the only one, of a document that is right as far as can be told without the
  /// schema.
  static func operation(
    in text: String, named name: String?
  ) throws(Problem) -> GraphQLOperation {
    let document: GraphQLDocument
    do {
      document = try GraphQLDocument.parse(text)
    } catch {
      throw Problem(fault: fault(error))
    }
    guard !document.operations.isEmpty else { throw Problem(fault: "holds no operation") }
    guard let operation = document.operation(named: name) else {
      throw Problem(
        fault: name == nil
          ? "holds several operations; say which one with “operationName”"
          : "holds no operation of the name that “operationName” gives", isNameMissing: true)
    }
    if let error = document.errorsWithoutSchema().first { throw Problem(fault: fault(error)) }
    return operation
  }

  private static func fault(_ error: GraphQLError) -> String {
    let sentence = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
    guard let place = error.locations.first else { return "cannot be used: \(sentence)" }
    return "is wrong at its line \(place.line), column \(place.column): \(sentence)"
  }
}
