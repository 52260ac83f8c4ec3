import Testing
import WebSocket

@Suite struct Base64Tests {
  /// RFC 4648 section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func theVectorsOfTheRFCHoldBothWays(plain: String, encoded: String) {
    #expect(Base64.encoded(Array(plain.utf8)) == encoded)
    #expect(Base64.decoded(encoded) == Array(plain.utf8))
    #expect(Base64.decoded(encoded.replacing("=", with: "")) == Array(plain.utf8))
  }

  @Test(arguments: [
    "Z", "Zg=", "Zg===", "=Zg=", "Zm9v=", "Z g=", "Zg==\n", "Zg-_", "Zh==", "Zm9=", "====", "=",
    "Zg==Zg==", "é",
  ])
  func whatIsNoBase64IsRefused(text: String) {
    #expect(Base64.decoded(text) == nil)
  }

  @Test(arguments: [3 << 20, (3 << 20) + 1, (6 << 20) - 1])
  func largeInputComesBackWhole(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
  }
}
