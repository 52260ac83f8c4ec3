import JSON
import TestKit
import Testing

@testable import GraphQL

/// Our parser, rules, execution and schemas beside graphql-core, on corpora made of a seed.
@Suite struct OracleTests {
  private static func zoo() throws -> GraphQLSchema {
    try GraphQLSchema(sdl: Oracle.text(of: Oracle.zoo))
  }

  /// The rule that a message is of, by words that both sides use; values have words of many kinds.
  private static func rule(_ message: String) -> String {
    let marks = [
      "Cannot query field", "Unknown argument", "Unknown type", "Unknown directive",
      "Unknown fragment", "is never used", "is not defined", "must have a selection",
      "must not have a selection", "There can be only one", "can only be used once",
      "may not be used on", "is required, but it was not provided", "used in position expecting",
      "cannot be non-input",
      "conflict because", "can never be of type", "within itself", "cannot condition on",
      "select only one top level", "introspection top level", "top level selection",
      "not supported by the schema", "must be the only defined", "must be non-nullable",
    ]
    return marks.first { message.contains($0) } ?? "value"
  }

  @Test func theVerdictOnEveryDocumentIsThatOfGraphQLCore() throws {
    let schema = try Self.zoo()
    let cases = try Oracle.values("validate", [Oracle.zoo, "--seed", "7", "--count", "900"])
    #expect(cases.count > 1000)
    var kinds: [String: Int] = [:]
    for expected in cases {
      let text = try #require(expected["document"]?.string)
      let ours: [GraphQLError]
      do {
        ours = try GraphQLDocument.parse(text).errors(against: schema)
      } catch {
        ours = [error]
      }
      let isSyntax = ours.first?.message.hasPrefix("Syntax Error: ") == true
      if let place = expected["syntax"]?.array {
        kinds["syntax", default: 0] += 1
        #expect(isSyntax, "\(text)")
        let location = try #require(ours.first?.locations.first)
        #expect(
          [.integer(Int64(location.line)), .integer(Int64(location.column))] == place,
          "\(text): \(ours)")
        continue
      }
      // A document of type definitions is none to execute: one rule more there, the grammar here.
      guard expected["executable"] == .bool(true) else {
        #expect(isSyntax, "\(text)")
        continue
      }
      let theirs = expected["errors"]?.array?.compactMap(\.string) ?? []
      // graphql-core leaves it to the execution to miss the operation.
      let found = ours.map(\.message).filter { $0 != "The document holds no operation." }
      kinds[theirs.isEmpty ? "valid" : "invalid", default: 0] += 1
      #expect(!isSyntax && theirs.isEmpty == found.isEmpty, "\(text): \(theirs) \(found)")
      // For the same reasons; graphql-core finds more of them behind the first.
      let rules = Set(found.map(Self.rule))
      #expect(
        rules.isSubset(of: theirs.map(Self.rule)), "\(text): \(rules) \(theirs) \(found)")
    }
    #expect(kinds.values.allSatisfy { $0 > 100 }, "\(kinds)")
  }

  @Test func theOutcomeOfEveryOperationIsThatOfGraphQLCore() throws {
    let schema = try Self.zoo()
    let cases = try Oracle.values("execute", [Oracle.zoo, "--seed", "3", "--count", "700"])
    #expect(cases.count > 300)
    var failed = 0
    for expected in cases {
      let text = try #require(expected["document"]?.string)
      let request: GraphQLRequest
      do {
        request = try GraphQLRequest(
          GraphQLDocument.validated(text, against: schema), operationName: nil,
          variables: expected["variables"], schema: schema)
      } catch {
        #expect(expected["request"] == .bool(true), "\(text): \(error)")
        continue
      }
      #expect(expected["request"] == .bool(false), "\(text)")
      var root = Mock(schema: schema, type: schema.roots[request.operation.kind] ?? "")
      let response = request.execute(
        on: &root, budget: GraphQLBudget(values: 1_000_000, text: 1 << 30))
      let data = try #require(expected["data"])
      #expect(
        response.data.means(data), "\(text): \(response.data.text) instead of \(data.text)")
      let paths = response.errors.map { JSON.array($0.path) }
      failed += paths.isEmpty ? 0 : 1
      #expect(.array(paths) == expected["paths"], "\(text)")
    }
    #expect(failed > 50)
  }

  // MARK: Schemas

  @Test func theIntrospectionIsThatOfGraphQLCore() throws {
    let query = GraphQLIntrospectionQuery.text
    for file in [Oracle.zoo] {
      let schema = try GraphQLSchema(sdl: Oracle.text(of: file))
      let request = try GraphQLRequest(
        GraphQLDocument.validated(query, against: schema), operationName: nil, variables: nil,
        schema: schema)
      var root = Mock(schema: schema, type: "Query")
      let response = request.execute(
        on: &root, budget: GraphQLBudget(values: 1_000_000, text: 1 << 30))
      #expect(response.errors == [])
      let theirs = try #require(Oracle.values("introspect", [file]).first)
      let (ours, expected) = (Self.comparable(response.data), Self.comparable(theirs))
      #expect(ours.filter { !expected.contains($0) } == [])
      #expect(expected.filter { !ours.contains($0) } == [])
      #expect(ours.count == expected.count)
      // And a client makes the schema of ours that it was.
      let client = try Oracle.lines("client", input: response.data.text)
      #expect(try client == Oracle.lines("print", [file]))
    }
  }

  /// By name, without the types of introspection, and without descriptions of what every schema has.
  private static func comparable(_ data: JSON) -> [String] {
    let schema = data["__schema"] ?? .null
    let own = ["String", "Int", "Float", "Boolean", "ID"]
    let builtIn = ["skip", "include", "deprecated", "specifiedBy", "oneOf"]
    let types = (schema["types"]?.array ?? []).filter {
      $0["name"]?.string?.hasPrefix("__") == false
    }
    let lines =
      types.filter { !own.contains($0["name"]?.string ?? "") }.map(\.sorted.text)
      + types.compactMap { $0["name"]?.string }
    let directives = schema["directives"]?.array ?? []
    let described = directives.filter { !builtIn.contains($0["name"]?.string ?? "") }
    let roots = ["queryType", "mutationType", "subscriptionType", "description"].map {
      schema[$0]?.sorted.text ?? "none"
    }
    return lines.sorted() + roots + described.map(\.sorted.text)
      + directives.compactMap { directive in
        let arguments = (directive["args"]?.array ?? []).map {
          "\($0["name"]?.text ?? "") \($0["type"]?.sorted.text ?? "") \($0["defaultValue"]?.text ?? "")"
        }
        return
          "\(directive["name"]?.text ?? "") \(arguments) \(directive["isRepeatable"]?.text ?? "")"
      }.sorted()
  }

  @Test func aPrintedSchemaIsReadAsTheSame() throws {
    let schema = try Self.zoo()
    let printed = GraphQLPrinter.text(of: schema)
    #expect(try GraphQLPrinter.text(of: GraphQLSchema(sdl: printed)) == printed)
    #expect(try printed == Oracle.text(of: Oracle.zoo))
  }

  @Test func schemasAreValidWhereGraphQLCoreSaysSo() throws {
    let list = JSON.array(Schemas.all.map { .string($0) })
    let verdicts = try Oracle.lines("schemas", input: list.text)
    #expect(verdicts.count == Schemas.all.count)
    for (text, verdict) in zip(Schemas.all, verdicts) {
      do {
        _ = try GraphQLSchema(sdl: text)
        #expect(verdict == "true", "\(text)")
      } catch {
        #expect(verdict == "false", "\(text): \(error)")
        #expect(!error.errors.isEmpty)
      }
    }
  }
}
