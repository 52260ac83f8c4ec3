package import JSON
package import Text

/// A profile tried out once: its history, asked for and read.
extension Profile {
  /// The history as an operation of its own; nil where there is none, or a variable has a place for the person to
  /// fill. Throws where it cannot be sent.
  package func historyTask(
    room: String, nick: String, count: Int
  ) throws(GraphQLTask.Fault) -> GraphQLTask? {
    guard let history else { return nil }
    let values = TemplateValues([
      "room": .string(room), "nick": .string(nick), "count": .integer(Int64(count)),
    ])
    let variables = Template.expand(history.variables, with: values)
    let isOpen = variables.contains { $0.value.text.contains("\"ASK_") }
    guard !isOpen else { return nil }
    return try GraphQLTask(
      document: history.document, operationName: history.operationName, variables: variables)
  }

  /// Why an answer holds no history, as the server says it.
  package func historyFault(in answer: JSON) -> UntrustedText? {
    readHistory(answer).messages.isEmpty ? GraphQLErrors.text(inResult: answer) : nil
  }

  /// The items of an answer to `historyTask`, and the messages in them, in the order of the answer.
  package func readHistory(_ answer: JSON) -> (items: [JSON], messages: [ChatMessage]) {
    guard let history, let data = answer["data"] else { return ([], []) }
    let reader = MessageReader(self)
    let items = MessageReader.items(at: PathFinder(history.items), in: data)
    return (items, items.compactMap { reader.read($0)?.message })
  }
}
