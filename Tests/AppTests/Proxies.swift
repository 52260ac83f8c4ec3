import Foundation
import TestKit
import Testing

/// A folder for the files of a test, removed with it.
final class Folder {
  let path: String

  init() throws {
    let place = FileManager.default.temporaryDirectory.appending(
      path: "parlour-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    path = place.path()
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    let file = path + "/" + name
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}

/// A proxy that we did not write, on a port of the loopback, ended with the value.
struct ProxyProcess {
  let running: Running
  let port: UInt16
  private let folder: Folder

  /// What tinyproxy has written down.
  var log: String { (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? "" }

  /// Tinyproxy, which lets in whom `login` ("USER PASSWORD") names and to the port `only`.
  static func tinyproxy(login: String? = nil, only: UInt16? = nil) throws -> ProxyProcess {
    try start("/usr/bin/tinyproxy") { folder, port in
      var settings = [
        "Port \(port)", "Listen 127.0.0.1", "Timeout 60", "MaxClients 20",
        "LogFile \"\(folder.path)/log\"",
      ]
      if let login { settings.append("BasicAuth \(login)") }
      if let only { settings.append("ConnectPort \(only)") }
      return ["-d", "-c", try folder.file("conf", settings.joined(separator: "\n") + "\n")]
    }
  }

  static func microsocks(login: (user: String, password: String)? = nil) throws -> ProxyProcess {
    try start("/usr/bin/microsocks") { _, port in
      let place = ["-i", "127.0.0.1", "-p", "\(port)"]
      return place + (login.map { ["-u", $0.user, "-P", $0.password] } ?? [])
    }
  }

  /// Stunnel, which takes TLS off and goes on to another proxy.
  static func stunnel(
    to next: ProxyProcess, chain: String, key: String
  ) throws -> ProxyProcess {
    try start("/usr/bin/stunnel4") { folder, port in
      [
        try folder.file(
          "conf",
          """
          foreground = yes
          pid =
          [proxy]
          accept = 127.0.0.1:\(port)
          connect = 127.0.0.1:\(next.port)
          cert = \(chain)
          key = \(key)

          """)
      ]
    }
  }

  /// pproxy of PyPI, which speaks HTTP and SOCKS 5 on one port.
  static func pproxy() throws -> ProxyProcess {
    try start(Programs.python) { _, port in
      ["-m", "pproxy", "-l", "http+socks5://127.0.0.1:\(port)"]
    }
  }

  /// None of them takes a free port by itself, so that another process may be quicker: then once more.
  private static func start(
    _ program: String, _ arguments: (Folder, UInt16) throws -> [String]
  ) throws -> ProxyProcess {
    try #require(
      FileManager.default.isExecutableFile(atPath: program),
      "\(program) is not installed: make test does it")
    for _ in 0..<5 {
      let folder = try Folder()
      let port = try Loopback.freePort()
      let running = try Running(program, try arguments(folder, port))
      if Loopback.isAnswered(port, by: running) {
        return ProxyProcess(running: running, port: port, folder: folder)
      }
    }
    throw StartFailure(description: "\(program) does not listen")
  }
}

enum Loopback {
  /// A port of 127.0.0.1 on which nobody listens just now.
  static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(isBound)
    return UInt16(bigEndian: address.sin_port)
  }

  /// Waits until the port takes connections; false where its process has ended or takes too long.
  static func isAnswered(_ port: UInt16, by running: Running) -> Bool {
    for _ in 0..<500 where running.isRunning {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      let status = withUnsafePointer(to: address(port)) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if status == 0 { return true }
      letOthersWork()
    }
    return false
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
