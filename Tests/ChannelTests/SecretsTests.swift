import TestKit
import Testing
import WebSocket

@testable import Channel

/// What a peer repeats is hidden in whatever way it writes it.
@Suite struct SecretsTests {
  private func secrets(
    _ url: String = "ws://chat.example/", token: String? = nil, headers: [Header] = []
  ) throws -> Secrets {
    var configuration = SessionConfiguration(
      endpoint: try Endpoint(parsing: url), subprotocols: [],
      context: DialectContext(room: "lobby", nick: "ada", profile: .bare()))
    configuration.token = token.flatMap { Bearer(firstLineOf: $0) }
    configuration.headers = headers
    return Secrets(configuration)
  }

  @Test(arguments: [
    "Tok/en+Secr3t==", "Tok%2Fen%2BSecr3t%3D%3D", "Tok%2fen%2bSecr3t%3d%3d",
    "Tok/en%2BSecr3t%3D%3D",
    "%54ok/en+Secr3t=%3d", #"Tok\/en+Secr3t=="#,
  ])
  func aTokenIsHiddenHoweverItIsEscaped(form: String) throws {
    let secrets = try secrets(token: "Tok/en+Secr3t==")
    #expect(secrets.hiding(onlyTheseIn: "a \(form) b") == "a … b")
  }

  @Test func aPercentSignOfTheTokenStandsForItselfOrIsEscaped() throws {
    let secrets = try secrets(token: "abc%2Fdef")
    for form in ["abc%2Fdef", "abc%252Fdef"] {
      #expect(secrets.hiding(onlyTheseIn: form) == "…", "\(form)")
    }
  }

  @Test func theTokenOfTheURLIsHiddenWithoutItsName() throws {
    let secrets = try secrets("ws://chat.example/?a=1&access%5Ftoken=se%2Fcret&b=2")
    #expect(secrets.hiding("se/cret and se%2Fcret of b=2") == "… and … of b=2")
  }

  @Test func aUserWithoutPasswordIsHiddenAsBasicWritesIt() throws {
    let secrets = try secrets("ws://token-of-ada@chat.example/")
    #expect(secrets.hiding(onlyTheseIn: "dG9rZW4tb2YtYWRhOg==") == "…")
  }

  @Test func eachCookieOfThePersonIsHidden() throws {
    let secrets = try secrets(headers: [Header("Cookie", "a=c00kieval; b=1; c=an0therone")])
    #expect(secrets.hiding("1 c00kieval 2 an0therone") == "1 … 2 …")
  }

  @Test func aRefusalIsToldWithoutSecretsInReasonHeadersAndBody() throws {
    let refusal = try secrets(token: "s3cret-token").hiding(
      in: Refusal(
        status: 403, reason: "no s3cret-token",
        headers: [Header("WWW-Authenticate", "Basic realm=\"s3cret-token\"")],
        body: Array("s3cret%2Dtoken".utf8)))
    #expect(refusal.reason == "no …")
    #expect(refusal.headers == [Header("WWW-Authenticate", "Basic realm=\"…\"")])
    #expect(String(decoding: refusal.body, as: UTF8.self) == "…")
  }

  /// However small the pieces are, no four bytes of the secret stand in a row.
  @Test(arguments: 1...20)
  func noFragmentShowsThePartsOfASecret(size: Int) throws {
    let secret = "abcdefghijklmnopqrst"
    let secrets = try secrets(token: secret)
    let bytes = Array("<<\(secret)>>".utf8)
    let pieces = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    let shown = pieces.map { String(decoding: secrets.hiding($0, isFragment: true), as: UTF8.self) }
    for start in 0...(secret.utf8.count - 4) {
      let part = secret.dropFirst(start).prefix(4)
      #expect(!shown.joined().contains(part), "\(shown)")
    }
  }

  @Test func aPageOfAProxyShowsThePasswordInNoForm() throws {
    let proxy = try ProxyEndpoint(parsing: "http://ann:s3cr%40t@proxy.example:3128")
    let words = ProxyWords(proxy: proxy, place: "chat.example:443")
    let failure = words.verdict(
      onRefusal: Refusal(
        status: 407, reason: "s3cr@t",
        headers: [Header("Proxy-Authenticate", "Basic realm=\"s3cr%40t\"")],
        body: Array("s3cr%40t YW5uOnMzY3JAdA==".utf8))
    ).failure
    #expect(!failure.message.contains("s3cr") && !failure.message.contains("YW5u"))
  }
}
