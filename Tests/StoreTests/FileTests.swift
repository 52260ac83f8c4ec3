import Channel
import Foundation
import Glibc
import Room
import Store
import Testing

@Suite struct StoreFileTests {
  private func mode(_ path: String) -> mode_t {
    var information = stat()
    return lstat(path, &information) == 0 ? information.st_mode & 0o777 : 0
  }

  @Test func folderAndFilesAreThePersonsAlone() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    _ = FileManager.default.createFile(
      atPath: folder.file, contents: nil, attributes: [.posixPermissions: 0o644])
    let store = try folder.open()
    try store.write(records([kept(1)]), of: server)
    #expect(mode(folder.path) == 0o700)
    for name in folder.names where name.hasPrefix("history") {
      #expect(mode(folder.path + "/" + name) == 0o600, "\(name)")
    }
    #expect(mode(folder.path + "/runs") == 0o700)
  }

  @Test func aLinkOrAFolderInItsPlaceIsRefusedAndUntouched() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    let victim = folder.path + "/victim"
    try "precious".write(toFile: victim, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file, withDestinationPath: victim)
    let linked = #expect(throws: StoreError.self) { try folder.open() }
    #expect(linked?.kind == .unusable)
    #expect(linked?.message.contains("symbolic link") == true)
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    try FileManager.default.removeItem(atPath: folder.file)
    try FileManager.default.createDirectory(
      atPath: folder.file, withIntermediateDirectories: true)
    #expect(throws: StoreError.self) { try folder.open() }
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal"], [S_IFIFO, S_IFDIR, S_IFLNK, S_IFSOCK])
  func whatIsNoPlainFileIsRefusedAtOnce(companion: String, kind: mode_t) throws {
    let folder = try Folder()
    if !companion.isEmpty { _ = try folder.open() }
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.file + companion
    switch kind {
    case S_IFDIR: #expect(mkdir(path, 0o700) == 0)
    case S_IFLNK: #expect(symlink("/dev/zero", path) == 0)
    default: #expect(mknod(path, kind | 0o600, 0) == 0)
    }
    for open in [{ try folder.open() }, { try Store(reading: folder.path) }] {
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.kind == .unusable && error?.message.contains("\(path): it is a") == true)
    }
  }

  @Test func filesOfRunsThatWereKilledGoAndThoseOfOthersStay() throws {
    let folder = try Folder()
    let living = try folder.open(run: "living")
    let runs = folder.path + "/runs"
    for number in 1...5 {
      _ = FileManager.default.createFile(atPath: "\(runs)/killed-\(number)", contents: nil)
    }
    #expect(mkfifo(runs + "/pipe", 0o600) == 0)
    _ = try Store(reading: folder.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: runs).count == 7)
    let next = try folder.open(run: "next")
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: runs)) == ["living", "next"])
    #expect(living.isAtItsPath && next.isAtItsPath)
  }

  /// What may happen to a file.
  enum Damage: CaseIterable {
    case noise, cutShort, flippedPage, otherTables, text
  }

  @Test(arguments: Damage.allCases)
  func aDamagedFileIsSetAsideWholeAndANewOneBegins(damage: Damage) throws {
    let folder = try Folder()
    do {
      let store = try folder.open()
      try store.write(records((1...500).map { kept($0) }), of: server)
    }
    let file = URL(filePath: folder.file)
    // The last program that closes it has written the log into the file.
    var bytes = try Data(contentsOf: file)
    switch damage {
    case .noise: bytes = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    case .cutShort: bytes = bytes.prefix(4096 + 100)
    case .flippedPage:
      for index in 4096..<bytes.count { bytes[index] ^= 0x5A }
    case .otherTables:
      try FileManager.default.removeItem(at: file)
      let other = try Folder()
      try FileManager.default.createDirectory(
        atPath: other.path, withIntermediateDirectories: true)
      _ = try Process.run(
        URL(filePath: "/usr/bin/env"),
        arguments: ["sqlite3", other.file, "CREATE TABLE messages(x); PRAGMA user_version=2;"]
      ).waitUntilExit()
      bytes = (try? Data(contentsOf: URL(filePath: other.file))) ?? Data("x".utf8)
    case .text: bytes = Data("my shopping list: milk, bread, and a store of messages\n".utf8)
    }
    try bytes.write(to: file)
    let store = try folder.open()
    #expect(store.warnings.count == 1)
    #expect(store.warnings.first?.contains("set aside as") == true)
    let aside = try #require(
      folder.names.first {
        $0.contains("damaged-") && !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal")
      })
    // SQLite has looked into a file of its own kind, and noted how.
    if damage != .otherTables {
      #expect(try Data(contentsOf: URL(filePath: folder.path + "/" + aside)) == bytes)
    }
    try store.write(records([kept(1)]), of: server)
    #expect(try store.recall("lobby", of: server, messages: 5).texts == ["message 1"])
    #expect(try store.faults() == [])
  }

  private func asides(_ folder: Folder) -> Int {
    folder.names.count {
      $0.contains("damaged-") && !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal")
    }
  }

  @Test func aNewStoreOfAnotherRunIsNotSetAsideForTheDamagedOne() throws {
    let folder = try Folder()
    let first = try folder.open()
    try first.write(records([kept(1)]), of: server)
    let finder = try folder.open()
    #expect(finder.setAside(at: Timestamp(milliseconds: 0)).contains("it was set aside as"))
    let second = try folder.open()
    #expect(asides(folder) == 1)
    try second.write(records([kept(2)]), of: server)
    #expect(!first.isAtItsPath && second.isAtItsPath)
    #expect(
      first.setAside(at: Timestamp(milliseconds: 1)).contains("another parlour has set it aside"))
    #expect(asides(folder) == 1 && second.isAtItsPath)
    let third = try folder.open()
    #expect(third.warnings == [])
    try third.write(records([kept(3)]), of: server)
    #expect(
      try second.recall("lobby", of: server, messages: 5).texts == ["message 2", "message 3"])
    #expect(second.setAside(at: Timestamp(milliseconds: 2)).contains("it was set aside as"))
    #expect(asides(folder) == 2)
  }
}
