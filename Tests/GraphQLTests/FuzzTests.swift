import JSON
import TestKit
import Testing
import WebSocket

@testable import GraphQL

/// Whatever the bytes are: an answer, in bounded time and stack.
@Suite struct FuzzTests {
  private static let seeds = [
    "query Q($a: [String!]! = [\"x\"], $b: Int @skip(if: true)) @note { a: echo(s: $a, any: {k: [1, 2.5e3, RED, null, $b]}) @once { ...F ... on Cat @include(if: $b) { id } } } fragment F on Person { pets(filter: {names: \"\"\"block\n  \\\"\"\" \"\"\"}) { __typename } }",
    "{ being { ... on Cat { owner { a: id } } ... on Dog { owner { a: name } } } }",
    "subscription { person(id: \"\\u{1F600}\\uD83D\\uDE00\") { children { children { id } } } }",
    "\u{FEFF}# comment\n{ things(ids: [1, \"2\"]) { ... { ... on Rock { weight matrix } } } }",
    "\"d\" type T implements A & B @d(a: 1) { \"f\" a(b: [Int!]! = [1]): Int } union U = | A | B extend enum K { A } input N @oneOf { a: N } directive @d(a: Int = 1) repeatable on FIELD | OBJECT schema { query: T }",
  ]
  private static let pieces = [
    "{", "}", "(", ")", "[", "]", "\"", "\"\"\"", "\\", "\\u{", "$", "!", "...", "@", "=", ":", "|",
    "&", "#", "\n", "-", "0", "1e", ".", "on", "fragment", "query", "id", "person", "\u{FEFF}", "é",
    "{{{{{{{{", "[[[[[[[[", "{a:{a:{a:",
  ]

  /// A few bytes or pieces taken away, doubled, moved or put in.
  private static func mutated(_ text: String, _ dice: inout Dice) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<(1 + dice.below(4)) {
      let place = dice.below(bytes.count + 1)
      switch dice.below(5) {
      case 0 where place < bytes.count: bytes.remove(at: place)
      case 1 where place < bytes.count: bytes[place] = UInt8(dice.below(256))
      case 2:
        let end = min(bytes.count, place + dice.below(40))
        bytes.insert(contentsOf: bytes[place..<end], at: dice.below(bytes.count + 1))
      case 3: bytes.removeLast(min(bytes.count, dice.below(60)))
      default: bytes.insert(contentsOf: pieces[dice.below(pieces.count)].utf8, at: place)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private struct Dice {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(max(1, bound)))
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func mutatedDocumentsAreAnsweredWithoutACrash(seed: UInt64) throws {
    let schema = try GraphQLSchema(sdl: Oracle.text(of: Oracle.zoo))
    var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15)
    var read = 0
    for round in 0..<3000 {
      let text = Self.mutated(Self.seeds[round % Self.seeds.count], &dice)
      do {
        let document = try GraphQLDocument.parse(text)
        read += 1
        let errors = document.errors(against: schema)
        #expect(errors.count <= 50)
        _ = document.errorsWithoutSchema()
        guard errors.isEmpty,
          let request = try? GraphQLRequest(
            document, operationName: nil, variables: [:], schema: schema)
        else { continue }
        var root = Mock(schema: schema, type: schema.roots[request.operation.kind] ?? "")
        _ = request.execute(on: &root, budget: GraphQLBudget(values: 1000, text: 10_000))
      } catch {
        let place = try #require(error.locations.first)
        #expect(place.line >= 1 && place.column >= 1 && error.message.hasPrefix("Syntax Error: "))
      }
      do {
        _ = try GraphQLSchema(sdl: text)
      } catch {
        #expect(!error.errors.isEmpty)
      }
    }
    #expect(read > 100)
  }

  @Test(arguments: [
    String(repeating: "{a", count: 100_000), "{ a(b: " + String(repeating: "[", count: 500_000),
    "{ a(b: " + String(repeating: "{c:", count: 100_000),
    "query($a: " + String(repeating: "[", count: 100_000),
    String(repeating: "{ ...", count: 100_000),
    "type T { a: " + String(repeating: "[", count: 100_000),
    "type T { a(b: Int = " + String(repeating: "[", count: 100_000),
    "{ a(b: \"\"\"" + String(repeating: "\n ", count: 400_000) + "\"\"\") }",
    "#" + String(repeating: "x", count: 1_000_000), String(repeating: "\u{FEFF}", count: 300_000),
    String(repeating: "query Q { a } ", count: 20_000),
    "{ a @" + String(repeating: "b @", count: 40_000) + "c }",
  ])
  func deepAndLongDocumentsAreBounded(text: String) {
    let empty = GraphQLSchema.empty
    let count = (try? GraphQLDocument.parse(text))?.errors(against: empty).count ?? 1
    #expect(count <= 50)
    #expect(throws: GraphQLErrors.self) { try GraphQLSchema(sdl: text) }
  }

  @Test func fieldsThatMultiplyByTypeAndLevelAreCounted() throws {
    // On an interface, each level looks at what is below once for every object type.
    let schema = try GraphQLSchema(sdl: Oracle.text(of: Oracle.zoo))
    var text = "{ pets { ...F0 } }"
    for level in 0..<40 {
      let below = "{ ...F\(level + 1) }"
      text +=
        " fragment F\(level) on Pet { friends \(below) ... on Cat { friends \(below) } ... on Dog { friends \(below) } }"
    }
    text += " fragment F40 on Pet { id }"
    let errors = try GraphQLDocument.parse(text).errors(against: schema)
    #expect(
      errors.map(\.message) == [
        "The document has too many fields once its fragments are spread."
      ])
  }

  @Test func aDocumentMayNestTwoHundredLevels() throws {
    let nested = { (count: Int) in
      String(repeating: "{a", count: count) + String(repeating: "}", count: count)
    }
    _ = try GraphQLDocument.parse(nested(200))
    #expect(throws: GraphQLError.self) { try GraphQLDocument.parse(nested(201)) }
  }
}
