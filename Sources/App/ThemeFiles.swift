import Glibc
import Screen

/// Finds theme files: the person's own first, then those beside the program.
struct ThemeFiles {
  /// Folders in the order they are looked through.
  let folders: [String]
  /// Of a folder that somebody filled with themes no more are listed.
  private static let most = 500

  init() {
    folders = SharedFolders.named("themes", inSources: "themes")
  }

  /// The file of a theme: the first folder that has it.
  func path(of name: String) -> String? {
    guard Theme.isValidName(name) else { return nil }
    return folders.lazy.map { $0 + "/" + name + ".theme" }.first { access($0, R_OK) == 0 }
  }

  /// Every theme's name and folder, by name; what an earlier folder has hides a later one's. What is only there to be
  /// inherited from is left out.
  func list() -> [(name: String, folder: String)] {
    var found: [String: String] = [:]
    for folder in folders {
      for file in SharedFolders.files(in: folder) where file.hasSuffix(".theme") {
        let name = String(file.dropLast(6))
        if Theme.isValidName(name), found[name] == nil { found[name] = folder }
      }
    }
    found["base"] = nil
    return found.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// All that can be chosen, by name; those whose file is no theme are left out.
  func all(depth: Theme.Depth) -> [Theme] {
    list().prefix(Self.most).compactMap { try? load($0.name, depth: depth).theme }
      .filter { $0.variant != "base" }
  }

  /// Loads a theme. Throws a sentence where there is none of that name or its file is no theme.
  func load(
    _ name: String, depth: Theme.Depth
  ) throws(CommandFailure) -> (theme: Theme, warnings: [Theme.Warning]) {
    guard let path = path(of: name) else {
      let names = list().map(\.name)
      let hint = nearest(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
      throw .configuration(
        "There is no theme \(shown(name)).\(hint)"
          + (names.isEmpty
            ? " No theme files were found at all."
            : " There are: \(names.joined(separator: ", "))."))
    }
    let text = try readTextFile(path, limit: 65_536)
    do {
      return try Theme.parse(text, file: path, depth: depth) { parent in
        self.path(of: parent).flatMap { try? readTextFile($0, limit: 65_536) }
      }
    } catch {
      throw .configuration(error.message)
    }
  }
}
