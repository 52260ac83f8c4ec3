import TestKit
import Testing
import WebSocket

@testable import Channel

/// Cookies of the upgrade by RFC 6265.
@Suite struct CookieTests {
  private func field(
    _ setting: [String], from origin: String = "wss://chat.example/a/b", date: String? = nil,
    to url: String? = nil, at seconds: Int64 = 0, beside own: [String] = []
  ) throws -> String? {
    var jar = CookieJar()
    var headers = setting.map { Header("Set-Cookie", $0) }
    if let date { headers.append(Header("Date", date)) }
    jar.take(headers, from: try Endpoint(parsing: origin), at: Instant())
    return jar.field(
      for: try Endpoint(parsing: url ?? origin), at: Instant(.seconds(seconds)), beside: own)
  }

  @Test(arguments: [
    ("id=42", "id=42"), ("  id \t=\t 42 ;Path=/", "id=42"), ("id=", "id="),
    ("id=a=b==", "id=a=b=="),
    ("id=\"4 2\"", "id=\"4 2\""), ("id=42;;; ;x=y;HttpOnly;SameSite=Strict", "id=42"),
    ("ID=42; path = / ; PATH=/; Secure", "ID=42"), ("id=ü", "id=ü"),
    ("id", nil), ("=42", nil), ("", nil), (";", nil), (" = ; Secure", nil),
  ])
  func nameAndValueAreTakenAsTheyStand(setting: String, expected: String?) throws {
    #expect(try field([setting]) == expected)
  }

  @Test(arguments: [
    // The host alone, where no domain is named.
    ("id=1", "wss://chat.example/a/b", true), ("id=1", "wss://sub.chat.example/a/b", false),
    ("id=1; Domain=", "wss://sub.chat.example/a/b", false),
    ("id=1; Domain=.", "wss://chat.example/a/b", true),
    ("id=1; Domain=chat.example", "wss://sub.chat.example/a/b", true),
    ("id=1; domain=.CHAT.example", "wss://sub.chat.example/a/b", true),
    ("id=1; Domain=chat.example", "wss://xchat.example/a/b", false),
    ("id=1; Domain=x; Domain=chat.example", "wss://chat.example/a/b", true),
    // Those that are not the server's to name.
    ("id=1; Domain=other.example", "wss://chat.example/a/b", false),
    ("id=1; Domain=sub.chat.example", "wss://chat.example/a/b", false),
    ("id=1; Domain=example", "wss://chat.example/a/b", false),
    ("id=1; Domain=at.example", "wss://chat.example/a/b", false),
    ("id=1; Domain=chat.example.", "wss://chat.example/a/b", false),
    // Ports do not matter.
    ("id=1", "wss://chat.example:8443/a/b", true),
  ])
  func aCookieGoesToItsDomain(setting: String, url: String, goes: Bool) throws {
    #expect((try field([setting], to: url) != nil) == goes)
  }

  @Test(arguments: [
    ("ws://localhost/", "Domain=localhost", "ws://localhost/", true),
    ("ws://localhost/", "Domain=localhost", "ws://a.localhost/", false),
    ("ws://192.0.2.1/", "Domain=192.0.2.1", "ws://192.0.2.1/", true),
    ("ws://192.0.2.1/", "Domain=2.1", "ws://192.0.2.1/", false),
    ("ws://192.0.2.1/", "Domain=0.2.1", "ws://192.0.2.1/", false),
    ("ws://[2001:db8::1]/", "Domain=[2001:db8::1]", "ws://[2001:db8::1]/", false),
    ("ws://[2001:db8::1]/", "Path=/", "ws://[2001:db8::1]/", true),
  ])
  func addressesAndSingleNamesHaveNoDomainAboveThem(
    origin: String, attribute: String, url: String, goes: Bool
  ) throws {
    #expect((try field(["id=1; " + attribute], from: origin, to: url) != nil) == goes)
  }

  @Test(arguments: [
    // The default is the folder of the URL.
    ("id=1", "/a/b", true), ("id=1", "/a/c/d", true), ("id=1", "/a", true), ("id=1", "/ab", false),
    ("id=1", "/", false), ("id=1; Path=/", "/", true), ("id=1; Path=a", "/a?x=/z", true),
    ("id=1; Path=/a/b", "/a/bc", false), ("id=1; Path=/a/b", "/a/b/c", true),
    ("id=1; Path=/a/b/", "/a/b/c", true), ("id=1; Path=/a/b/", "/a/b", false),
    ("id=1; Path=/A", "/a", false), ("id=1; Path=/x; Path=", "/a/b", true),
  ])
  func aCookieGoesBelowItsPath(setting: String, path: String, goes: Bool) throws {
    #expect((try field([setting], to: "wss://chat.example" + path) != nil) == goes)
  }

  @Test(arguments: [
    ("wss://h.example/", "wss://h.example/", true), ("wss://h.example/", "ws://h.example/", false),
    ("ws://h.example/", "wss://h.example/", false), ("ws://localhost/", "ws://localhost/", true),
    ("ws://127.0.0.1:9/", "ws://127.0.0.1:9/", true), ("ws://[::1]/", "ws://[::1]/", true),
    ("ws://127.evil.example/", "ws://127.evil.example/", false),
  ])
  func aSecureCookieKeepsToTLSAndToThisMachine(origin: String, url: String, goes: Bool) throws {
    #expect((try field(["id=1; Secure"], from: origin, to: url) != nil) == goes)
  }

  @Test(arguments: [
    ("__Secure-id=1; Secure", true), ("__Secure-id=1", false), ("__secure-ID=1", false),
    ("__Host-id=1; Secure; Path=/", true), ("__Host-id=1; Secure", false),
    ("__Host-id=1; Path=/", false), ("__Host-id=1; Secure; Path=/; Domain=chat.example", false),
    ("__HOST-id=1; Secure; Path=/a", false), ("__Hosts=1", true),
  ])
  func thePrefixesAreAPromise(setting: String, isTaken: Bool) throws {
    #expect((try field([setting]) != nil) == isTaken)
  }

  // MARK: - Time

  private static let date = "Sun, 06 Nov 1994 08:49:07 GMT"

  @Test(arguments: [
    ("Max-Age=60", 59, true), ("Max-Age=60", 60, false), ("Max-Age=0", 0, false),
    ("Max-Age=-1", 0, false), ("Max-Age=99999999999999999999", 34_559_999, true),
    ("Max-Age=99999999999999999999", 34_560_000, false),
    ("Max-Age=-99999999999999999999", 0, false),
    ("Max-Age=+60", 1_000_000, true), ("Max-Age=6x", 1_000_000, true),
    ("Max-Age=", 1_000_000, true),
    ("Expires=Sun, 06 Nov 1994 08:49:37 GMT", 29, true),
    ("Expires=Sun, 06 Nov 1994 08:49:37 GMT", 30, false),
    ("Expires=Sun, 06 Nov 1994 08:00:00 GMT", 0, false),
    ("Expires=nonsense", 1_000_000, true),
    ("Expires=Tue, 01 Jan 2999 00:00:00 GMT", 34_560_000, false),
    // Max-Age counts more, wherever it stands.
    ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 59, true),
    ("Expires=Tue, 01 Jan 2999 00:00:00 GMT; Max-Age=60", 60, false),
    ("Max-Age=60; Max-Age=5", 5, false),
  ])
  func aCookieEndsWhenItSays(attributes: String, seconds: Int64, goes: Bool) throws {
    let field = try field(["id=1; " + attributes], date: Self.date, at: seconds)
    #expect((field != nil) == goes)
  }

  /// A 101 needs no Date: what is long over is over all the same, and the rest stays for the session.
  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", false), ("Mon, 01 Jan 2025 00:00:00 GMT", false),
    ("Tue, 01 Jan 2999 00:00:00 GMT", true),
  ])
  func withoutTheServersClockOnlyTheLongPastIsOver(expires: String, goes: Bool) throws {
    #expect((try field(["id=1; Expires=" + expires], at: 1000) != nil) == goes)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", Int64(784_111_777)),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("6 nov 94 8:49:37x", 784_111_777), ("08:49:37 1994 November 06th", 784_111_777),
    ("Fri, 01 Jan 69 00:00:00", 3_124_224_000), ("Thu, 01-Jan-1970 00:00:00 GMT", 0),
  ])
  func datesAreReadAsServersWriteThem(text: String, seconds: Int64) {
    #expect(CookieDate.seconds(of: text) == seconds)
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994", "06 Nov 1994 24:00:00", "06 Nov 1994 00:60:00", "06 Nov 1994 00:00:61",
    "06 Nov 1600 00:00:00", "32 Nov 1994 00:00:00", "00 Nov 1994 00:00:00", "06 Foo 1994 00:00:00",
    "06 Nov 19945 00:00:00", String(repeating: "06 Nov 1994 00:00:00 ", count: 100),
  ])
  func whatIsNoDateIsNone(_ text: String) {
    #expect(CookieDate.seconds(of: text) == nil)
  }

  // MARK: - The jar

  @Test func longerPathsComeFirstThenOlderCookies() throws {
    #expect(
      try field(["c=1; Path=/", "a=2; Path=/a/b", "b=3; Path=/a/b", "d=4; Path=/"])
        == "a=2; b=3; c=1; d=4")
  }

  @Test func aCookieIsReplacedByNameDomainAndPath() throws {
    #expect(try field(["id=1", "other=x", "id=2"]) == "id=2; other=x")
    #expect(try field(["id=1", "id=2; Path=/"]) == "id=1; id=2")
    #expect(try field(["id=1", "id=2; Max-Age=0"]) == nil)
    #expect(try field(["id=1", "id=2; Path=/; Max-Age=0"]) == "id=1")
  }

  @Test func thePersonsOwnCookiesComeFirstAndWin() throws {
    #expect(
      try field(["id=1", "b=2"], beside: ["theme=dark;id=mine", "x"])
        == "theme=dark; id=mine; x; b=2")
    #expect(try field([], beside: [" a=1 "]) == "a=1 ")
    #expect(try field([], beside: ["", ";"]) == nil)
  }

  @Test func aPlainLineCannotOverwriteASecureCookie() throws {
    var jar = CookieJar()
    let secure = try Endpoint(parsing: "wss://h.example/")
    let plain = try Endpoint(parsing: "ws://h.example/")
    jar.take([Header("Set-Cookie", "id=1; Secure")], from: secure, at: Instant())
    jar.take(
      [Header("Set-Cookie", "id=evil"), Header("set-cookie", "new=1")], from: plain, at: Instant())
    #expect(jar.field(for: secure, at: Instant(), beside: []) == "id=1; new=1")
  }

  @Test func theNumberAndTheSizeAreBounded() throws {
    let longest = "n=" + String(repeating: "v", count: 4095)
    #expect(try field([longest]) == longest)
    #expect(try field([longest + "v"]) == nil)
    // The path is too long to be one, the cookie is not.
    #expect(try field(["id=1; Path=/" + String(repeating: "p", count: 1024)]) == "id=1")
    let many = (1...60).map { "c\($0)=1" }
    #expect(
      try field(many) == (11...60).map { "c\($0)=1" }.joined(separator: "; "))
  }

  /// Whatever a server writes into its fields, nothing traps, and what is sent back is one line.
  @Test func damagedFieldsDoNoHarm() throws {
    var dice = Entropy.seeded(3)
    let pieces = [
      "id", "=", ";", " ", "Domain", "Path", "/", "Max-Age", "Expires", "-", "99999999999999999999",
      ".", "chat.example", "Secure", "\u{301}", "é", "\"", "__Host-", "06 Nov 1994 08:49:37", ":",
    ]
    let endpoint = try Endpoint(parsing: "wss://chat.example/a/b")
    var jar = CookieJar()
    for _ in 0..<5000 {
      let field = (0..<dice.below(12)).map { _ in pieces[dice.below(pieces.count)] }.joined()
      jar.take([Header("Set-Cookie", field)], from: endpoint, at: Instant())
      let reference = URIReference(field).resolved(against: URIReference("ws://h/a?b"))
      #expect(reference.scheme != nil)
    }
    let sent = try #require(jar.field(for: endpoint, at: Instant(), beside: []))
    #expect(sent.utf8.count <= 50 * 4200 && !sent.utf8.contains(0x0A))
  }

  @Test func theValuesStayOutOfDescriptions() throws {
    var jar = CookieJar()
    jar.take(
      [Header("Set-Cookie", "id=0123456789")], from: try Endpoint(parsing: "ws://h/"), at: Instant()
    )
    #expect("\(jar) \(String(reflecting: jar))" == "<1 cookies> <1 cookies>")
    var text = ""
    dump(jar, to: &text)
    #expect(!text.contains("0123456789"))
  }
}
