import Testing
import WebSocket

@testable import Channel

/// What a server says must not bring back to the screen what was kept from it.
@Suite struct HiddenTokenTests {
  static let cases: [(text: String, shown: String)] = [
    ("ws://h/?access_token=abc", "ws://h/?access_token=…"),
    ("ws://h/?a=1&access_token=abc&b=2", "ws://h/?a=1&access_token=…&b=2"),
    ("ws://h/?ACCESS_TOKEN=abc#x", "ws://h/?ACCESS_TOKEN=…#x"),
    ("Cannot GET /?access_token=abc now", "Cannot GET /?access_token=… now"),
    ("<a href=\"/?access_token=abc\">", "<a href=\"/?access_token=…\">"),
    ("access_token=a access_token=b", "access_token=… access_token=…"),
    ("ws://user:word@h/x", "ws://h/x"), ("ws://u@w@h/x@y", "ws://h/x@y"),
    ("see ws://u:w@h and ws://h/@me", "see ws://h and ws://h/@me"),
    ("ws://h/?access%5Ftoken=abc&b=2", "ws://h/?access%5Ftoken=…&b=2"),
    ("ws://h/?%61ccess%5ftoken=abc", "ws://h/?%61ccess%5ftoken=…"),
    (#"{"access_token":"abc","b":"c"}"#, #"{"access_token":"…","b":"c"}"#),
    (#"{"access_token" : "abc"}"#, #"{"access_token" : "…"}"#),
    (#"{\"access_token\":\"abc\"}"#, #"{\"access_token\":\"…\"}"#),
    (#"{"access_token":null}"#, #"{"access_token":…"#),
    ("access_token: say which", "access_token: say which"),
    ("a plain page", "a plain page"), ("", ""), ("access_token=", "access_token=…"),
  ]

  @Test(arguments: cases)
  func tokensAreHidden(text: String, shown: String) {
    #expect(hidingTokens(in: text) == shown)
  }

  @Test func neitherARedirectNorAPageRepeatsTheToken() throws {
    let endpoint = try Endpoint(parsing: "ws://h/?access_token=secret")
    for status in [302, 401, 404, 503] {
      let refusal = Refusal(
        status: status, reason: "No",
        headers: [Header("Location", "ws://me:secret@h/x?access_token=secret")],
        body: Array("Cannot GET /?access_token=secret".utf8))
      let failure = verdict(onRefusal: refusal, from: endpoint).failure
      #expect(!failure.message.contains("secret"))
      #expect(!failure.short.contains("secret"))
    }
  }
}
