import GraphQL
import JSON

extension Profile {
  private static let numberTypes: Set<String> = [
    "Int", "Float", "Long", "Int64", "BigInt", "BigInteger", "bigint", "int", "int8", "integer",
    "numeric", "smallint",
  ]

  /// A cursor that a person wrote, with the type that the documents ask for.
  func cursor(_ text: String) -> JSON {
    guard let number = Int64(text) else { return .string(text) }
    let isNumber = [history, live].contains { operation in
      guard let operation,
        let variable = operation.variables.first(where: { member in
          Template.all(in: member.value).contains { $0.name == "cursor" }
        }),
        let parsed = try? ProfileDocument.operation(
          in: operation.document, named: operation.operationName),
        let type = parsed.variables.first(where: { $0.name == variable.key })?.type
      else { return false }
      return Self.numberTypes.contains(type.description.filter { !"[]!".contains($0) })
    }
    return isNumber ? .integer(number) : .string(text)
  }
}
