import Glibc

/// Where the files are that come with the program, or that the person put beside the configuration.
enum SharedFolders {
  /// Folders in the order they are looked through: the person's own first, then those beside the program.
  ///
  /// The program runs from a source tree (a folder above it holds Package.swift and `inSources`), from an
  /// installed prefix (PREFIX/bin/parlour and PREFIX/share/parlour/NAME), or from anywhere.
  static func named(_ name: String, inSources path: String) -> [String] {
    var folders: [String] = []
    let home = environment("HOME")
    if let configuration = environment("XDG_CONFIG_HOME") ?? home.map({ $0 + "/.config" }) {
      folders.append(configuration + "/parlour/" + name)
    }
    var folder = programFolder
    if let slash = folder.lastIndex(of: "/") {
      folders.append(folder[..<slash] + "/share/parlour/" + name)
    }
    for _ in 0..<5 {
      if access(folder + "/Package.swift", R_OK) == 0, access(folder + "/" + path, R_OK) == 0 {
        folders.append(folder + "/" + path)
        break
      }
      guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { break }
      folder = String(folder[..<slash])
    }
    folders.append("/usr/local/share/parlour/" + name)
    folders.append("/usr/share/parlour/" + name)
    return folders
  }

  /// The names of what a folder holds; none where it cannot be read.
  static func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  private static var programFolder: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(
      decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }
}
