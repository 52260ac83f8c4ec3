package import JSON

/// A subscription as the server keeps it while it lasts (GraphQL specification, section 6.2.3): the one field it
/// listens to, with its arguments, and how an event becomes a response.
package struct GraphQLSubscription: Sendable {
  /// The field's name in the schema.
  package let field: String
  package let arguments: [String: JSON]
  private let request: GraphQLRequest
  private let type: String

  /// CreateSourceEventStream as far as the document goes. Throws the error of the field, with its place.
  package init(_ request: GraphQLRequest) throws(GraphQLErrors) {
    guard let root = request.schema.rootType(of: .subscription),
      let group = request.collect([request.operation.selections], on: root.name).first,
      let field = group.fields.first,
      let definition = request.schema.field(named: field.name, of: root)
    else {
      throw GraphQLErrors([GraphQLError(message: "The subscription selects nothing.")])
    }
    self.request = request
    self.field = field.name
    type = root.name
    do {
      arguments = try request.arguments(of: field, definition.arguments)
    } catch {
      throw Self.refusal(error, request, field)
    }
  }

  /// The errors with which the subscription ends before it began, because its field could not be listened to.
  package func refusal(_ error: GraphQLFieldError) -> GraphQLErrors {
    let group = request.collect([request.operation.selections], on: type).first
    return Self.refusal(error, request, group?.fields.first)
  }

  private static func refusal(
    _ error: GraphQLFieldError, _ request: GraphQLRequest, _ field: GraphQLField?
  ) -> GraphQLErrors {
    GraphQLErrors([
      GraphQLError(
        message: error.message,
        locations: field.map { [request.document.source.location(at: $0.offset)] } ?? [],
        path: field.map { [.string($0.responseKey)] } ?? [], extensions: error.extensions)
    ])
  }

  /// The response to an event, which `value` is (section 6.2.3.2, ExecuteSubscriptionEvent).
  package func response(to value: GraphQLResolved, budget: GraphQLBudget) -> GraphQLResponse {
    var root = Event(value: value)
    return request.execute(on: &root, budget: budget)
  }

  private struct Event: GraphQLRoot {
    let value: GraphQLResolved

    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved { value }
  }

  /// Two subscriptions with the same outline give the same response to the same event, whatever their
  /// documents look like: the response keys, fields and arguments in the order of the answer. Nil where the
  /// answer depends on the event's type.
  package var outline: String? {
    guard let root = request.schema.rootType(of: .subscription) else { return nil }
    var text = ""
    // The event is given, so the arguments of the root field change nothing in the answer.
    guard
      outline([request.operation.selections], on: root, withArguments: false, into: &text)
    else { return nil }
    return text
  }

  private func outline(
    _ sets: [[GraphQLSelection]], on type: GraphQLSchema.TypeDefinition, withArguments: Bool,
    into text: inout String
  ) -> Bool {
    for group in request.collect(sets, on: type.name) {
      guard let field = group.fields.first,
        let definition = request.schema.field(named: field.name, of: type),
        let inner = request.schema.type(named: definition.type.innermost)
      else { return false }
      text += "\(group.key):\(field.name)"
      if withArguments, !field.arguments.isEmpty {
        guard let arguments = try? request.arguments(of: field, definition.arguments) else {
          return false
        }
        for name in arguments.keys.sorted() {
          text += "(\(name)=\(arguments[name]?.text ?? ""))"
        }
      }
      text += " "
      guard inner.isComposite else { continue }
      guard inner.kind == .object else { return false }
      text += "{"
      let sets = group.fields.map(\.selections)
      guard outline(sets, on: inner, withArguments: true, into: &text) else { return false }
      text += "}"
    }
    return true
  }
}
