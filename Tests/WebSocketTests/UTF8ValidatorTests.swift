import TestKit
import Testing

@testable import WebSocket

@Suite struct UTF8ValidatorTests {
  /// How many bytes were taken before the validator said no, and whether the text may end there.
  private func verdict(_ bytes: [UInt8]) -> (taken: Int, isWhole: Bool) {
    var validator = UTF8Validator()
    for (index, byte) in bytes.enumerated() {
      let isValid = [byte].withUnsafeBytes { validator.receive($0) }
      if !isValid { return (index, false) }
    }
    return (bytes.count, validator.isAtBorder)
  }

  private func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { UTF8Validator.isValid($0) }
  }

  @Test(arguments: [
    "", "00", "7f", "c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080",
    "f48fbfbf", "e282ac", "ceba e1bdb9 cf83 cebc ceb5", "efbbbf 41", "efbfbe",
  ])
  func validTextIsTaken(_ text: String) {
    #expect(isValid(hex(text)))
    #expect(verdict(hex(text)) == (hex(text).count, true))
  }

  /// The number is that of the bytes before the first one that no valid text has there.
  @Test(arguments: [
    ("80", 0), ("bf", 0), ("41 80", 1), ("c0 af", 0), ("c1 bf", 0), ("c2 41", 1), ("c2 c2", 1),
    ("e0 80 80", 1), ("e0 9f bf", 1), ("e2 82 41", 2), ("e2 41", 1), ("ed a0 80", 1),
    ("ed bf bf", 1), ("f0 80 80 80", 1), ("f0 8f bf bf", 1), ("f4 90 80 80", 1),
    ("f4 8f bf c0", 3), ("f5 80 80 80", 0), ("f8 88 80 80 80", 0), ("fe", 0), ("ff", 0),
    ("ceba e1bdb9 cf83 cebc ceb5 eda080 656469746564", 12),
  ])
  func invalidTextIsRefusedAtItsFirstWrongByte(_ text: String, _ taken: Int) {
    #expect(!isValid(hex(text)))
    #expect(verdict(hex(text)) == (taken, false))
    // The same behind ASCII of every length, so that the fast paths meet it at every place.
    for length in 0...40 {
      #expect(!isValid([UInt8](repeating: 0x61, count: length) + hex(text) + hex("616161616161")))
    }
  }

  @Test(arguments: ["c2", "e2", "e282", "f0", "f090", "f09080", "ef"])
  func textThatIsCutIsNoWholeText(_ text: String) {
    #expect(!isValid(hex(text)))
    #expect(verdict(hex(text)) == (hex(text).count, false))
    #expect(!isValid([UInt8](repeating: 0x61, count: 31) + hex(text)))
  }

  @Test func everyScalarIsValid() {
    var bytes: [UInt8] = []
    for value in UInt32(0)...0x10FFFF {
      if let scalar = Unicode.Scalar(value) { bytes += UTF8.encode(scalar) ?? .init() }
    }
    #expect(bytes.count == 128 + 1920 * 2 + (63_488 - 2048) * 3 + 0x100000 * 4)
    #expect(isValid(bytes))
  }

  @Test func damagedTextIsJudgedAsTheStandardLibraryJudgesIt() {
    var dice = Entropy.seeded(11)
    let source = Array("Grüße, 世界! ascii ascii ascii 🦜🦜 ends é".utf8)
    for _ in 0..<4000 {
      var bytes = Array(source.dropFirst(dice.below(12)).dropLast(dice.below(12)))
      for _ in 0..<dice.below(3) { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      #expect(isValid(bytes) == expected, "\(bytes)")
      #expect(verdict(bytes).isWhole == expected, "\(bytes)")
    }
  }

  /// Long pieces go another way than short ones: whole, cut in two at every place, and with a wrong byte
  /// there, they are to be judged alike.
  @Test func longTextIsJudgedAlikeWhereverItIsCut() {
    var dice = Entropy.seeded(12)
    let source = Array(String(repeating: "Grüße, 世界! 🦜 é ascii ascii ", count: 20).utf8)
    for cut in 0...source.count {
      var bytes = source
      if dice.below(2) == 0 { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      #expect(isValid(bytes) == expected, "\(bytes)")
      var validator = UTF8Validator()
      var isWhole = true
      for piece in [bytes[..<cut], bytes[cut...]] {
        isWhole = piece.withUnsafeBytes { validator.receive($0) } && isWhole
      }
      #expect((isWhole && validator.isAtBorder) == expected, "cut at \(cut): \(bytes)")
    }
  }

  /// A long piece that ends in the middle of a character says no as soon as no valid text can follow.
  @Test(arguments: [
    ("c2", true), ("e2 82", true), ("f0 90 80", true), ("ed a0", false), ("f4 90", false),
    ("e2 28", false), ("f8 88", false), ("80", false), ("f0 90 80 80 80", false),
  ])
  func aLongPieceIsRefusedAtOnceOrNotYet(_ end: String, _ isTaken: Bool) {
    let piece = [UInt8](repeating: 0x61, count: UTF8Validator.longRun) + hex(end)
    var validator = UTF8Validator()
    #expect(piece.withUnsafeBytes { validator.receive($0) } == isTaken)
    #expect(!validator.isAtBorder)
  }
}
