import GraphQL
package import JSON
package import Text

/// One operation that is asked of a server (`parlour subscribe`): a document that was parsed before anything is
/// sent, the operation in it, and its variables.
package struct GraphQLTask: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case query, mutation, subscription
  }

  /// Why an operation is not sent, in a sentence.
  package struct Fault: Error, Equatable {
    package enum Part: Sendable {
      /// The document cannot be used, whatever else is given.
      case document
      /// The name or the variables do not go with it.
      case surroundings
    }

    package var part: Part
    package var message: String
  }

  package let document: String
  package let operationName: String?
  package let variables: [JSON.Member]
  package let kind: Kind
  /// There is no other field whose value the server may have found before a fault.
  let hasOneField: Bool

  /// Checks what can be checked without the schema: the grammar, the rules that need no types, which operation is
  /// meant, and that its variables are given and no others.
  package init(
    document text: String, operationName: String? = nil, variables: [JSON.Member] = []
  ) throws(Fault) {
    let operation: GraphQLOperation
    do {
      operation = try ProfileDocument.operation(in: text, named: operationName)
    } catch {
      throw Fault(
        part: error.isNameMissing ? .surroundings : .document,
        message: error.isNameMissing ? Self.missingName(operationName) : error.fault)
    }
    let declared = operation.variables
    if let stranger = variables.first(where: { member in
      !declared.contains { $0.name == member.key }
    }) {
      let known = declared.map { "$" + $0.name }.joined(separator: ", ")
      throw Fault(
        part: .surroundings,
        message: "does not define the variable “$\(stranger.key)”"
          + (known.isEmpty ? "; it defines none" : "; it defines \(known)"))
    }
    if let missing = declared.first(where: { variable in
      variable.type.isNonNull && variable.defaultValue == nil
        && !variables.contains { $0.key == variable.name }
    }) {
      throw Fault(
        part: .surroundings,
        message: "needs the variable “$\(missing.name)” (\(missing.type.description))")
    }
    document = text
    self.operationName = operationName
    self.variables = variables
    hasOneField = operation.hasOneField
    kind =
      switch operation.kind {
      case .query: .query
      case .mutation: .mutation
      case .subscription: .subscription
      }
  }

  private static func missingName(_ name: String?) -> String {
    guard let name else { return "holds several operations: say which one with --operation" }
    return "holds no operation of the name “\(name)”, which --operation gives"
  }
}

/// A result as the server sent it.
package struct GraphQLTaskResult: Equatable, Sendable {
  /// The JSON text in one line, with every digit and every member in its order.
  package var text: [UInt8]
  /// The errors that it holds, each as a sentence.
  package var errors: [UntrustedText]
  package var hasData: Bool
  /// Whether there is a `data`, be it null: without, nothing was carried out at all.
  var hasDataMember = true
}

extension GraphQLTaskResult {
  /// The body of an answer over HTTP; nil where it is none of GraphQL.
  init?(ofHTTP body: [UInt8]) {
    guard let value = try? JSON.parse(body.span.bytes),
      value["data"] != nil || value["errors"]?.array?.isEmpty == false
    else { return nil }
    self.init(
      text: JSONText.line(body.span.bytes), errors: GraphQLErrors.sentences(inResult: value),
      hasData: value["data"].map { !$0.isNull } ?? false)
    hasDataMember = value["data"] != nil
  }
}

/// What becomes of a `GraphQLTask`. The last one is `failed`, `completed`, `inDoubt` or `broken`; before it there
/// may be any number of the others.
package enum GraphQLTaskEvent: Equatable, Sendable {
  /// The operation was asked for; `again` where a line was lost before its end.
  case started(again: Bool)
  case result(GraphQLTaskResult)
  /// The server ended the operation with errors; the text is `{"errors": …}`.
  case failed(GraphQLTaskResult)
  case completed
  /// The line was lost with the mutation under way: nobody can know whether it was done, and it is not asked for
  /// again.
  case inDoubt
  /// The server sent what the protocol does not allow.
  case broken
}
