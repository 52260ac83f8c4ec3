import Testing
import WebSocket

@testable import Channel

/// What a proxy's answer means, in sentences.
struct ProxyWordsTests {
  private static let open = ProxyEndpoint(kind: .http, host: "px", port: 3128)
  private static let known = ProxyEndpoint(
    kind: .http, host: "px", port: 3128,
    credentials: ProxyEndpoint.Credentials(user: "ada", password: "hunter2"), source: "http_proxy")

  private func outcome(_ proxy: ProxyEndpoint, _ answer: String) -> Verdict? {
    var (dialogue, _) = ProxyDialogue.begin(with: proxy, to: "h", port: 443)
    let bytes = Array(answer.utf8)
    var step = dialogue?.receive(bytes.span.bytes)
    if step == .refusing || step == .waiting(send: []) { step = dialogue?.ended() }
    guard case .failed(let verdict, false)? = step else { return nil }
    return verdict
  }

  @Test func credentialsGoIntoProxyAuthorization() {
    let (_, step) = ProxyDialogue.begin(with: Self.known, to: "::1", port: 443)
    let request =
      "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n"
      + "Proxy-Authorization: Basic YWRhOmh1bnRlcjI=\r\n\r\n"
    #expect(step == .waiting(send: Array(request.utf8)))
  }

  @Test func aProxyThatWantsAPasswordIsTellingWhatToWrite() throws {
    let verdict = try #require(
      outcome(
        Self.open,
        "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=\"the office\"\r\n\r\nfirst\nsecond"))
    #expect(verdict.course == .refused)
    #expect(
      verdict.failure
        == Failure(
          kind: .proxy, status: 407,
          message:
            "The proxy http://px:3128 (--proxy) answered 407 Who? when asked for h:443, saying "
            + "“first second”; it wants user and password for “the office”: write them into its URL, "
            + "http://USER:PASSWORD@px:3128", short: "proxy: 407 password wanted"))
  }

  @Test func aPasswordThatIsRepeatedByTheProxyIsNotShown() throws {
    let verdict = try #require(
      outcome(
        Self.known,
        "HTTP/1.1 407 no hunter2\r\n\r\nGot: Basic YWRhOmh1bnRlcjI= and hunter2"))
    #expect(verdict.course == .refused)
    #expect(
      verdict.failure.message
        == "The proxy http://px:3128 (http_proxy) answered 407 no … when asked for h:443, saying "
        + "“Got: Basic … and …”; it did not accept user and password: check them in its URL")
  }

  @Test func aProxyThatOnlyKnowsOtherSchemesIsSaidToDoSo() throws {
    let verdict = try #require(
      outcome(
        Self.known,
        "HTTP/1.1 407 No\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n\r\n"))
    #expect(
      verdict.failure.message.hasSuffix(
        "; it wants Negotiate or NTLM, where only Basic is spoken here"))
  }

  @Test(arguments: [
    ("HTTP/1.1 401 Unauthorized\r\n\r\n", Verdict.Course.refused, Int?.some(401)),
    ("HTTP/1.1 403 Forbidden\r\n\r\n", .giveUp, 403),
    ("HTTP/1.1 404 Not Found\r\n\r\n", .giveUp, 404),
    ("HTTP/1.1 301 Moved\r\nLocation: http://x/\r\n\r\n", .giveUp, 301),
    ("HTTP/1.1 502 Bad Gateway\r\n\r\n", .retry(after: nil), 502),
    ("HTTP/1.1 503 Later\r\nRetry-After: 7\r\n\r\n", .retry(after: .seconds(7)), 503),
    ("HTTP/1.1 504 Late\r\n\r\n", .retry(after: nil), 504),
    ("HTTP/1.1 429 Slow\r\n\r\n", .retry(after: nil), 429),
    ("", .retry(after: nil), nil), ("SSH-2.0-x\r\n", .giveUp, nil), ("\u{5}\u{0}", .giveUp, nil),
    ("HTTP/1.1 200 OK\r\nbad\r\n", .giveUp, nil),
  ])
  func theCourseFollowsTheAnswer(answer: String, course: Verdict.Course, status: Int?) throws {
    let verdict = try #require(outcome(Self.open, answer))
    #expect(verdict.course == course)
    #expect(verdict.failure.kind == .proxy)
    #expect(verdict.failure.status == status)
    #expect(verdict.failure.short.hasPrefix("proxy: "))
  }

  @Test func aPageIsShownWithoutItsMarkup() throws {
    let page =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html><head><title>No way</title>"
      + "<style>\nb {}\n</style><!-- a > b --></head>\n<body>\n<h1>Ask the <b>office</b></h1></body>"
    let verdict = try #require(outcome(Self.open, "HTTP/1.0 403 Filtered\r\n\r\n" + page))
    #expect(verdict.failure.message.contains(", saying “No way Ask the office”; "))
  }

  @Test(arguments: [
    ("HTTP/1.1 400 Bad Request\r\n", "it speaks HTTP: begin its URL with http://"),
    ("SSH", "check whether it is one of another kind (http, https)"),
  ])
  func whatSpeaksNoSOCKSIsToldApart(answer: String, advice: String) throws {
    let proxy = ProxyEndpoint(kind: .socks5h, host: "px", port: 1)
    let verdict = try #require(outcome(proxy, answer))
    #expect(verdict.course == .giveUp)
    #expect(
      verdict.failure.message
        == "The proxy socks5h://px:1 (--proxy) does not speak SOCKS 5; \(advice)")
  }
}
