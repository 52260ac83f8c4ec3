package import JSON

/// As much of a server's schema as a guess needs, from the answer to `query`.
package struct IntrospectedSchema: Sendable {
  struct TypeReference: Equatable, Sendable {
    /// As GraphQL writes it: `[Message!]!`.
    var text: String
    /// The name inside of all brackets.
    var name: String
    var isRequired: Bool { text.hasSuffix("!") }
    var isList: Bool { text.contains("[") }
  }

  struct Argument: Equatable, Sendable {
    var name: String
    var type: TypeReference
    var hasDefault: Bool
    var isNeeded: Bool { type.isRequired && !hasDefault }
  }

  struct Field: Equatable, Sendable {
    var name: String
    var arguments: [Argument]
    var type: TypeReference
  }

  /// The fields of objects and interfaces, by the type's name.
  private(set) var fields: [String: [Field]] = [:]
  /// The fields of input objects, as arguments.
  private(set) var inputs: [String: [Argument]] = [:]
  /// The values of enumerations.
  private(set) var enumerations: [String: [String]] = [:]
  private(set) var query: String?
  private(set) var mutation: String?
  private(set) var subscription: String?

  /// Five levels of brackets: servers limit how deep a query may be.
  package static let query = """
    query ParlourGuess {
      __schema {
        queryType { name } mutationType { name } subscriptionType { name }
        types {
          kind name
          fields { name args { name defaultValue type { ...Reference } } type { ...Reference } }
          inputFields { name defaultValue type { ...Reference } }
          enumValues { name }
        }
      }
    }
    fragment Reference on __Type {
      kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
    }
    """

  /// Nil where the answer holds no schema.
  package init?(_ answer: JSON) {
    guard let schema = answer["data"]?["__schema"], let types = schema["types"]?.array else {
      return nil
    }
    query = schema["queryType"]?["name"]?.string
    mutation = schema["mutationType"]?["name"]?.string
    subscription = schema["subscriptionType"]?["name"]?.string
    for type in types {
      guard let name = type["name"]?.string else { continue }
      if type["kind"] == "INPUT_OBJECT" { inputs[name] = Self.arguments(type["inputFields"]) }
      if let values = type["enumValues"]?.array {
        enumerations[name] = values.compactMap(Self.name)
      }
      guard let fields = type["fields"]?.array else { continue }
      self.fields[name] = fields.compactMap(Self.field)
    }
  }

  func fields(of type: String?) -> [Field] { type.flatMap { fields[$0] } ?? [] }

  func isObject(_ type: String) -> Bool { fields[type] != nil }

  /// Whether a value of the type can be written as a text or a number.
  func isPlain(_ type: String) -> Bool { !isObject(type) && inputs[type] == nil }

  private static func field(_ value: JSON) -> Field? {
    guard let name = name(of: value), let type = reference(value["type"]) else { return nil }
    return Field(name: name, arguments: arguments(value["args"]), type: type)
  }

  private static func arguments(_ list: JSON?) -> [Argument] {
    (list?.array ?? []).compactMap { argument in
      guard let name = name(of: argument), let type = reference(argument["type"]) else {
        return nil
      }
      return Argument(
        name: name, type: type, hasDefault: argument["defaultValue"].map { !$0.isNull } ?? false)
    }
  }

  /// It goes into documents, so that it has to be a name (GraphQL 2.1.9).
  private static func name(of value: JSON?) -> String? {
    guard let name = value?["name"]?.string, !name.isEmpty, name.utf8.count <= 256,
      name.utf8.first.map({ (0x30...0x39).contains($0) }) == false,
      name.utf8.allSatisfy({
        $0 == 0x5F || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
      })
    else { return nil }
    return name
  }

  private static func reference(_ value: JSON?, depth: Int = 0) -> TypeReference? {
    guard let value, depth < 8 else { return nil }
    switch value["kind"]?.string {
    case "NON_NULL":
      return reference(value["ofType"], depth: depth + 1).map {
        TypeReference(text: $0.text + "!", name: $0.name)
      }
    case "LIST":
      return reference(value["ofType"], depth: depth + 1).map {
        TypeReference(text: "[\($0.text)]", name: $0.name)
      }
    default:
      return name(of: value).map { TypeReference(text: $0, name: $0) }
    }
  }
}
