import TestKit
import Testing

@testable import Channel

/// SOCKS 5 on literal bytes (RFC 1928, RFC 1929).
struct SOCKSHandshakeTests {
  private static let known = ProxyEndpoint.Credentials(user: "us:er", password: "p@ss")

  /// The proxy's answers, each in every split: none comes before it was asked for.
  private func ways(_ answers: [UInt8]...) -> [[[UInt8]]] {
    let cut = answers.map { splits(of: $0) }
    return cut[0].indices.map { way in cut.flatMap { $0[way] } }
  }

  /// Hands over the pieces: the outcome, all that was sent, and what came behind the proxy's answer.
  private func talk(
    _ handshake: SOCKSHandshake, _ pieces: [[UInt8]], ends: Bool = false
  ) -> (SOCKSHandshake.Progress, sent: [UInt8], early: [UInt8]) {
    var handshake = handshake
    var sent = handshake.greeting
    for (index, piece) in pieces.enumerated() {
      let progress = handshake.receive(piece.span.bytes)
      switch progress {
      case .incomplete(let reply): sent += reply
      case .accepted(let consumed):
        return (progress, sent, Array(piece[consumed...]) + pieces[(index + 1)...].joined())
      case .failed: return (progress, sent, [])
      }
    }
    return (ends ? handshake.endOfStream() : .incomplete(reply: []), sent, [])
  }

  @Test(arguments: [
    ("chat.example", [3, 12] + Array("chat.example".utf8)),
    ("127.0.0.1", [1, 127, 0, 0, 1]),
    ("2001:db8::1", [4, 0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
  ])
  func namesGoAsNamesAndAddressesAsAddresses(host: String, address: [UInt8]) throws {
    let handshake = try SOCKSHandshake(to: host, port: 443)
    for pieces in ways([5, 0], [5, 0, 0, 1, 127, 0, 0, 1, 0x1F, 0x90]) {
      let (progress, sent, early) = talk(handshake, pieces)
      guard case .accepted = progress else {
        Issue.record("\(progress)")
        continue
      }
      #expect(sent == [5, 1, 0, 5, 1, 0] + address + [1, 0xBB])
      #expect(early == [])
    }
  }

  @Test(arguments: [
    [1, 10, 0, 0, 1], [3, 0], [3, 5, 104, 111, 115, 116, 115],
    [4] + [UInt8](repeating: 7, count: 16),
    [3, 255] + [UInt8](repeating: 120, count: 255),
  ])
  func theBoundAddressIsPassedOverWhateverItsTypeIs(address: [UInt8]) throws {
    let handshake = try SOCKSHandshake(to: "h", port: 1)
    for pieces in ways([5, 0], [5, 0, 0] + address + [1, 2] + Array("hello".utf8)) {
      let (progress, _, early) = talk(handshake, pieces)
      guard case .accepted = progress else {
        Issue.record("\(progress)")
        continue
      }
      #expect(early == Array("hello".utf8))
    }
  }

  @Test func userAndPasswordGoWithTheirLengths() throws {
    let handshake = try SOCKSHandshake(to: "h", port: 1, credentials: Self.known)
    #expect(handshake.greeting == [5, 2, 0, 2])
    let login: [UInt8] = [1, 5] + Array("us:er".utf8) + [4] + Array("p@ss".utf8)
    for pieces in ways([5, 2], [1, 0], [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]) {
      let (progress, sent, _) = talk(handshake, pieces)
      guard case .accepted = progress else {
        Issue.record("\(progress)")
        continue
      }
      #expect(sent == [5, 2, 0, 2] + login + [5, 1, 0, 3, 1, 0x68, 0, 1])
    }
  }

  @Test func aProxyThatWantsNoPasswordIsNotTold() throws {
    let handshake = try SOCKSHandshake(to: "h", port: 1, credentials: Self.known)
    let (_, sent, _) = talk(handshake, [[5, 0]])
    #expect(sent == [5, 2, 0, 2, 5, 1, 0, 3, 1, 0x68, 0, 1])
  }

  @Test(arguments: [
    ([[5, 0xFF]], SOCKSError.noAcceptableMethod), ([[5, 1]], .unofferedMethod(1)),
    ([[5, 2], [1, 1]], .denied), ([[5, 2], [5, 255]], .denied), ([[0x48, 0x54]], .foreign(0x48)),
    ([[4, 90]], .foreign(4)), ([[5, 0], [4, 0]], .foreign(4)), ([[5, 0], [5, 2]], .refused(2)),
    ([[5, 0], [5, 9, 0]], .refused(9)), ([[5, 0], [5, 0, 0, 2, 0]], .unknownAddressType(2)),
    ([], .endedEarly), ([[5]], .endedEarly),
    ([[5, 0], [5, 0, 0, 1, 1, 2, 3, 4, 0]], .endedEarly),
    ([[5, 0, 5]], .unasked), ([[5, 2, 1, 0]], .unasked), ([[5, 2], [1, 0, 5]], .unasked),
  ])
  func failuresAreToldApart(answers: [[UInt8]], error: SOCKSError) throws {
    let handshake = try SOCKSHandshake(to: "h", port: 1, credentials: Self.known)
    #expect(talk(handshake, answers, ends: true).0 == .failed(error))
    guard error != .unasked else { return }
    let bytes = answers.flatMap { $0.map { [$0] } }
    #expect(talk(handshake, bytes, ends: true).0 == .failed(error))
  }

  @Test func aMethodThatWasNotOfferedIsNotFollowed() throws {
    let handshake = try SOCKSHandshake(to: "h", port: 1)
    #expect(talk(handshake, [[5, 2]]).0 == .failed(.unofferedMethod(2)))
  }

  @Test func aNameOfMoreThan255BytesIsRefused() throws {
    let longest = String(repeating: "a", count: 255)
    _ = try SOCKSHandshake(to: longest, port: 1)
    for name in [longest + "a", ""] {
      #expect(throws: SOCKSError.unspeakableName) { try SOCKSHandshake(to: name, port: 1) }
    }
  }

  /// RFC 1928 section 6.
  @Test(arguments: [
    (UInt8(1), "general failure", Verdict.Course.retry(after: nil)),
    (2, "its rules forbid it", .giveUp), (3, "network unreachable", .retry(after: nil)),
    (4, "host unreachable", .retry(after: nil)), (5, "connection refused", .retry(after: nil)),
    (6, "time to live expired", .retry(after: nil)), (7, "it does not know CONNECT", .giveUp),
    (8, "it does not know this type of address", .giveUp),
    (99, "unknown reply 99", .retry(after: nil)),
  ])
  func everyReplyIsNamedInWords(code: UInt8, words: String, course: Verdict.Course) throws {
    let proxy = ProxyEndpoint(kind: .socks5h, host: "px", port: 1080, source: "all_proxy")
    let found = ProxyWords(proxy: proxy, place: "h:1").verdict(onSOCKS: .refused(code))
    #expect(found.course == course)
    #expect(found.failure.kind == .proxy)
    #expect(found.failure.short == "proxy: \(words)")
    #expect(
      found.failure.message.hasPrefix(
        "The proxy socks5h://px:1080 (all_proxy) did not reach h:1: \(words); "))
  }
}
