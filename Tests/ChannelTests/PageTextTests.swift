import Testing
import WebSocket

@testable import Channel

/// What is shown of the page that came with a refusal.
@Suite struct PageTextTests {
  private func excerpt(_ body: String) -> String {
    Channel.excerpt(of: Refusal(status: 403, reason: "", headers: [], body: Array(body.utf8)))
  }

  @Test(arguments: [
    ("<p>Denied &amp; gone</p>", "Denied & gone"), ("<p>1 &lt; 2 &gt; 0</p>", "1 < 2 > 0"),
    ("<p>&quot;no&quot;, it&#39;s &#x27;not&apos;</p>", "\"no\", it's 'not'"),
    ("<p>caf&#233; &#xE9; a&nbsp;b</p>", "café é a b"),
    ("<p>&amp;lt; stays</p>", "&lt; stays"),
    ("no page: &amp; stays", "no page: &amp; stays"),
  ])
  func referencesToCharactersAreDecoded(page: String, text: String) {
    #expect(excerpt(page) == text)
  }

  @Test(arguments: [
    "&", "&;", "&#", "&#;", "&#x;", "&#xZZ;", "&#0;", "&#xD800;", "&#1114112;", "&#99999999999;",
    "&#+5;", "&unknown;", "&amp",
  ])
  func whatIsNoReferenceStays(text: String) {
    #expect(excerpt("<p>a \(text) b</p>") == "a \(text) b")
  }

  @Test func whatATerminalWouldObeyIsNotLetInByAReference() {
    let shown = excerpt("<p>a&#27;[31mb&#x9B;c&#x202E;d&#10;e</p>")
    #expect(
      shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B && $0.value != 0x202E }
    )
  }

  @Test func aTokenIsHiddenInWhateverWayThePageWritesIt() throws {
    var secrets = Secrets()
    secrets.add("a<b>&\"c'd")
    let body = "<p>You sent a&lt;b&gt;&amp;&#34;c&#39;d, access&#95;token=hidden</p>"
    let refusal = secrets.hiding(
      in: Refusal(status: 403, reason: "", headers: [], body: Array(body.utf8)))
    #expect(Channel.excerpt(of: refusal) == "You sent …, access_token=…")
  }

  @Test func aPageOfReferencesIsBounded() {
    let page = "<p>" + String(repeating: "&amp;", count: 100_000)
    #expect(excerpt(page).count <= 201)
  }
}
