import Testing

@testable import Channel

struct EndpointTests {
  @Test(arguments: [
    ("ws://chat.example", false, "chat.example", 80, "/"),
    ("wss://chat.example", true, "chat.example", 443, "/"),
    ("http://chat.example/a", false, "chat.example", 80, "/a"),
    ("https://chat.example/a", true, "chat.example", 443, "/a"),
    ("WSS://Chat.Example:8443/A", true, "chat.example", 8443, "/A"),
    ("ws://h?x=1", false, "h", 80, "/?x=1"),
    ("ws://h:/a", false, "h", 80, "/a"),
    ("ws://h:065535/", false, "h", 65535, "/"),
    ("ws://h:1", false, "h", 1, "/"),
    ("ws://127.0.0.1:9000/", false, "127.0.0.1", 9000, "/"),
    ("ws://[::1]:8080/", false, "::1", 8080, "/"),
    ("wss://[2001:DB8::1]", true, "2001:db8::1", 443, "/"),
    ("ws://chat_1.docker.", false, "chat_1.docker.", 80, "/"),
  ])
  func urlsAreTakenApart(
    text: String, isSecure: Bool, host: String, port: Int, target: String
  ) throws {
    let endpoint = try Endpoint(parsing: text)
    #expect(
      endpoint == Endpoint(isSecure: isSecure, host: host, port: UInt16(port), target: target))
  }

  @Test(arguments: [
    ("ws://h/a?b=c d", "/a?b=c%20d"),
    ("ws://h/%2Fa", "/%2Fa"),
    ("ws://h/100%", "/100%25"),
    ("ws://h/%zz%2", "/%25zz%252"),
    ("ws://h/räume", "/r%C3%A4ume"),
    ("ws://h/a\"<>\\^`{|}[]", "/a%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D"),
    ("ws://h/a?b=/?:@!$&'()*+,;=", "/a?b=/?:@!$&'()*+,;="),
    ("ws://h/a/../b", "/a/../b"),
    ("ws://h/x@y", "/x@y"),
    ("ws://h?", "/?"),
  ])
  func whatNoRequestLineMayHoldIsEscaped(text: String, target: String) throws {
    #expect(try Endpoint(parsing: text).target == target)
  }

  @Test(arguments: [
    ("ws://us%40er:p%3Ass@h/", "us@er:p:ss"),
    ("ws://user@h/", "user"),
    ("ws://user:@h/", "user:"),
    ("ws://a@b:c@h/", "a@b:c"),
    ("ws://100%:x@h/", "100%:x"),
  ])
  func userAndPasswordAreDecodedAndNeverShown(text: String, userinfo: String) throws {
    let endpoint = try Endpoint(parsing: text)
    #expect(endpoint.userinfo == userinfo)
    #expect(endpoint.hostField == "h")
    #expect(endpoint.shown == "ws://h/")
  }

  @Test func anEmptyUserinfoIsNone() throws {
    #expect(try Endpoint(parsing: "ws://@h/").userinfo == nil)
  }

  @Test(arguments: [
    ("ws://h:80/", "h"), ("ws://h:443/", "h:443"), ("wss://h:443/", "h"), ("wss://h:80/", "h:80"),
    ("ws://[::1]/", "[::1]"), ("ws://[::1]:8080/", "[::1]:8080"),
  ])
  func theHostFieldLeavesOutTheSchemesOwnPort(text: String, field: String) throws {
    #expect(try Endpoint(parsing: text).hostField == field)
  }

  @Test(arguments: [
    ("ws://127.0.0.1:9000", "ws://127.0.0.1:9000/"),
    ("wss://h/a?access_token=s3cret&b=1", "wss://h/a?access_token=…&b=1"),
    ("wss://h/a?b=1&Access%5FToken=s3cret", "wss://h/a?b=1&Access%5FToken=…"),
    ("wss://h/a?my_access_token=1&&", "wss://h/a?my_access_token=…&&"),
    ("wss://h/a?token=abc&room=tokyo", "wss://h/a?token=…&room=tokyo"),
    (
      "wss://h/?apikey=a&api_key=b&X-Api-Key=c&key=d",
      "wss://h/?apikey=…&api_key=…&X-Api-Key=…&key=…"
    ),
    ("wss://h/?password=a=b&pass=&sig=1", "wss://h/?password=…&pass=…&sig=…"),
    (
      "wss://h/?X-Amz-Signature=a&X-Amz-Security-Token=b",
      "wss://h/?X-Amz-Signature=…&X-Amz-Security-Token=…"
    ),
    (
      "wss://h/?%6Bey=1&keyboard=de&author=ko&token", "wss://h/?%6Bey=…&keyboard=de&author=ko&token"
    ),
    ("wss://h/access_token=1", "wss://h/access_token=1"),
  ])
  func shownURLsHideWhatMayBeSecret(text: String, shown: String) throws {
    #expect(try Endpoint(parsing: text).shown == shown)
  }

  @Test func theSecretsOfAURLAreKnownWithoutTheirEscapes() throws {
    let endpoint = try Endpoint(parsing: "wss://u:p@h/a?token=a%2Fb&room=r&key=4711")
    #expect(endpoint.secretValues == ["a/b", "4711"])
    #expect(endpoint.withoutSecrets.shown == "wss://h/a?room=r")
    #expect(endpoint.withoutSecrets.userinfo == nil)
  }

  @Test(arguments: [
    ("ws://h/a", "/a?access_token=a%2Fb%3D%26c"),
    ("ws://h/a?x=1", "/a?x=1&access_token=a%2Fb%3D%26c"),
    ("ws://h/a?", "/a?access_token=a%2Fb%3D%26c"),
    ("ws://h/a?access_token=old&x=1", "/a?x=1&access_token=a%2Fb%3D%26c"),
  ])
  func aTokenGoesIntoTheQuery(text: String, target: String) throws {
    let endpoint = try Endpoint(parsing: text).withAccessToken(secret: "a/b=&c")
    #expect(endpoint.target == target)
    #expect(!endpoint.shown.contains("%2F"))
  }

  @Test(arguments: [
    ("chat.example", "chat.example is no URL: begin with ws:// or wss://"),
    ("localhost:9000/a?b", "localhost:9000/a is no URL: begin with ws:// or wss://"),
    ("user:secret@chat.example", "chat.example is no URL: begin with ws:// or wss://"),
    ("", "The URL is empty: write one such as wss://chat.example/room"),
    ("ftp://h/", "ftp:// is not a scheme of WebSockets: begin with ws:// or wss://"),
    (
      "ws://u:secret@h/#x",
      "The URL h/ has a fragment (#…), which WebSockets do not know: "
        + "leave it out or write # as %23"
    ),
    ("ws://h:0/", "0 is no port for h: use a number from 1 to 65535"),
    ("ws://h:65536/", "65536 is no port for h: use a number from 1 to 65535"),
    ("ws://h:+80/", "+80 is no port for h: use a number from 1 to 65535"),
    ("ws:///a", "The URL ws:///a names no host: write one such as wss://chat.example/room"),
    ("ws://::1/", "::1 has more than one colon: write IPv6 addresses in brackets, [::1]:80"),
    ("ws://[::1/", "The URL ws://[::1/ opens a bracket and never closes it: add ]"),
    ("ws://[1.2.3.4]/", "[1.2.3.4] is no IPv6 address: write one such as [::1]"),
    (
      "ws://[::1]80/",
      "The URL ws://[::1]80/ has something between ] and the port: write [ADDRESS]:PORT"
    ),
    (
      "ws://a b/",
      "The host a b holds characters that no host name has: "
        + "use letters, digits, dots and hyphens"
    ),
    (
      "ws://a..b/",
      "The host a..b is no host name: its parts must have 1 to 63 characters, 253 in all"
    ),
  ])
  func whatIsWrongIsSaidInASentence(text: String, message: String) {
    #expect(throws: EndpointError(message: message)) { try Endpoint(parsing: text) }
  }

  @Test(arguments: ["ws://h/\r\nX: y", "ws://h/\0", "ws://h\n/", "\tws://h/", "ws://h/\u{7F}"])
  func controlCharactersAreRefused(text: String) {
    #expect(throws: EndpointError.self) { try Endpoint(parsing: text) }
  }

  @Test(arguments: ["ws://u%0D:x@h/", "ws://u%FF:x@h/"])
  func unreadableCredentialsAreRefusedWithoutShowingThem(text: String) {
    #expect(
      throws: EndpointError(
        message: "User or password in the URL h/ is not readable text: check its percent-escapes")
    ) { try Endpoint(parsing: text) }
  }

  @Test func eightKibibytesAreTheLongestURL() throws {
    let longest = "ws://h/" + String(repeating: "x", count: 8192 - 7)
    #expect(try Endpoint(parsing: longest).target.utf8.count == 8192 - 6)
    #expect(throws: EndpointError(message: "The URL is longer than 8192 bytes: shorten it")) {
      try Endpoint(parsing: longest + "x")
    }
  }
}
