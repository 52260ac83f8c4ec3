import Testing

@testable import Channel

/// International host names (UTS 46, not transitional).
struct HostNameTests {
  @Test(arguments: [
    ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
    // The same letter as a letter and an accent.
    ("bu\u{308}cher.example", "xn--bcher-kva.example"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de"),
    ("日本語。example", "xn--wgv71a119e.example"), ("ü.example.", "xn--tda.example."),
    ("ｅｘａｍｐｌｅ.com", "example.com"), ("Chat_1.Docker", "chat_1.docker"),
    ("１２７.0.0.1", "127.0.0.1"),
  ])
  func namesAreWrittenInASCII(name: String, ascii: String) throws {
    #expect(try HostName.ascii(name) == ascii)
    let endpoint = try Endpoint(parsing: "wss://\(name):8443/räume")
    #expect(endpoint.host == ascii)
    #expect(endpoint.hostField == "\(ascii):8443")
    #expect(endpoint.shown == "wss://\(ascii):8443/r%C3%A4ume")
  }

  @Test(arguments: [
    // What looks like a slash, a colon, an at sign: none of them becomes a part of the URL.
    ("a／b.example", "holds characters that no host name has"),
    ("a：80.example", "holds characters that no host name has"),
    ("a＠b.example", "holds characters that no host name has"),
    ("ü b.example", "is no international host name"),
    ("\u{202E}abc.example", "is no international host name"),
    ("a\u{200D}b.example", "is no international host name"),
    ("\u{301}a.example", "is no international host name"),
    ("ü..example", "is no host name: its parts must have 1 to 63 characters"),
    ("☃.example", "is no international host name"),
    (String(repeating: "ü", count: 60) + ".example", "is no international host name"),
    (String(repeating: "ü", count: 4000), "is no host name"),
  ])
  func badNamesAreRefusedInASentence(name: String, part: String) throws {
    do {
      let endpoint = try Endpoint(parsing: "wss://\(name)/")
      Issue.record("\(name) became \(endpoint.host)")
    } catch {
      #expect(
        error.message.utf8.starts(with: "The host ".utf8) && error.message.contains(part),
        "\(error)")
      #expect(error.message.utf8.count < 400)
    }
  }

  @Test func aPasswordWithASlashIsNotShownAsAPort() {
    #expect(
      throws: EndpointError(
        message: "The URL h/ cannot be read: a / or ? in user or password is written %2F or %3F")
    ) { try Endpoint(parsing: "wss://user:secr/et@h/") }
  }
}
