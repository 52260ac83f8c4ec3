import Foundation
import TestKit
import Testing

/// Certificates in a folder of their own: an authority, one for 127.0.0.1 and localhost, one for another host, and
/// one for bücher.example.
struct Certificates {
  let folder: URL
  var authority: String { folder.appending(path: "ca.pem").path() }
  func chain(_ name: String) -> String { folder.appending(path: name + ".pem").path() }
  func key(_ name: String) -> String { folder.appending(path: name + ".key").path() }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "parlour-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try openssl(
      "req -x509 -newkey rsa:2048 -nodes -subj /CN=Test-CA -days 2 -keyout ca.key -out ca.pem")
    for (name, alternatives) in [
      ("right", "DNS:localhost,IP:127.0.0.1"), ("other", "DNS:other.example"),
      ("idn", "DNS:xn--bcher-kva.example"),
    ] {
      try "subjectAltName=\(alternatives)\n".write(
        to: folder.appending(path: name + ".ext"), atomically: true, encoding: .utf8)
      try openssl(
        "req -newkey rsa:2048 -nodes -subj /CN=\(name) -keyout \(name).key -out \(name).csr")
      try openssl(
        "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
          + " -extfile \(name).ext -out \(name).pem")
    }
  }

  private func openssl(_ words: String) throws {
    let shell = try Running(
      "/bin/sh", ["-c", "cd '\(folder.path())' && openssl \(words) 2>&1"])
    let result = try shell.finish()
    try #require(result.status == 0, "\(result.output)")
  }

  func remove() {
    try? FileManager.default.removeItem(at: folder)
  }
}
