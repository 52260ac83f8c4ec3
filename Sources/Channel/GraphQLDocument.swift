/// A first look at a GraphQL document, since a slip in one costs the whole socket with some servers
/// (Strawberry closes with 4400). It finds what can be found without the schema.
enum GraphQLDocument {
  enum Kind: String {
    case query, mutation, subscription
  }

  /// What is wrong, as the end of a sentence; nil where nothing was found.
  static func fault(
    in document: String, kind: Kind, operationName: String?, variables: [String]
  ) -> String? {
    let words: [Token]
    switch tokens(of: document) {
    case .success(let found): words = found
    case .failure(let fault): return fault.text
    }
    let operations = operations(in: words)
    guard !operations.isEmpty else { return "holds no operation" }
    let chosen: Operation
    if let operationName {
      guard let named = operations.first(where: { $0.name == operationName }) else {
        return "holds no operation of the name that “operationName” gives"
      }
      chosen = named
    } else {
      guard operations.count == 1 else {
        return "holds several operations; say which one with “operationName”"
      }
      chosen = operations[0]
    }
    guard chosen.kind == kind.rawValue else {
      return "must be a \(kind.rawValue), but is a \(chosen.kind)"
    }
    let declared = Set(words.filter { $0.kind == .variable }.map(\.text))
    if let unused = variables.first(where: { !declared.contains($0) }) {
      return "does not name the variable “$\(unused)” that “variables” gives"
    }
    return nil
  }

  private struct Fault: Error {
    let text: String
  }

  private struct Operation {
    let kind: String
    let name: String?
  }

  private struct Token {
    enum Kind {
      case word, variable, mark
    }

    let kind: Kind
    let text: String
  }

  /// The definitions at the outermost level; `{ … }` alone is a query.
  private static func operations(in tokens: [Token]) -> [Operation] {
    var found: [Operation] = []
    var depth = 0
    var atStart = true
    for (index, token) in tokens.enumerated() {
      switch (token.kind, token.text) {
      case (.mark, "{"), (.mark, "("), (.mark, "["):
        if depth == 0, atStart, token.text == "{" {
          found.append(Operation(kind: Kind.query.rawValue, name: nil))
        }
        depth += 1
        atStart = false
      case (.mark, "}"):
        depth -= 1
        // Only a selection set ends a definition.
        if depth == 0 { atStart = true }
      case (.mark, ")"), (.mark, "]"):
        depth -= 1
      case (.word, _) where depth == 0 && atStart:
        atStart = false
        if Kind(rawValue: token.text) != nil {
          let next = index + 1 < tokens.count ? tokens[index + 1] : nil
          found.append(
            Operation(kind: token.text, name: next.flatMap { $0.kind == .word ? $0.text : nil }))
        }
      default: break
      }
    }
    return found
  }

  private static func tokens(of document: String) -> Result<[Token], Fault> {
    let bytes = Array(document.utf8)
    var tokens: [Token] = []
    var open: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "#"):
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
          position += 1
        }
      case UInt8(ascii: "\""):
        guard let end = endOfString(in: bytes, from: position) else {
          return .failure(Fault(text: "has a string that is not closed"))
        }
        position = end
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
        open.append(byte)
        guard open.count <= 64 else { return .failure(Fault(text: "is nested too deep")) }
        tokens.append(Token(kind: .mark, text: String(UnicodeScalar(byte))))
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
        // "(" and ")" stand side by side in ASCII, the other pairs have one character between.
        guard let opening = open.popLast(), byte == opening + (opening == 0x28 ? 1 : 2) else {
          return .failure(
            Fault(text: "has a “\(UnicodeScalar(byte))” too many or in the wrong place"))
        }
        tokens.append(Token(kind: .mark, text: String(UnicodeScalar(byte))))
        position += 1
      case UInt8(ascii: "$"):
        let end = endOfName(in: bytes, from: position + 1)
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        tokens.append(Token(kind: .variable, text: name))
        position = end
      case _ where isNameByte(byte):
        let end = endOfName(in: bytes, from: position)
        let name = String(decoding: bytes[position..<end], as: UTF8.self)
        tokens.append(Token(kind: .word, text: name))
        position = end
      default: position += 1
      }
    }
    guard let last = open.last else { return .success(tokens) }
    return .failure(Fault(text: "has a “\(UnicodeScalar(last))” that is not closed"))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func endOfName(in bytes: [UInt8], from start: Int) -> Int {
    var position = start
    while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
    return position
  }

  /// The position behind the string that begins at `start`: "…" or """…""".
  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int? {
    let quote = UInt8(ascii: "\"")
    let isBlock = bytes[start...].starts(with: [quote, quote, quote])
    var position = start + (isBlock ? 3 : 1)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\\") {
        position += 2
      } else if isBlock {
        if bytes[position...].starts(with: [quote, quote, quote]) { return position + 3 }
        position += 1
      } else {
        if bytes[position] == quote { return position + 1 }
        if bytes[position] == 0x0A { return nil }
        position += 1
      }
    }
    return nil
  }
}
