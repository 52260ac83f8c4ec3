import TestKit
import Testing

@testable import WebSocket

@Suite struct MaskTests {
  private static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

  private static func word(_ key: [UInt8]) -> UInt32 {
    key.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
  }

  private func mask(_ payload: [UInt8], at offset: Int, onto bytes: inout [UInt8]) {
    payload.withUnsafeBytes {
      bytes.append(masked: $0, key: Self.word(Self.key), at: offset)
    }
  }

  @Test func theExampleOfTheRFCIsMasked() {
    var bytes: [UInt8] = []
    mask(hex("48656c6c6f"), at: 0, onto: &bytes)
    #expect(bytes == hex("7f9f4d5158"))
  }

  @Test func everyLengthAndOffsetAgreesWithTheByteWiseOracle() {
    var entropy = Entropy.seeded(3)
    for length in 0...64 {
      for offset in 0...7 {
        let payload = entropy.bytes(length)
        let expected = payload.enumerated().map { $1 ^ Self.key[($0 + offset) % 4] }
        var appended: [UInt8] = [0xEE]
        mask(payload, at: offset, onto: &appended)
        #expect(appended == [0xEE] + expected, "length \(length), offset \(offset)")

        var inPlace = payload
        inPlace.withUnsafeMutableBytes { buffer in
          guard let start = buffer.baseAddress else { return }
          Mask.apply(
            Self.word(Self.key), at: offset, from: UnsafeRawBufferPointer(buffer), to: start)
        }
        #expect(inPlace == expected, "in place, length \(length), offset \(offset)")
      }
    }
  }

  @Test func aPayloadMaskedInPiecesIsMaskedAsAWhole() {
    var entropy = Entropy.seeded(4)
    let payload = entropy.bytes(1000)
    let expected = payload.enumerated().map { $1 ^ Self.key[$0 % 4] }
    for pieces in splits(of: payload) {
      var bytes: [UInt8] = []
      for piece in pieces { mask(piece, at: bytes.count, onto: &bytes) }
      #expect(bytes == expected)
    }
  }
}
