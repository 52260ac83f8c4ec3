import Testing
import Text

@Suite struct ClusterTests {
  @Test(
    arguments: [
      ("", []),
      ("ab", [Cluster(text: "a", width: 1), Cluster(text: "b", width: 1)]),
      ("日本", [Cluster(text: "日", width: 2), Cluster(text: "本", width: 2)]),
      // Composed where a composed letter exists.
      ("e\u{301}", [Cluster(text: "\u{E9}", width: 1)]),
      ("\u{1112}\u{1161}\u{11AB}", [Cluster(text: "한", width: 2)]),
      // The safe policy for emoji.
      (
        "[😮\u{200D}💨]",
        [.init(text: "[", width: 1), .init(text: "😮", width: 2), .init(text: "]", width: 1)]
      ),
      ("🤷🏿\u{200D}♂\u{FE0F}!", [.init(text: "🤷", width: 2), .init(text: "!", width: 1)]),
      ("👍🏽", [Cluster(text: "👍", width: 2)]),
      ("❤\u{FE0F}", [Cluster(text: "❤", width: 1)]),
      (
        "♻\u{FE0F}ab",
        [.init(text: "♻", width: 1), .init(text: "a", width: 1), .init(text: "b", width: 1)]
      ),
      ("1\u{FE0F}\u{20E3}", [Cluster(text: "1\u{20E3}", width: 1)]),
      ("🇦🇺🇻🇳", [Cluster(text: "🇦🇺", width: 2), Cluster(text: "🇻🇳", width: 2)]),
      ("🇦", [Cluster(text: "🇦", width: 1)]),
      ("🏿", [Cluster(text: "🏿", width: 2)]),
      // A mark without a base; four marks at most.
      ("\u{301}", [Cluster(text: "◌\u{301}", width: 1)]),
      (
        "q\u{323}\u{323}\u{323}\u{323}\u{323}",
        [Cluster(text: "q\u{323}\u{323}\u{323}\u{323}", width: 1)]
      ),
      // A cell holds one spacing code point.
      ("कि", [Cluster(text: "क", width: 1), Cluster(text: "ि", width: 1)]),
      ("क्षि", [.init(text: "क्", width: 1), .init(text: "ष", width: 1), .init(text: "ि", width: 1)]),
      // What has no glyph, and what should not have come here.
      ("\u{378}", [Cluster(text: "□", width: 1)]),
      ("\u{1B}", [Cluster(text: "□", width: 1)]),
      ("\u{E000}", [Cluster(text: "\u{E000}", width: 1)]),
      // What draws nothing.
      ("a\u{200B}\u{200D}\u{3164}b", [.init(text: "a", width: 1), .init(text: "b", width: 1)]),
      ("\u{AD}\u{2060}\u{202E}", []),
    ] as [(String, [Cluster])]) func aTextIsSplitIntoCells(text: String, expected: [Cluster])
  {
    let found = clusters(of: text)
    #expect(found == expected)
    #expect(
      found.map { Array($0.text.unicodeScalars) } == expected.map { Array($0.text.unicodeScalars) })
    #expect(columns(of: text) == expected.reduce(0) { $0 + $1.width })
  }

  @Test func everyCodePointComesToCellsOfOneOrTwoColumns() {
    var scalars = Array(UInt32(0)...0x3FFF)
    scalars += Array(0xA000...0xFFFF) + Array(0x1D100...0x1D1FF) + Array(0x1F000...0x1FBFF)
    scalars += Array(0xE0000...0xE01FF)
    for scalar in scalars.compactMap({ Unicode.Scalar($0) }) {
      for cluster in clusters(of: "\(scalar)") {
        #expect((1...2).contains(cluster.width))
        #expect((1...5).contains(cluster.text.unicodeScalars.count))
      }
    }
  }

  @Test func asciiBesideOtherTextIsSplitAlike() {
    #expect(columns(of: "mira: 日本語 ok e\u{301}x") == 6 + 6 + 4 + 1 + 1)
    #expect(clusters(of: "xe\u{301}y").map(\.text) == ["x", "\u{E9}", "y"])
  }

  /// Box drawing has a quick way, which must not lead past the rules: a mark belongs to what stands before it.
  @Test func boxDrawingIsAClusterEachUnlessAMarkFollows() {
    for value in UInt32(0x24F8)...0x2588 {
      let box = String(Unicode.Scalar(value).map(Character.init) ?? "?")
      for (text, parts) in [
        (box, [box]), ("a\(box)b", ["a", box, "b"]), ("\(box)\(box)", [box, box]),
        ("é\(box)中", ["é", box, "中"]), ("\(box)\u{301}\(box)", ["\(box)\u{301}", box]),
        ("a\u{301}\(box)", ["a\u{301}", box]),
      ] {
        let found = clusters(of: text)
        #expect(found.map(\.text) == parts, "\(text)")
        #expect(found.allSatisfy { $0.width == ($0.text == "中" ? 2 : 1) })
        let placed = placedClusters(of: text)
        #expect(placed.clusters == found && placed.offsets.first == 0)
      }
    }
  }
}
