import Glibc
import Program

/// What a folder holds, for the completion of paths. Names that could not be typed are left out.
enum FolderNames {
  private static let most = 20_000

  /// `typed` is a path up to its last slash, as a person types it: "", "~/notes/", "/tmp/".
  static func list(_ typed: String) -> [FoundName] {
    let folder = opened(typed)
    guard let directory = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(directory) }
    var found: [FoundName] = []
    while found.count < most, let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      guard let name, name != ".", name != "..", !name.unicodeScalars.contains(where: isControl)
      else { continue }
      found.append(
        FoundName(name, isFolder: isFolder(folder + name, type: Int32(entry.pointee.d_type))))
    }
    return found.sorted { $0.name < $1.name }
  }

  /// The path as the kernel takes it: "~" is the home folder.
  static func opened(_ typed: String) -> String {
    guard typed == "~" || typed.hasPrefix("~/"), let home = environment("HOME") else {
      return typed
    }
    return home + typed.dropFirst()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  private static func isFolder(_ path: String, type: Int32) -> Bool {
    // Of a link it counts where it leads to.
    if type == Int32(DT_DIR) { return true }
    guard type == Int32(DT_LNK) || type == Int32(DT_UNKNOWN) else { return false }
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }
}
