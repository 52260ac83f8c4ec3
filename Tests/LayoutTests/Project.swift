import Foundation

/// The source tree that the layout tests read.
enum Project {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  /// The Swift modules below Sources; folders that begin with C hold C libraries, but for Channel.
  static let modules: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/Sources")) ?? []
    return names.filter { name in
      files(below: "Sources/\(name)").contains { $0.hasSuffix(".swift") }
    }.sorted()
  }()

  /// Paths from the root.
  static func files(below folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: root + "/" + folder)?.allObjects ?? []
    return names.compactMap { $0 as? String }.map { folder + "/" + $0 }.sorted()
  }

  static func lines(of file: String) throws -> [String] {
    try String(contentsOfFile: root + "/" + file, encoding: .utf8).components(separatedBy: "\n")
  }
}
