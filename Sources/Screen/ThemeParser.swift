import TOML
import Text

extension Theme {
  static let mostBytes = 65_536

  /// Reads a theme file. `parent` gives the text of the theme it inherits from. Throws a sentence with file
  /// and line where the file is no theme at all; lesser faults are warnings.
  package static func parse(
    _ text: String, file: String, depth: Depth, parent: (String) -> String?
  ) throws(ThemeError) -> (theme: Theme, warnings: [Warning]) {
    let document = try document(text, file: file)
    return build(document, file: file, depth: depth, parent: parent)
  }

  private static func document(_ text: String, file: String) throws(ThemeError) -> TOMLDocument {
    guard text.utf8.count <= mostBytes else {
      throw ThemeError(
        message: "\(shown(file)) is larger than 64 KiB, so it is no theme; name a theme file")
    }
    do {
      return try TOMLDocument.parse(text)
    } catch {
      throw ThemeError(message: "\(shown(file)):\(error.line): \(error.message)")
    }
  }

  /// The rest of `parse`, on a document that was read.
  static func build(
    _ document: TOMLDocument, file: String, depth: Depth, parent: (String) -> String?
  ) -> (theme: Theme, warnings: [Warning]) {
    var sheet = ThemeSheet(document, file: file)
    let line = document.line(of: ["theme", "name"])
    if let name = sheet.name, !isValidName(name) {
      sheet.warn(
        line: line,
        "\(shown(name)) is no name for a theme; take 1 to 32 of a to z, 0 to 9 and -")
      sheet.name = nil
    }
    if sheet.name == nil, line == nil {
      sheet.warn(line: nil, "the theme has no name; write name = \"…\" under [theme]")
    }
    inherit(&sheet, document, parent: parent)
    var fitter = ThemeFitter(sheet: sheet, depth: depth)
    let theme = fitter.theme()
    let warnings = fitter.sheet.warnings
    return (
      theme,
      warnings.sorted {
        ($0.file == file ? 0 : 1, $0.line ?? 0) < ($1.file == file ? 0 : 1, $1.line ?? 0)
      }
    )
  }

  /// How many themes may stand behind one.
  private static let longestChain = 8

  /// Takes from the theme that is named, and from the one that names, what the sheet does not say.
  private static func inherit(
    _ sheet: inout ThemeSheet, _ document: TOMLDocument, parent: (String) -> String?
  ) {
    var chain = [sheet.name ?? ""]
    var next = sheet.inherits
    while let name = next {
      do throws(ThemeError) {
        let base = try readParent(name, behind: chain, parent: parent)
        sheet.fill(from: base)
        chain.append(name)
        next = base.inherits
      } catch {
        sheet.warn(line: document.line(of: ["theme", "inherits"]), error.message)
        return
      }
    }
  }

  private static func readParent(
    _ name: String, behind chain: [String], parent: (String) -> String?
  ) throws(ThemeError) -> ThemeSheet {
    guard isValidName(name) else {
      throw ThemeError(message: "\(shown(name)) is no name of a theme to inherit from")
    }
    guard !chain.contains(name) else {
      throw ThemeError(
        message: chain.last == name
          ? "\(name) cannot inherit from itself"
          : "\(chain.joined(separator: " inherits from ")) inherits from \(name): the circle has to be broken"
      )
    }
    guard chain.count <= longestChain else {
      throw ThemeError(message: "more than \(longestChain) themes stand behind this one")
    }
    guard let text = parent(name) else {
      throw ThemeError(message: "there is no theme \(name) to inherit from; check the name")
    }
    return ThemeSheet(try document(text, file: name + ".theme"), file: name + ".theme")
  }
}

extension ThemeSheet {
  /// Takes from the parent what this sheet does not say.
  mutating func fill(from parent: ThemeSheet) {
    palette.merge(parent.palette) { own, _ in own }
    styles.merge(parent.styles.mapValues(\.withoutLine)) { own, _ in own }
    mono.merge(parent.mono.mapValues(\.withoutLine)) { own, _ in own }
    nicks = nicks ?? parent.nicks
    brokenColors.formUnion(parent.brokenColors.filter { palette[$0] == nil })
  }
}

extension ThemeSheet.Look {
  fileprivate var withoutLine: ThemeSheet.Look {
    var look = self
    look.line = nil
    return look
  }
}

/// A word from a file, made safe to be said in a sentence.
func shown(_ word: String) -> String {
  UntrustedText(word).safe(for: .line, limit: 60)
}
