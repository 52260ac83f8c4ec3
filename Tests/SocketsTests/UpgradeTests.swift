import Foundation
import Sockets
import TestKit
import Testing

/// What goes out with the upgrade, and what is made of the answer.
@Suite(.timeLimit(.minutes(2))) struct UpgradeTests {
  private func headers(_ channel: SocketChannel) async throws -> [String: String] {
    channel.connect()
    let text = try await channel.text()
    await channel.close()
    return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
  }

  @Test func bearerAndHeadersReachTheServer() async throws {
    let server = try Server.shared.get()
    let channel = SocketChannel(
      url: try server.url("/headers"), headers: ["X-Room": "lobby"], bearer: "s3cret-token")
    let found = try await headers(channel)
    #expect(found["authorization"] == "Bearer s3cret-token")
    #expect(found["x-room"] == "lobby")
  }

  @Test func anAuthorizationOfOnesOwnTakesThePlaceOfTheBearer() async throws {
    let server = try Server.shared.get()
    let channel = SocketChannel(
      url: try server.url("/headers"), headers: ["authorization": "Basic eDp5"], bearer: "token")
    #expect(try await headers(channel)["authorization"] == "Basic eDp5")
  }

  @Test func aRefusalTellsItsStatusAndHidesTheToken() async throws {
    let server = try Server.shared.get()
    let channel = SocketChannel(url: try server.url("/refused"), bearer: "s3cret-token")
    let error = await socketError { try await channel.open() }
    #expect(error?.kind == .refused)
    #expect(error?.status == 401)
    #expect(error?.message.contains("s3cret") == false)
    #expect(error.map { [.failed($0)] } == (await channel.allEvents()))
  }

  @Test func aPathThatIsNoWebSocketIsAnUpgradeThatFailed() async throws {
    let server = try Server.shared.get()
    let error = await socketError {
      try await SocketChannel(url: try server.url("/nowhere")).open()
    }
    #expect(error?.kind == .upgrade)
    #expect(error?.status == 404)
  }

  @Test func theSelectedSubprotocolIsTold() async throws {
    let server = try Server(["--subprotocol", "chat.v2"])
    let channel = SocketChannel(
      url: try server.url("/echo"), subprotocols: ["chat.v3", "chat.v2"])
    try await channel.open()
    #expect(channel.subprotocol == "chat.v2")
    await channel.close()
    #expect(await channel.allEvents().first == .opened(subprotocol: "chat.v2"))
  }

  @Test func withoutAgreementOnASubprotocolNothingOpens() async throws {
    let server = try Server.shared.get()
    let channel = SocketChannel(url: try server.url("/echo"), subprotocols: ["chat.v2"])
    channel.connect()
    let events = await channel.allEvents()
    guard case .failed(let error)? = events.first, events.count == 1 else {
      Issue.record("\(events)")
      return
    }
    #expect(error.kind == .upgrade)
    #expect(error.message.contains("chat.v2"))

    var configuration = SocketConfiguration()
    configuration.requiresSubprotocol = false
    let lenient = SocketChannel(
      url: try server.url("/echo"), subprotocols: ["chat.v2"], configuration: configuration)
    try await lenient.open()
    #expect(lenient.subprotocol == nil)
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/", SocketError.Kind.url), ("ws://127.0.0.1:1/", .tcp),
    ("ws://nowhere.invalid/", .dns),
  ])
  func whatCannotBeReachedSaysWhy(url: String, kind: SocketError.Kind) async throws {
    let channel = SocketChannel(url: try #require(URL(string: url)))
    channel.connect()
    let events = await channel.allEvents()
    guard case .failed(let error)? = events.first, events.count == 1 else {
      Issue.record("\(events)")
      return
    }
    #expect(error.kind == kind)
  }

  @Test func whatHTTPForbidsIsSaidBeforeAnythingIsSent() async throws {
    let server = try Server.shared.get()
    let url = try server.url("/echo")
    for channel in [
      SocketChannel(url: url, headers: ["X-A": "a\r\nX-B: b"]),
      SocketChannel(url: url, headers: ["Host": "other"]),
      SocketChannel(url: url, subprotocols: ["a b"]),
      SocketChannel(url: url, bearer: ""),
    ] {
      #expect(await socketError { try await channel.open() }?.kind == .configuration)
    }
  }

  @Test func noAnswerWithinTheTimeLimitIsATimeout() async throws {
    let server = try Server()
    server.signal(SIGSTOP)
    var configuration = SocketConfiguration()
    configuration.connectTimeout = .milliseconds(100)
    let channel = SocketChannel(url: try server.url("/echo"), configuration: configuration)
    #expect(await socketError { try await channel.open() }?.kind == .timeout)
    server.signal(SIGCONT)
  }

  @Test func certificatesAreChecked() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let certificate = folder.appending(path: "cert.pem").path()
    let key = folder.appending(path: "key.pem").path()
    let made = try Running(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=x",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
      ])
    try #require(made.finish().status == 0)
    let server = try Server(["--cert", certificate, "--key", key])
    let url = try server.url("/echo")

    let unknown = SocketChannel(url: url)
    let error = await socketError { try await unknown.open() }
    #expect(error?.kind == .tls)
    #expect(error?.message.contains("--") == false)
    #expect(error?.message.contains("certificateAuthorityFile") == true)

    var configuration = SocketConfiguration()
    configuration.tls.certificateAuthorityFile = certificate
    let known = SocketChannel(url: url, configuration: configuration)
    try await known.open()
    try await known.send("x")
    #expect(try await known.text() == "x")
    await known.close()

    configuration.tls.serverName = "other.example"
    let other = SocketChannel(url: url, configuration: configuration)
    #expect(await socketError { try await other.open() }?.kind == .tls)

    configuration.tls = SocketTLS()
    configuration.tls.isInsecure = true
    let insecure = SocketChannel(url: url, configuration: configuration)
    try await insecure.open()
    await insecure.close()

    configuration.tls.certificateAuthorityFile = "/nowhere/ca.pem"
    let missing = SocketChannel(url: url, configuration: configuration)
    let missed = await socketError { try await missing.open() }
    #expect(missed?.kind == .configuration)
    #expect(missed?.message.contains("/nowhere/ca.pem") == true)
  }
}
