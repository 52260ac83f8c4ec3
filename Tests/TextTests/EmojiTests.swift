import Testing

@testable import Text

/// The three ways to draw emoji.
@Suite struct EmojiTests {
  @Test(
    arguments: [
      ("😮\u{200D}💨", ":open_mouth:"), ("👍🏻", ":+1:"), ("❤\u{FE0F}", ":heart:"),
      ("🙂", ":slightly_smiling_face:"),
      ("🇦🇺", ":australia:"), ("👩🏽\u{200D}🚀", ":woman:"), ("🇽🇽", ":flag_xx:"),
      // A sequence that nobody named goes by its first sign.
      ("🙂\u{200D}🚀", ":slightly_smiling_face:"),
    ] as [(Character, String)])
  func aPictureHasAName(picture: Character, name: String) {
    #expect(pictureName(picture) == name)
    let text = String(picture)
    #expect(clusters(of: text, emoji: .text).map(\.text).joined() == name)
    #expect(columns(of: text, emoji: .text) == name.count)
    #expect(clusters(of: text, emoji: .native) == [Cluster(text: text, width: 2)])
  }

  @Test(arguments: [
    "a", "é", "日", "1", "#", "©", "™", "❤", "❤\u{FE0E}", "क्षि", "e\u{301}", "\u{200D}", "\u{FE0F}",
  ])
  func whatIsNoPictureIsDrawnAlikeByAll(text: String) {
    for policy in EmojiPolicy.allCases {
      #expect(clusters(of: text, emoji: policy) == clusters(of: text))
    }
  }

  @Test func aSequenceWithoutEndIsNoPicture() {
    let text = Array(repeating: "👩", count: 5_000).joined(separator: "\u{200D}")
    #expect(clusters(of: text, emoji: .native) == clusters(of: text))
    let marked = "👩" + String(repeating: "\u{301}", count: 50)
    #expect(clusters(of: marked, emoji: .native) == clusters(of: marked))
  }

  @Test func theNamesAreLettersOnly() {
    for value in UInt32(0x1F300)...0x1FAFF {
      guard let scalar = Unicode.Scalar(value), isPicture(Character(scalar)) else { continue }
      let name = pictureName(Character(scalar))
      #expect(name.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "\(name)")
    }
  }

  @Test func offsetsAreThoseOfTheText() {
    let (clusters, offsets) = placedClusters(of: "a🙂b", emoji: .text)
    #expect(clusters.count == offsets.count && clusters.count == 25)
    #expect(offsets.first == 0 && offsets.last == 5)
    #expect(Set(offsets) == [0, 1, 5])
  }
}
