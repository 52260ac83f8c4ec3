import Screen
import TestKit
import Testing

/// Bytes as a terminal sends them and the keys they come to.
private struct Row: Sendable, CustomTestStringConvertible {
  var bytes: [UInt8]
  var keys: [Key]

  init(_ text: String, _ keys: Key...) {
    bytes = Array(text.utf8)
    self.keys = keys
  }

  init(bytes: [UInt8], _ keys: Key...) {
    self.bytes = bytes
    self.keys = keys
  }

  var testDescription: String {
    bytes.map { $0 == 0x1B ? "ESC" : String(Unicode.Scalar($0)) }.joined(separator: " ")
  }
}

private let plain: [Row] = [
  Row("a", .character("a")), Row("~", .character("~")), Row(" ", .character(" ")),
  Row("\r", .enter), Row("\n", .control("j")), Row("\t", .tab),
  Row(bytes: [0x7F], .backspace), Row(bytes: [0x08], .control("h")),
  Row(bytes: [0x00], .control("@")), Row(bytes: [0x01], .control("a")),
  Row(bytes: [0x1A], .control("z")), Row(bytes: [0x1C], .control("\\")),
  Row(bytes: [0x1D], .control("]")), Row(bytes: [0x1E], .control("^")),
  Row(bytes: [0x1F], .control("_")),
  Row(bytes: [0xC3, 0xA9], .character("é")),
  Row(bytes: [0xED, 0x95, 0x9C], .character("한")),
  Row(bytes: [0xF0, 0x9F, 0x99, 0x82], .character("🙂")),
  Row("é한🙂x", .character("é"), .character("한"), .character("🙂"), .character("x")),
  Row("e\u{301}", .character("e"), .character("\u{301}")),
]

private let arrows: [Row] = [
  Row("\u{1B}[A", .up), Row("\u{1B}[B", .down), Row("\u{1B}[C", .right), Row("\u{1B}[D", .left),
  Row("\u{1B}OA", .up), Row("\u{1B}OB", .down), Row("\u{1B}OC", .right), Row("\u{1B}OD", .left),
  Row("\u{1B}[H", .home), Row("\u{1B}[F", .end), Row("\u{1B}OH", .home), Row("\u{1B}OF", .end),
  Row("\u{1B}[1~", .home), Row("\u{1B}[4~", .end), Row("\u{1B}[7~", .home),
  Row("\u{1B}[8~", .end),
  Row("\u{1B}[2~", .insert), Row("\u{1B}[3~", .delete), Row("\u{1B}[5~", .pageUp),
  Row("\u{1B}[6~", .pageDown), Row("\u{1B}[Z", .backTab),
  Row("\u{1B}[1;5D", .controlLeft), Row("\u{1B}[1;5C", .controlRight),
  Row("\u{1B}[1;5H", .controlHome), Row("\u{1B}[1;5F", .controlEnd),
  Row("\u{1B}[1;3D", .controlLeft), Row("\u{1B}[1;3C", .controlRight),
  Row("\u{1B}[1;2A", .up), Row("\u{1B}[1;5A", .controlUp),
  Row("\u{1B}[1;3B", .altDown), Row("\u{1B}\u{1B}[A", .altUp), Row("\u{1B}[5;5~", .controlPageUp),
  Row("\u{1B}[1;2D", .left), Row("\u{1B}[1;6C", .controlRight),
  Row("\u{1B}Od", .controlLeft), Row("\u{1B}Oc", .controlRight),
  Row("\u{1B}[d", .left), Row("\u{1B}[c", .right), Row("\u{1B}[a", .up),
  Row("\u{1B}\u{1B}[D", .controlLeft), Row("\u{1B}\u{1B}OC", .controlRight),
  Row("\u{1B}[7^", .controlHome), Row("\u{1B}[8^", .controlEnd), Row("\u{1B}[8@", .controlEnd),
  Row("\u{1B}[7$", .home), Row("\u{1B}[3$", .delete),
  Row("\u{1B}[3;5~", .alt("d")), Row("\u{1B}[3^", .alt("d")), Row("\u{1B}[5;2~", .pageUp),
]

private let functions: [Row] =
  zip(
    ["11", "12", "13", "14", "15", "17", "18", "19", "20", "21", "23", "24"], 1...
  ).map { Row("\u{1B}[\($0)~", .function($1)) }
  + ["P", "Q", "R", "S"].enumerated().map { Row("\u{1B}O\($1)", .function($0 + 1)) }
  + ["A", "B", "C", "D", "E"].enumerated().map { Row("\u{1B}[[\($1)", .function($0 + 1)) }
  + [
    Row("\u{1B}[1;2P", .function(1)), Row("\u{1B}[1;5R", .function(3)),
    Row("\u{1B}[15;3~", .function(5)), Row("\u{1B}O5P", .function(1)),
  ]

private let alts: [Row] = [
  Row("\u{1B}b", .alt("b")), Row("\u{1B}<", .alt("<")), Row("\u{1B}é", .alt("é")),
  Row("\u{1B}\r", .altEnter), Row("\u{1B}\n", .altEnter),
  Row(bytes: [0x1B, 0x7F], .altBackspace), Row(bytes: [0x1B, 0x08], .altBackspace),
  Row(bytes: [0x1B, 0x01], .altControl("a")), Row(bytes: [0x1B, 0x0B], .altControl("k")),
  Row(bytes: [0x1B, 0x03], .escape, .control("c")), Row(bytes: [0x1B, 0x1F], .altControl("_")),
  Row("\u{1B}\u{1B}b", .escape, .alt("b")), Row("\u{1B}\t", .escape, .tab),
]

private let coded: [Row] = [
  Row("\u{1B}[27;5;97~", .control("a")), Row("\u{1B}[27;3;98~", .alt("b")),
  Row("\u{1B}[27;2;13~", .altEnter), Row("\u{1B}[97;5u", .control("a")),
  Row("\u{1B}[107;7u", .altControl("k")), Row("\u{1B}[27;7;107~", .altControl("k")),
  Row("\u{1B}[97;3u", .alt("a")), Row("\u{1B}[97;4u", .alt("A")),
  Row("\u{1B}[97u", .character("a")),
  Row("\u{1B}[13;2u", .altEnter), Row("\u{1B}[13u", .enter), Row("\u{1B}[27u", .escape),
  Row("\u{1B}[9;2u", .backTab), Row("\u{1B}[127;5u", .altBackspace),
  Row("\u{1B}[105;5u", .tab), Row("\u{1B}[91;5u", .escape), Row("\u{1B}[32;5u", .control("@")),
  Row("\u{1B}[44:60;4u", .alt("<")), Row("\u{1B}[97;5:1u", .control("a")),
  Row("\u{1B}[97;5:3u"), Row("\u{1B}[57441;2u"), Row("\u{1B}[99999999999999999999u"),
]

private let reports: [Row] = [
  Row("\u{1B}[I", .focusIn), Row("\u{1B}[O", .focusOut),
  Row("\u{1B}[<64;10;5M", .wheelUp), Row("\u{1B}[<65;10;5M", .wheelDown),
  Row("\u{1B}[<68;1;1M", .wheelUp), Row("\u{1B}[<0;10;5M", .click(row: 4, column: 9)),
  Row("\u{1B}[<0;10;5m"),
  Row("\u{1B}[<35;1;1Mx", .character("x")), Row("\u{1B}[<1;1;1M"), Row("\u{1B}[<0;0;1M"),
  Row("\u{1B}[<0;1M"), Row("\u{1B}[<0;1;1;1M"),
  Row("\u{1B}[<0;300;9M", .click(row: 8, column: 299)),
  Row("\u{1B}[<0;99999999999;1M"), Row("\u{1B}[32;10;5M", .click(row: 4, column: 9)),
  Row("\u{1B}[96;10;5M", .wheelUp), Row(bytes: [0x1B, 0x5B, 0x4D, 0x61, 0x21, 0x21], .wheelDown),
  Row(bytes: [0x1B, 0x5B, 0x4D, 0x20, 0x22, 0x21], .click(row: 0, column: 1)),
  Row(bytes: [0x1B, 0x5B, 0x4D, 0x20, 0x20, 0x21]),
  Row(bytes: [0x1B, 0x5B, 0x4D, 0x23, 0x21, 0x21]),
  Row("\u{1B}[12;40R"), Row("\u{1B}[?62;22c"), Row("\u{1B}[>41;377;0c"), Row("\u{1B}[?2026;2$y"),
  Row("\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{07}x", .background(isLight: false), .character("x")),
  Row("\u{1B}]11;rgb:1e1e/1e1e\u{1B}\\x", .character("x")),
  Row("\u{1B}P>|tmux 3.3a\u{1B}\\", ), Row("\u{1B}_Gi=1;OK\u{1B}\\x", .character("x")),
  Row("\u{1B}]11;\u{1B}[A", .up), Row("\u{1B}]11;rgb\u{03}", .control("c")),
  Row("\u{1B}[1;\u{03}x", .control("c"), .character("x")), Row("\u{1B}[1;5\u{1B}[A", .up),
  Row("\u{1B}[201~x", .character("x")), Row("\u{1B}[99~"), Row("\u{1B}[;;;;;A", .up),
]

private let broken: [Row] = [
  Row(bytes: [0xFF, 0x61], .character("\u{FFFD}"), .character("a")),
  Row(bytes: [0x80], .character("\u{FFFD}")),
  Row(bytes: [0xC3, 0x61], .character("\u{FFFD}"), .character("a")),
  Row(bytes: [0xE4, 0xB8, 0xE4, 0xB8, 0xAD], .character("\u{FFFD}"), .character("中")),
  Row(bytes: [0xC0, 0xAF], .character("\u{FFFD}"), .character("\u{FFFD}")),
  // A surrogate and a value beyond U+10FFFF, byte for byte as Unicode's table 3-8 has it.
  Row(
    bytes: [0xED, 0xA0, 0x80], .character("\u{FFFD}"), .character("\u{FFFD}"),
    .character("\u{FFFD}")),
  Row(bytes: [0xF0, 0x9F, 0x99, 0x0D], .character("\u{FFFD}"), .enter),
  Row(bytes: [0xC2, 0x9B, 0x41], .character("A")),
]

private let pastes: [Row] = [
  Row("\u{1B}[200~abc\u{1B}[201~", .paste("abc")),
  Row("\u{1B}[200~\u{1B}[201~x", .paste(""), .character("x")),
  Row("\u{1B}[200~a\rb\r\nc\nd\r\r\u{1B}[201~", .paste("a\nb\nc\nd\n\n")),
  Row("\u{1B}[200~a\tb\u{03}\u{07}\u{7F}c\u{1B}[201~", .paste("a\tb␃␇␡c")),
  Row("\u{1B}[200~\u{1B}[31mred\u{1B}[20x\u{1B}\u{1B}[201~", .paste("␛[31mred␛[20x␛")),
  Row("\u{1B}[200~é한🙂\u{9B}\u{1B}[201~\r", .paste("é한🙂\u{FFFD}"), .enter),
  Row(
    bytes: Array("\u{1B}[200~a".utf8) + [0xFF, 0x62] + Array("\u{1B}[201~".utf8),
    .paste("a\u{FFFD}b")),
]

@Suite struct KeyDecoderTests {
  @Test(arguments: plain + arrows + functions + alts + coded + reports + broken + pastes)
  private func everySplitOfTheBytesGivesTheSameKeys(row: Row) {
    var whole = KeyDecoder()
    #expect(whole.feed(row.bytes) == row.keys)
    #expect(!whole.waitsForMore)

    let cuts = row.bytes.count - 1
    // All splits of a short sequence; of a long one every cut in two and single bytes.
    let masks = cuts <= 9 ? Array(0..<1 << cuts) : (0..<cuts).map { 1 << $0 } + [(1 << cuts) - 1]
    for mask in masks {
      var decoder = KeyDecoder()
      var keys: [Key] = []
      var piece: [UInt8] = []
      for (index, byte) in row.bytes.enumerated() {
        piece.append(byte)
        if mask >> index & 1 == 1 {
          keys += decoder.feed(piece)
          piece = []
        }
      }
      keys += decoder.feed(piece)
      #expect(keys == row.keys, "split \(String(mask, radix: 2))")
    }
  }

  @Test func aLoneEscapeIsAKeyOnceItsTimeIsOver() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B]) == [])
    #expect(decoder.waitsForMore)
    #expect(decoder.patience == .milliseconds(25))
    #expect(decoder.timeReached() == [.escape])
    #expect(!decoder.waitsForMore)
    #expect(decoder.timeReached() == [])
    #expect(decoder.feed([0x5B, 0x41]) == [.character("["), .character("A")])
  }

  @Test(arguments: [
    ("\u{1B}\u{1B}", [Key.escape, .escape]), ("\u{1B}[", [.alt("[")]), ("\u{1B}O", [.alt("O")]),
    ("\u{1B}]", [.alt("]")]), ("\u{1B}_", [.alt("_")]), ("\u{1B}P", [.alt("P")]),
    ("\u{1B}[1;5", []), ("\u{1B}]11;rgb", []), ("\u{1B}[M !", []), ("\u{1B}[[", []),
  ])
  func whatStaysUnfinishedIsDecidedWhenItsTimeIsOver(text: String, keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array(text.utf8)) == [])
    #expect(decoder.waitsForMore)
    #expect(decoder.timeReached() == keys)
    #expect(decoder.feed([0x61]) == [.character("a")])
  }

  /// On a slow line the ESC of a report or of a paste may come alone.
  @Test func whatComesLateBehindItsEscapeIsNotTyped() {
    func keys(_ rest: String) -> [Key] {
      var decoder = KeyDecoder()
      var keys = decoder.feed([0x1B])
      keys += decoder.timeReached()
      keys += decoder.feed(Array(rest.utf8))
      if decoder.waitsForMore { keys += decoder.timeReached() }
      return keys
    }
    #expect(keys("[<0;74;22m") == [.escape])
    #expect(keys("[<0;3;2M") == [.escape, .click(row: 1, column: 2)])
    #expect(keys("[<64;1;1Mx") == [.escape, .wheelUp, .character("x")])
    #expect(keys("[200~a\nb\u{1B}[201~") == [.escape, .paste("a\nb")])
    // What is typed behind Esc stays what it is.
    for typed in ["[", "[2", "[200", "[201~", "[a", "[[<", "x[<0", "<0;1;1M", "[20[200~"] {
      #expect(keys(typed) == [.escape] + typed.map { .character($0) }, "\(typed)")
    }
  }

  @Test func anUnfinishedCharacterDoesNotStick() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0xF0, 0x9F]) == [])
    #expect(decoder.timeReached() == [.character("\u{FFFD}")])
    #expect(decoder.feed([0x61]) == [.character("a")])
  }

  @Test func aPasteWhoseEndNeverComesIsEndedByTime() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}[200~abc\u{1B}[2".utf8)) == [])
    #expect(decoder.waitsForMore)
    #expect(decoder.patience == .seconds(1))
    #expect(decoder.timeReached() == [.paste("abc␛[2")])
    #expect(decoder.feed([0x03]) == [.control("c")])
  }

  @Test func aPasteIsCutAtAMebibyteBetweenCharacters() {
    var decoder = KeyDecoder()
    // The three bytes of 中 lie across the limit of 1,048,576.
    let filling = [UInt8](repeating: 0x61, count: 1_048_575)
    #expect(decoder.feed(Array("\u{1B}[200~".utf8) + filling) == [])
    let keys = decoder.feed(Array("中 and the rest\u{1B}[201~x".utf8))
    #expect(keys == [.paste(String(repeating: "a", count: 1_048_575)), .character("x")])
    #expect(decoder.pasteWasCut)
    #expect(decoder.feed(Array("\u{1B}[200~b\u{1B}[201~".utf8)) == [.paste("b")])
    #expect(!decoder.pasteWasCut)
  }

  @Test func endlessAnswersAndSequencesAreBounded() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 100_000)) == [])
    #expect(decoder.feed([0x41, 0x62]) == [.character("b")])
    #expect(decoder.feed([0x1B, 0x5D] + [UInt8](repeating: 0x31, count: 65_537)) == [])
    #expect(decoder.feed([0x62]) == [.character("b")])
  }

  /// Whatever comes, in whatever order: where the reads end makes no difference.
  @Test func anyMixtureOfInputGivesTheSameKeysHoweverItIsSplit() {
    var state: UInt64 = 2_026
    func dice(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % sides
    }
    let rows = plain + arrows + functions + alts + coded + reports + broken + pastes
    let noise: [UInt8] = [
      0x1B, 0x5B, 0x4F, 0x3B, 0x31, 0x7E, 0x4D, 0x3C, 0xC3, 0xE4, 0xF0, 0x9F, 0x00,
    ]
    for _ in 0..<400 {
      var bytes: [UInt8] = []
      for _ in 0..<(1 + dice(8)) {
        bytes +=
          dice(4) == 0
          ? (0..<dice(6)).map { _ in noise[dice(noise.count)] } : rows[dice(rows.count)].bytes
      }
      var whole = KeyDecoder()
      let expected = whole.feed(bytes)
      for _ in 0..<8 {
        var decoder = KeyDecoder()
        var keys: [Key] = []
        var rest = bytes[...]
        while !rest.isEmpty {
          let piece = rest.prefix(1 + dice(5))
          keys += decoder.feed(Array(piece))
          rest = rest.dropFirst(piece.count)
        }
        #expect(keys == expected)
        #expect(decoder == whole)
      }
    }
  }

  @Test func randomBytesNeverStopTheDecoder() {
    var state: UInt64 = 42
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let pool: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3B, 0x31, 0x35, 0x7E, 0x4D, 0xC3, 0x00, 0x3C]
      let random = UInt8(truncatingIfNeeded: state >> 33)
      _ = decoder.feed([random < 200 ? pool[Int(random) % pool.count] : random])
    }
    _ = decoder.timeReached()
    #expect(decoder.feed([0x61]) == [.character("a")])
  }

  /// Research report 37's neighbours: an answer that comes late is no key, and is heard all the same.
  @Test func anAnswerAboutAModeIsNoKey() {
    let bytes = Array("a\u{1B}[?2026;2$yb\u{1B}[?2027;0$y\u{1B}[?25$y\u{1B}[?1;2;3$yc".utf8)
    for pieces in splits(of: bytes) {
      var decoder = KeyDecoder()
      #expect(
        pieces.flatMap { decoder.feed($0) } == [.character("a"), .character("b"), .character("c")])
      #expect(
        decoder.takeReports() == [
          ModeReport(mode: 2026, state: 2), ModeReport(mode: 2027, state: 0),
        ])
      #expect(decoder.takeReports() == [])
    }
  }
}
