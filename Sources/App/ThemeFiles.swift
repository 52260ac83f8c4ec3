import Glibc
import Screen

/// Finds theme files: the person's own first, then those beside the program.
struct ThemeFiles {
  /// Folders in the order they are looked through.
  let folders: [String]

  /// The program runs from a source tree (a folder above it holds Package.swift and themes/), from an
  /// installed prefix (PREFIX/bin/parlour and PREFIX/share/parlour/themes), or from anywhere.
  init() {
    var folders: [String] = []
    let home = environment("HOME")
    if let configuration = environment("XDG_CONFIG_HOME") ?? home.map({ $0 + "/.config" }) {
      folders.append(configuration + "/parlour/themes")
    }
    var folder = Self.programFolder
    if let slash = folder.lastIndex(of: "/") {
      folders.append(folder[..<slash] + "/share/parlour/themes")
    }
    for _ in 0..<5 {
      if access(folder + "/Package.swift", R_OK) == 0, access(folder + "/themes", R_OK) == 0 {
        folders.append(folder + "/themes")
        break
      }
      guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { break }
      folder = String(folder[..<slash])
    }
    folders.append("/usr/local/share/parlour/themes")
    folders.append("/usr/share/parlour/themes")
    self.folders = folders
  }

  private static var programFolder: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(
      decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }

  /// The file of a theme: the first folder that has it.
  func path(of name: String) -> String? {
    guard Theme.isValidName(name) else { return nil }
    return folders.lazy.map { $0 + "/" + name + ".theme" }.first { access($0, R_OK) == 0 }
  }

  /// Every theme's name and folder, by name; what an earlier folder has hides a later one's.
  func list() -> [(name: String, folder: String)] {
    var found: [String: String] = [:]
    for folder in folders {
      guard let directory = opendir(folder) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let file = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard file.hasSuffix(".theme") else { continue }
        let name = String(file.dropLast(6))
        if Theme.isValidName(name), found[name] == nil { found[name] = folder }
      }
    }
    return found.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// Loads a theme. Throws a sentence where there is none of that name or its file is no theme.
  func load(
    _ name: String, depth: Theme.Depth
  ) throws(CommandFailure) -> (theme: Theme, warnings: [Theme.Warning]) {
    guard let path = path(of: name) else {
      let names = list().map(\.name).joined(separator: ", ")
      throw .configuration(
        "There is no theme \(shown(name))."
          + (names.isEmpty ? " No theme files were found at all." : " There are: \(names)."))
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
