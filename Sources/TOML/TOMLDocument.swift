package import JSON

/// Why a text is no TOML: a sentence, and the line counted from 1.
package struct TOMLError: Error, Equatable, Sendable {
  package var message: String
  package var line: Int

  package init(message: String, line: Int) {
    self.message = message
    self.line = line
  }
}

/// A TOML 1.0 document as the JSON value of the same shape, with the line of every key, so that a
/// warning can name the place. Dates and times become strings in RFC 3339 form.
package struct TOMLDocument: Equatable, Sendable {
  package var root: JSON
  package var lines: [[String]: Int]

  package init(root: JSON, lines: [[String]: Int]) {
    self.root = root
    self.lines = lines
  }

  /// The line of a key, by its path from the root, array indexes as digits.
  package func line(of path: [String]) -> Int? {
    lines[path]
  }
}
