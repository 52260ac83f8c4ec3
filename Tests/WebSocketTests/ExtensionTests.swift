import TestKit
import Testing
import WebSocket

private typealias Parameter = ExtensionElement.Parameter

/// The field Sec-WebSocket-Extensions and what RFC 7692 section 7.1 makes of it.
@Suite struct ExtensionTests {
  private static let lists: [([String], [ExtensionElement]?)] = [
    ([], []),
    ([""], []),
    (["a"], [ExtensionElement("a")]),
    (["a, b", "c"], [ExtensionElement("a"), ExtensionElement("b"), ExtensionElement("c")]),
    ([",, a ,\t, b,"], [ExtensionElement("a"), ExtensionElement("b")]),
    (["a;x"], [ExtensionElement("a", [Parameter("x")])]),
    (["a ; x\t=  1 ;y"], [ExtensionElement("a", [Parameter("x", "1"), Parameter("y")])]),
    (
      [#"a; x="1\5"; y="z""#], [ExtensionElement("a", [Parameter("x", "15"), Parameter("y", "z")])]
    ),
    (["a;"], nil), (["a;;x"], nil), ([";x"], nil), (["a b"], nil), (["a;x="], nil),
    (["a;=1"], nil), ([#"a;x="1"#], nil), ([#"a;x="1\"#], nil), ([#"a;x="""#], nil),
    ([#"a;x="1 5""#], nil), ([#"a;x="1"5"#], nil), (["a;x=1 5"], nil), (["a/b"], nil), (["é"], nil),
  ]

  @Test(arguments: lists)
  func aListFollowsTheGrammarOfFields(values: [String], elements: [ExtensionElement]?) {
    #expect(ExtensionElement.list(values) == elements)
  }

  // MARK: - The client

  private func written(_ compression: DeflateParameters?) -> String? {
    var entropy = sampleEntropy()
    let request = HandshakeRequest(host: "h", target: "/", compression: compression)
    let text = String(
      decoding: ClientHandshake(request, entropy: &entropy).request, as: UTF8.self)
    let name = "Sec-WebSocket-Extensions: "
    let line = text.split(separator: "\r\n").first { $0.hasPrefix(name) }
    return line.map { String($0.dropFirst(name.count)) }
  }

  @Test func theOfferHoldsWhatIsAskedForAndUsuallyNoNumber() {
    #expect(written(nil) == nil)
    #expect(written(.usualOffer) == "permessage-deflate; client_max_window_bits")
    #expect(
      written(
        DeflateParameters(
          serverNoContextTakeover: true, clientNoContextTakeover: true, serverMaxWindowBits: 9,
          clientMaxWindowBits: 8))
        == "permessage-deflate; server_no_context_takeover; client_no_context_takeover;"
        + " server_max_window_bits=9; client_max_window_bits=8")
  }

  private func agreement(
    _ fields: String..., offering offer: DeflateParameters? = .usualOffer
  ) -> Result<DeflateParameters?, HandshakeError>? {
    let bytes = head(rightLines + fields.map { "Sec-WebSocket-Extensions: \($0)" })
    switch answer(pieces: [bytes], subprotocols: [], compression: offer, atEnd: false).progress {
    case .accepted(let acceptance): return .success(acceptance.compression)
    case .failed(let error): return .failure(error)
    case .incomplete, .refused: return nil
    }
  }

  @Test(arguments: [
    ("permessage-deflate", DeflateParameters(clientMaxWindowBits: 15)),
    ("Permessage-Deflate;CLIENT_max_window_bits=9", DeflateParameters(clientMaxWindowBits: 9)),
    (
      #"permessage-deflate ; server_max_window_bits = "15""#,
      DeflateParameters(serverMaxWindowBits: 15, clientMaxWindowBits: 15)
    ),
    (
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
      DeflateParameters(
        serverNoContextTakeover: true, clientNoContextTakeover: true, clientMaxWindowBits: 15)
    ),
    (
      "permessage-deflate; server_max_window_bits=8; client_max_window_bits=8",
      DeflateParameters(serverMaxWindowBits: 8, clientMaxWindowBits: 8)
    ),
  ])
  func anAnswerThatFitsIsAgreedOn(_ field: String, _ agreed: DeflateParameters) {
    #expect(agreement(field) == .success(agreed))
  }

  @Test(arguments: [
    "permessage-deflate; client_max_window_bits", "permessage-deflate; server_max_window_bits",
    "permessage-deflate; client_max_window_bits=7", "permessage-deflate; client_max_window_bits=16",
    "permessage-deflate; client_max_window_bits=09",
    "permessage-deflate; client_max_window_bits=+9",
    "permessage-deflate; server_no_context_takeover=1", "permessage-deflate; x",
    "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9",
    "permessage-deflate, permessage-deflate", "permessage-deflate;", "a b",
    "permessage-deflate; server_no_context_takeover=9",
  ])
  func anAnswerWithParametersThatDoNotFitFails(_ field: String) {
    #expect(agreement(field) == .failure(.wrongExtensionParameters(field)))
  }

  @Test func anAnswerOverTwoLinesIsOneList() {
    #expect(
      agreement("permessage-deflate", "permessage-deflate")
        == .failure(.wrongExtensionParameters("permessage-deflate, permessage-deflate")))
    #expect(
      agreement("permessage-deflate", "x-foo")
        == .failure(.unofferedExtension("permessage-deflate, x-foo")))
  }

  @Test func noAnswerIsNoCompression() {
    #expect(agreement() == .success(nil))
  }

  @Test func whatWasAskedOfTheServerItHasToGrant() {
    let offer = DeflateParameters(serverNoContextTakeover: true, serverMaxWindowBits: 10)
    let field = "permessage-deflate; server_no_context_takeover"
    #expect(agreement(field, offering: offer) == .failure(.wrongExtensionParameters(field)))
    #expect(
      agreement(field + "; server_max_window_bits=11", offering: offer)
        == .failure(.wrongExtensionParameters(field + "; server_max_window_bits=11")))
    #expect(
      agreement("permessage-deflate; server_max_window_bits=9", offering: offer)
        == .failure(
          .wrongExtensionParameters("permessage-deflate; server_max_window_bits=9")))
    let granted = field + "; server_max_window_bits=9"
    #expect(
      agreement(granted, offering: offer)
        == .success(DeflateParameters(serverNoContextTakeover: true, serverMaxWindowBits: 9)))
    // A client that did not say that it can be told is not told.
    let told = granted + "; client_max_window_bits=9"
    #expect(agreement(told, offering: offer) == .failure(.wrongExtensionParameters(told)))
  }

  /// 15: the server need not repeat what the client promised, and the promise holds all the same.
  @Test func whatTheClientPromisedHoldsWithoutAnEcho() {
    let offer = DeflateParameters(
      serverNoContextTakeover: true, clientNoContextTakeover: true, clientMaxWindowBits: 10)
    #expect(
      agreement("permessage-deflate; server_no_context_takeover", offering: offer)
        == .success(offer))
  }

  // MARK: - The server

  private func answered(_ offers: String) throws -> String? {
    let elements = try #require(ExtensionElement.list([offers]))
    guard let parameters = DeflateParameters(answering: elements) else { return nil }
    let bytes = ServerHandshake.accept(key: sampleKey, subprotocol: nil, compression: parameters)
    let name = "Sec-WebSocket-Extensions: "
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
      .first { $0.hasPrefix(name) }
    return line.map { String($0.dropFirst(name.count)) }
  }

  @Test(arguments: [
    ("permessage-deflate", "permessage-deflate"),
    ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
    ("permessage-deflate; client_max_window_bits=10", "permessage-deflate"),
    (
      #"permessage-deflate; server_max_window_bits="10"; client_max_window_bits"#,
      "permessage-deflate; server_max_window_bits=10"
    ),
    (
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
    ),
    // The first offer that can be met.
    (
      "x-foo, permessage-deflate; x=1, permessage-deflate; server_max_window_bits=7,"
        + " permessage-deflate; server_max_window_bits=9, permessage-deflate",
      "permessage-deflate; server_max_window_bits=9"
    ),
  ])
  func theServerGrantsTheFirstOfferThatItUnderstands(_ offers: String, _ answer: String) throws {
    #expect(try answered(offers) == answer)
  }

  @Test(arguments: [
    "", "x-foo", "permessage-deflate; server_max_window_bits", "permessage-deflate; x",
    "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
    "permessage-deflate; client_no_context_takeover=1",
    "permessage-deflate; client_max_window_bits=16",
  ])
  func theServerDeclinesOtherOffers(_ offers: String) throws {
    #expect(try answered(offers) == nil)
  }

  @Test func aRequestWithBrokenExtensionsIsRefused() {
    var handshake = ServerHandshake()
    let progress = handshake.receive(
      head(
        "GET / HTTP/1.1", "Host: h", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(sampleKey)",
        "Sec-WebSocket-Extensions: permessage-deflate; ="
      ).span.bytes)
    guard case .malformed(let answer) = progress else {
      Issue.record("\(progress)")
      return
    }
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
  }
}
