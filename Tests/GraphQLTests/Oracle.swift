import Foundation
import JSON
import TestKit
import Testing

/// graphql-core by Tests/Peers/graphql_oracle.py.
enum Oracle {
  static let zoo = Programs.root + "/Tests/GraphQLTests/Schemas/zoo.graphql"

  static func text(of file: String) throws -> String {
    try String(contentsOfFile: file, encoding: .utf8)
  }

  /// The lines that a job prints.
  static func lines(
    _ job: String, _ arguments: [String] = [], input: String = "", within seconds: Double = 240
  ) throws -> [String] {
    try #require(
      FileManager.default.isExecutableFile(atPath: Programs.python),
      "the peers are not set up: make test does it")
    let running = try Running(
      Programs.python, [Programs.peer("graphql_oracle.py"), job] + arguments)
    running.write(input)
    let result = try running.finish(within: seconds)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  static func values(_ job: String, _ arguments: [String] = []) throws -> [JSON] {
    try lines(job, arguments).map { try JSON.parse($0, depth: 512) }
  }
}

extension JSON {
  /// Whether both mean the same: numbers by value, members in order.
  func means(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.array(let one), .array(let two)):
      one.count == two.count && zip(one, two).allSatisfy { $0.means($1) }
    case (.object(let one), .object(let two)):
      one.count == two.count
        && zip(one, two).allSatisfy { $0.key == $1.key && $0.value.means($1.value) }
    case (.integer(let number), .double(let double)), (.double(let double), .integer(let number)):
      Double(number) == double
    default: self == other
    }
  }

  /// Members in the order of their names, all the way down.
  var sorted: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.map { Member($0.key, $0.value.sorted) }.sorted { $0.key < $1.key })
    default: self
    }
  }
}
