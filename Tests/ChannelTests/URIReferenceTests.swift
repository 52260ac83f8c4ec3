import Testing

@testable import Channel

/// Resolution of references, by the examples of RFC 3986 section 5.4 and what redirects hold besides.
@Suite struct URIReferenceTests {
  private static let normal = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
  ]

  private static let abnormal = [
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ]

  @Test(arguments: normal + abnormal)
  func theExamplesOfTheRFCAreResolved(reference: String, target: String) {
    let base = URIReference("http://a/b/c/d;p?q")
    #expect(URIReference(reference).resolved(against: base).text == target)
  }

  @Test(arguments: [
    ("ws://h", "g", "ws://h/g"), ("ws://h", "?x", "ws://h?x"), ("ws://h?x", "", "ws://h?x"),
    ("ws://h:9/a", "//[::1]:8/b", "ws://[::1]:8/b"), ("ws://h/a/b?c", "/", "ws://h/"),
    ("ws://h/a", "1x:y", "ws://h/1x:y"), ("ws://h/a", "a_b:y", "ws://h/a_b:y"),
    ("ws://h/a", "wss://h/../b/.", "wss://h/b/"), ("ws://h/a/", "..\u{301}", "ws://h/a/..\u{301}"),
    ("ws://h/a/b", "/\u{301}/../c", "ws://h/c"),
  ])
  func otherReferencesAreResolved(base: String, reference: String, target: String) {
    #expect(URIReference(reference).resolved(against: URIReference(base)).text == target)
  }

  @Test(arguments: ["", "a", "//h", "s:", "s://?#", "a/b?c#d", "?", "#", "a:b:c", "://x"])
  func takingApartAndPuttingTogetherKeepTheText(_ text: String) {
    #expect(URIReference(text).text == text)
  }

  @Test func aLongPathOfDotsIsWalkedInOneGo() {
    let path = String(repeating: "/a/..", count: 100_000)
    #expect(URIReference.removingDotSegments(Array(path.utf8)) == Array("/".utf8))
  }
}
