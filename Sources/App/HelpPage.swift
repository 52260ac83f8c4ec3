/// The text of --help and of `help COMMAND`, made from the option table.
package nonisolated enum HelpPage {
  package static let version = "0.1.0"
  /// A terminal has 80 of them.
  static let columns = 79

  package static var overview: String {
    let rows = OptionTable.commands.flatMap { entry in
      folded(entry.usage, to: 72).enumerated().map { ($0.offset == 0 ? "  " : "    ") + $0.element }
        + folded(entry.summary, to: 70).map { "      " + $0 }
    }
    return """
      Parlour \(version): chat in a terminal over WebSockets.

      \(rows.joined(separator: "\n"))

      Try it: parlour demo
      More: parlour help COMMAND; parlour help keys

      """
  }

  /// The words of a sentence in lines of at most so many characters.
  static func folded(_ sentence: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in sentence.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  package static func page(for entry: CommandEntry) -> String {
    let names = entry.options.map { "--" + $0.name + ($0.value.map { " " + $0 } ?? "") }
    let width = min(names.map(\.count).max() ?? 0, 26)
    let margin = "".padded(to: width + 4)
    let rows = zip(names, entry.options).flatMap { name, option in
      let help = option.help + (option.isRepeatable ? " Repeatable." : "")
      var lines = folded(help, to: columns - width - 4)
      // A long name has a line of its own.
      let first = name.count > width ? "" : lines.removeFirst()
      return ["  " + name.padded(to: first.isEmpty ? 0 : width + 2) + first]
        + lines.map { margin + $0 }
    }
    return """
      usage: \(folded(entry.usage, to: columns - 7).joined(separator: "\n         "))
      \(folded(entry.summary, to: columns).joined(separator: "\n"))

      \(rows.joined(separator: "\n"))

      Durations: 250ms, 30s, 2m. Exit codes: 0 done, 64 usage, 65 data,
      69 unreachable, 74 input/output, 76 the peer broke the protocol, 77 refused,
      78 configuration, 130 interrupted.

      """
  }
}

extension String {
  fileprivate nonisolated func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
