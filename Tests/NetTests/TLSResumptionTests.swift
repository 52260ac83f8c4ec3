import COpenSSL
import Foundation
import Glibc
import Net
import Testing

/// Whether a connection begins where the one before it to the same server stood.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TLSResumptionTests {
  let loop: Loop
  let certificates: Certificates

  init() throws {
    loop = try Loop()
    certificates = try Certificates.made()
  }

  /// One connection: some bytes there and back, so that tickets have come too.
  private func visit(
    _ port: UInt16, _ context: TLSContext, as host: String = "localhost", ending: Bool = true
  ) throws -> Client {
    var target = LinkTarget(host: host, port: port, tls: context)
    if host != "127.0.0.1" { target.addresses = ["127.0.0.1"] }
    let client = Client(loop, to: target).start()
    loop.run { client.isOpen || client.end != nil }
    guard client.isOpen else { return client }
    client.write("stressed\n")
    loop.run { client.received.count == 9 || client.end != nil }
    if ending {
      details[ObjectIdentifier(client)] = client.link?.tlsDetails
      client.finish()
      loop.run { client.end != nil }
    }
    return client
  }

  private final class Details {
    var known: [ObjectIdentifier: TLSDetails] = [:]
    subscript(_ id: ObjectIdentifier) -> TLSDetails? {
      get { known[id] }
      set { known[id] = newValue }
    }
  }
  private let details = Details()

  private func isResumed(_ client: Client) -> Bool? {
    (details[ObjectIdentifier(client)] ?? client.link?.tlsDetails)?.isResumed
  }

  // MARK: Servers that we did not write

  private func openSSLServer(_ options: [String], port: UInt16 = 0) throws -> (Child, UInt16) {
    let child = try Child(
      [
        "timeout", "600", "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-rev",
        "-cert", certificates.path("good.pem"), "-key", certificates.path("good.key"),
      ] + options)
    while let line = child.line() {
      guard line.hasPrefix("ACCEPT") else { continue }
      return (child, HostPort(parsing: String(line.dropFirst(7)))?.port ?? port)
    }
    throw Child.Failure()
  }

  private func end(_ child: Child) {
    child.end()
  }

  @Test(arguments: [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
  func theServerOfTheOpenSSLCommandIsResumedAgainAndAgain(
    option: String, version: String
  ) throws {
    let (child, port) = try openSSLServer([option, "-naccept", "4"])
    defer { end(child) }
    let context = try certificates.trusting()
    var resumed: [Bool?] = []
    for _ in 0..<4 {
      let client = try visit(port, context)
      #expect(client.text == "desserts\n")
      #expect(details[ObjectIdentifier(client)]?.version == version)
      resumed.append(isResumed(client))
    }
    #expect(resumed == [false, true, true, true])
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func aServerThatHasForgottenUsGetsAFullHandshake(option: String) throws {
    let (first, port) = try openSSLServer([option, "-naccept", "1"])
    let context = try certificates.trusting()
    #expect(isResumed(try visit(port, context)) == false)
    end(first)
    // The same place, with other keys for its tickets.
    let (second, _) = try openSSLServer([option, "-naccept", "2"], port: port)
    defer { end(second) }
    let client = try visit(port, context)
    #expect(client.text == "desserts\n")
    #expect(isResumed(client) == false)
    #expect(isResumed(try visit(port, context)) == true)
  }

  @Test(arguments: ["1.2", "1.3"], [[], ["cut"]])
  func theServerOfPythonIsResumedAlsoAfterACut(version: String, ending: [String]) throws {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let child = try Child(
      [
        "timeout", "600", "python3", "/\(package)/Tests/Peers/tls_echo.py",
        certificates.path("good.pem"), certificates.path("good.key"), version, "3",
      ] + ending)
    defer { end(child) }
    let port = try #require(UInt16(child.line() ?? ""))
    let context = try certificates.trusting()
    var told: [String?] = []
    for _ in 0..<3 {
      let client = try visit(port, context, ending: false)
      #expect(client.text == "stressed\n")
      loop.run { client.end != nil }
      #expect(client.end == (ending.isEmpty ? .closed : .truncated))
      told.append(child.line())
    }
    #expect(told == ["full", "resumed", "resumed"])
  }

  // MARK: What must not be lost by it

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func pinsAreCheckedOnAResumedConnectionToo(version: Int32) throws {
    let pins = try certificates.pins()
    let server = try TLSServer(loop, TLSServer.Manner(maximumVersion: version))
    let good = try #require(PublicKeyPin(parsing: pins.good))
    let context = try certificates.trusting { $0.pins = [good] }
    #expect(isResumed(try visit(server.address.port, context)) == false)
    #expect(isResumed(try visit(server.address.port, context)) == true)

    let stranger = try #require(PublicKeyPin(parsing: pins.stranger))
    let strict = try certificates.trusting { $0.pins = [stranger] }
    for _ in 0..<2 {
      let refused = try visit(server.address.port, strict)
      #expect(refused.failure?.short == "another public key")
    }
  }

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func anotherNameOrPortDoesNotGetTheSession(version: Int32) throws {
    let one = try TLSServer(loop, TLSServer.Manner(maximumVersion: version))
    let two = try TLSServer(loop, TLSServer.Manner(maximumVersion: version))
    let context = try certificates.trusting()
    #expect(isResumed(try visit(one.address.port, context)) == false)
    #expect(isResumed(try visit(two.address.port, context)) == false)
    #expect(isResumed(try visit(one.address.port, context, as: "127.0.0.1")) == false)
    #expect(isResumed(try visit(one.address.port, context, as: "LOCALHOST")) == true)
    // Another context may trust others.
    #expect(isResumed(try visit(one.address.port, try certificates.trusting())) == false)
  }

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func aCertificateThatWasRefusedLeavesNoSession(version: Int32) throws {
    let server = try TLSServer(
      loop, TLSServer.Manner(certificate: "other", maximumVersion: version))
    let context = try certificates.trusting()
    for _ in 0..<2 {
      let client = try visit(server.address.port, context)
      #expect(client.failure?.short == "certificate for another host")
    }
  }

  /// What is offered may be what the server cannot bear: then it is asked once more without.
  @Test func aServerThatHangsUpOnAnOfferIsAskedAgainWithoutOne() throws {
    let tls = try TLSServer(loop)
    let context = try certificates.trusting()
    #expect(isResumed(try visit(tls.address.port, context)) == false)
    let port = tls.address.port
    tls.stop()
    var hangsUp = true
    let again = try TLSServer(
      loop, port: port, TLSServer.Manner()
    ) { visitor in
      guard hangsUp else { return false }
      hangsUp = false
      visitor.take = { [unowned visitor] _ in visitor.finish() }
      return true
    }
    let client = try visit(port, context)
    #expect(client.text == "stressed\n")
    #expect(isResumed(client) == false)
    #expect(again.sessions.count == 1)
  }

  // MARK: Secrets for those who look into the traffic

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func theKeyLogHoldsTheSecretsThatTheServerKnowsToo(option: String) throws {
    let file = certificates.path("keys\(option)")
    unlink(file)
    let (child, port) = try openSSLServer([option, "-naccept", "2", "-keylogfile", file])
    defer { end(child) }
    let context = try certificates.trusting()
    var lines: [String] = []
    context.keyLog = { lines.append($0) }
    _ = try visit(port, context)
    context.keyLog = nil
    _ = try visit(port, context)
    _ = child.wait()
    let known = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
    #expect(!lines.isEmpty)
    #expect(Set(lines).isSubset(of: known))
    #expect(lines.count < known.count)
  }
}
