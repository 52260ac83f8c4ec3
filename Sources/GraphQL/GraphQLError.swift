package import JSON

/// A place in a document, both counted from one (GraphQL specification, section 7.1.2).
package struct GraphQLLocation: Equatable, Sendable {
  package var line: Int
  /// In Unicode scalar values.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// An error of a request or of a field, in the shape of the specification's section 7.1.2.
package struct GraphQLError: Error, Equatable, Sendable {
  package var message: String
  package var locations: [GraphQLLocation]
  /// Response keys and list positions from the root to the field; empty for errors of the request.
  package var path: [JSON]
  /// An object with what a program may want to know, such as a code.
  package var extensions: JSON?

  package init(
    message: String, locations: [GraphQLLocation] = [], path: [JSON] = [], extensions: JSON? = nil
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = extensions
  }

  package var json: JSON {
    var members = [JSON.Member("message", .string(message))]
    if !locations.isEmpty {
      let places = locations.map { location -> JSON in
        ["line": .integer(Int64(location.line)), "column": .integer(Int64(location.column))]
      }
      members.append(JSON.Member("locations", .array(places)))
    }
    if !path.isEmpty {
      members.append(JSON.Member("path", .array(path)))
    }
    if let extensions {
      members.append(JSON.Member("extensions", extensions))
    }
    return .object(members)
  }
}

/// One or more errors of a request, in the order of the document.
package struct GraphQLErrors: Error, Equatable, Sendable {
  package var errors: [GraphQLError]

  package init(_ errors: [GraphQLError]) {
    self.errors = errors
  }

  package var json: JSON { .array(errors.map(\.json)) }
}

/// The text of a document, and what stands where in it.
package struct GraphQLSource: Sendable {
  let bytes: [UInt8]

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  package func location(at offset: Int) -> GraphQLLocation {
    var location = GraphQLLocation(line: 1, column: 1)
    var position = 0
    while position < min(offset, bytes.count) {
      let byte = bytes[position]
      position += 1
      if byte == .lineFeed || byte == .carriageReturn {
        // CR LF is one line terminator (section 2.1.2).
        if byte == .carriageReturn, position < min(offset, bytes.count),
          bytes[position] == .lineFeed
        {
          position += 1
        }
        location.line += 1
        location.column = 1
      } else if byte & 0xC0 != 0x80 {
        location.column += 1
      }
    }
    return location
  }

  func error(_ message: String, at offsets: Int...) -> GraphQLError {
    GraphQLError(message: message, locations: offsets.map(location(at:)))
  }

  func syntaxError(_ message: String, at offset: Int) -> GraphQLError {
    error("Syntax Error: \(message)", at: offset)
  }
}
