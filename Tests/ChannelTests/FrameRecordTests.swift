import Deflate
import TestKit
import Testing
import WebSocket

@testable import Channel

/// The last frames of a line, as `/frames` shows them.
struct FrameRecordTests {
  private func record(
    _ pieces: [[UInt8]], _ direction: FrameRecord.Direction = .received, isCompressed: Bool = false
  ) -> FrameRecord {
    var record = FrameRecord()
    var skimmer = FrameSkimmer(direction, line: 3, isCompressed: isCompressed)
    for piece in pieces {
      piece.withUnsafeBytes { skimmer.skim($0, into: &record, at: Instant(.seconds(5))) }
    }
    return record
  }

  private func frame(_ first: UInt8, _ payload: [UInt8], key: [UInt8] = []) -> [UInt8] {
    let mask: UInt8 = key.isEmpty ? 0 : 0x80
    let size = payload.count
    var bytes = [first]
    if size < 126 {
      bytes.append(mask | UInt8(size))
    } else if size < 65_536 {
      bytes += [mask | 126, UInt8(size >> 8), UInt8(size & 0xFF)]
    } else {
      bytes +=
        [mask | 127] + [56, 48, 40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
    }
    bytes += key
    return bytes + payload.enumerated().map { key.isEmpty ? $1 : $1 ^ key[$0 % 4] }
  }

  @Test func framesAreTheSameHoweverTheirBytesAreSplit() {
    let long = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
    let stream =
      frame(0x81, Array("hello".utf8)) + frame(0x02, [0xFF, 0]) + frame(0x89, Array("p".utf8))
      + frame(0x80, [1]) + frame(0x82, Array(long.prefix(300))) + frame(0x81, [])
      + frame(0x88, [3, 232])
    let whole = record([stream])
    #expect(whole.numbers == 1..<8)
    let seen = whole.numbers.compactMap { whole[$0] }
    #expect(seen.map(\.opcode) == [1, 2, 9, 0, 2, 1, 8])
    #expect(seen.map(\.isFinal) == [true, false, true, true, true, true, true])
    #expect(seen.map(\.length) == [5, 2, 1, 1, 300, 0, 2])
    #expect(seen[0].payload == Array("hello".utf8))
    #expect(seen.allSatisfy { $0.line == 3 && $0.at == Instant(.seconds(5)) })
    #expect(whole.received.frames == 7)
    #expect(whole.received.messages == 4)
    for pieces in splits(of: stream) { #expect(record(pieces) == whole) }
    let large = frame(0x82, long)
    let one = record([large])
    #expect(one[1]?.length == 70_000)
    #expect(one[1]?.payload == Array(long.prefix(4_096)))
    #expect(one[1]?.isCut == true)
    #expect(record([Array(large.prefix(9)), Array(large.dropFirst(9))]) == one)
  }

  @Test func masksAreTakenOff() {
    let text = Array("the mask goes round and round".utf8)
    let stream = frame(0x81, text, key: [1, 2, 3, 250])
    for pieces in splits(of: stream) {
      let seen = record(pieces, .sent)
      #expect(seen[1]?.payload == text)
      #expect(seen.sent.messages == 1 && seen.received == FrameRecord.Count())
    }
  }

  @Test func onlyTheLastThousandFramesAreKept() {
    let stream = (0..<2_500).flatMap { frame(0x81, Array("\($0)".utf8)) }
    let seen = record([stream])
    #expect(seen.numbers == 1_501..<2_501)
    #expect(seen[1_500] == nil)
    #expect(seen[1_501]?.payload == Array("1500".utf8))
    #expect(seen[2_500]?.payload == Array("2499".utf8))
    #expect(seen[2_501] == nil)
    #expect(seen.received.frames == 2_500)
  }

  @Test func aCompressedMessageSaysWhatItWasRestoredTo() {
    let transform = PerMessageDeflate(DeflateParameters(), role: .server)
    let text = Array(String(repeating: "again and again ", count: 500).utf8)
    let squeezed = text.withUnsafeBytes { transform.compress($0).map { Array($0) } ?? [] }
    var record = FrameRecord()
    var skimmer = FrameSkimmer(.received, line: 1, isCompressed: true)
    let middle = squeezed.count / 2
    let stream =
      frame(0x41, Array(squeezed.prefix(middle))) + frame(0x80, Array(squeezed.dropFirst(middle)))
      + frame(0x81, Array("plain".utf8))
    stream.withUnsafeBytes { skimmer.skim($0, into: &record, at: Instant()) }
    skimmer.restored(text.span.bytes, length: text.count, into: &record)
    skimmer.restored(Array("plain".utf8).span.bytes, length: 5, into: &record)
    #expect(record[1]?.restoredLength == nil && record[1]?.payload == [])
    #expect(record[2]?.restoredLength == text.count)
    #expect(record[2]?.payload == Array(text.prefix(4_096)))
    #expect(record[2]?.isCut == true)
    #expect(record[3]?.payload == Array("plain".utf8))
    #expect(record.received.compressedBytes == UInt64(squeezed.count))
    #expect(record.received.restoredBytes == UInt64(text.count))
    let words = FrameText(hiding: Secrets())
    let frame = record[1] ?? FrameRecord.Frame()
    #expect(words.line(frame, most: 20).contains("a part of a compressed message"))
  }

  @Test func noBytesMakeItTrapOrGrow() {
    for seed in 1...40 {
      var dice = Entropy.seeded(UInt64(seed))
      let bytes = dice.bytes(4_000)
      var record = FrameRecord()
      var skimmer = FrameSkimmer(
        seed % 2 == 0 ? .sent : .received, line: 1, isCompressed: seed % 3 == 0)
      bytes.withUnsafeBytes { skimmer.skim($0, into: &record, at: Instant()) }
      let words = FrameText(hiding: Secrets())
      for number in record.numbers {
        guard let frame = record[number] else { continue }
        #expect(frame.payload.count <= FrameRecord.mostPayload)
        _ = words.line(frame, most: 40)
        _ = words.lines(frame, columns: 16)
        _ = words.record(frame, at: Timestamp(milliseconds: 0))
      }
    }
  }

  // MARK: - In a session

  private let secret = "s3cret/\"tok\\en"

  private func harness(records: Bool = true) throws -> SessionHarness {
    try SessionHarness { configuration in
      configuration.recordsFrames = records
      configuration.token = Bearer(firstLineOf: "s3cret/\"tok\\en")
      configuration.headers = [Header("Cookie", "sid=0123456789abcdef")]
    }
  }

  private func saved(_ session: Session) -> String {
    let words = FrameText(hiding: session.recordedSecrets)
    return session.frames.numbers.compactMap { session.frames[$0] }
      .map { words.record($0, at: Timestamp(milliseconds: 1_772_529_750_123)) }.joined()
  }

  @Test func aSessionKeepsBothHeadsAndTheFramesOfBothDirections() throws {
    var harness = try harness()
    harness.open()
    harness.serverSends("{\"text\":\"hello\"}")
    harness.handle(.post(Post(nonce: "n1", text: "from here")))
    let seen = harness.session.frames
    let frames = seen.numbers.compactMap { seen[$0] }
    #expect(frames.prefix(2).map(\.opcode) == [nil, nil])
    #expect(frames.prefix(2).map(\.direction) == [.sent, .received])
    #expect(
      frames.contains {
        $0.direction == .received && $0.payload == Array("{\"text\":\"hello\"}".utf8)
      })
    #expect(frames.contains { $0.direction == .sent && $0.opcode == 1 })
    #expect(frames.contains { $0.direction == .sent && $0.opcode == 9 })
    #expect(seen.received.messages == 1)
  }

  @Test func nothingIsKeptWhereNobodyAsksForIt() throws {
    var harness = try harness(records: false)
    harness.open()
    harness.serverSends("hello")
    #expect(harness.session.frames == FrameRecord())
  }

  @Test func secretsAreNeverShown() throws {
    var harness = try harness()
    harness.open()
    harness.serverSends("{\"echo\":\"s3cret/\\\"tok\\\\en\",\"cookie\":\"0123456789abcdef\"}")
    harness.serverSends("https://chat.example/?access_token=another-one&x=1")
    let file = saved(harness.session)
    #expect(!file.contains("s3cret") && !file.contains("0123456789abcdef"))
    #expect(!file.contains("another-one"))
    #expect(file.contains("Authorization: Bearer …"))
    let words = FrameText(hiding: harness.session.recordedSecrets)
    for number in harness.session.frames.numbers {
      guard let frame = harness.session.frames[number] else { continue }
      let shown = words.line(frame, most: 400) + words.lines(frame, columns: 16).joined()
      #expect(!shown.contains("s3cret") && !shown.contains("0123456789abcdef"))
    }
    // A token that took the place of another: neither is shown.
    harness.handle(.renewToken(try #require(Bearer(firstLineOf: "fresh-token-9"))))
    harness.serverSends("fresh-token-9 and s3cret/\"tok\\en")
    #expect(!saved(harness.session).contains("fresh-token-9"))
    #expect(!saved(harness.session).contains("s3cret"))
  }

  @Test func aFrameIsALineOfJSON() {
    var record = self.record([frame(0x81, Array("say \"hi\"\n".utf8)) + frame(0x82, [0, 255])])
    record.note(
      head: Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8).span.bytes, .sent, line: 2,
      at: Instant())
    let words = FrameText(hiding: Secrets())
    let lines = record.numbers.compactMap { record[$0] }.map {
      words.record($0, at: Timestamp(milliseconds: 1_772_529_750_123))
    }
    #expect(
      lines == [
        #"{"number":1,"line":3,"time":"2026-03-03T09:22:30.123Z","direction":"received","opcode":"text","fin":true,"length":9,"text":"say \"hi\"\n"}"#
          + "\n",
        #"{"number":2,"line":3,"time":"2026-03-03T09:22:30.123Z","direction":"received","opcode":"binary","fin":true,"length":2,"hex":"00ff"}"#
          + "\n",
        #"{"number":3,"line":2,"time":"2026-03-03T09:22:30.123Z","direction":"sent","opcode":"head","fin":true,"length":27,"text":"GET / HTTP/1.1\nHost: x"}"#
          + "\n",
      ])
  }

  @Test func whatAFrameSaysIsLaidOutByItsKind() {
    let record = self.record([
      frame(0x81, Array("{\"a\":[1,2]}".utf8)) + frame(0x82, Array(0..<20))
        + frame(0x88, [0x03, 0xF4] + Array("soon".utf8)) + frame(0x81, Array("a\u{1B}b\nc".utf8))
    ])
    let words = FrameText(hiding: Secrets())
    func lines(_ number: Int) -> [String] {
      record[number].map { words.lines($0, columns: 16) } ?? []
    }
    #expect(lines(1) == ["{", "  \"a\": [", "    1,", "    2", "  ]", "}"])
    #expect(lines(2).count == 2)
    #expect(lines(2)[0].hasPrefix("0000  00 01 02 03"))
    #expect(lines(2)[1].hasPrefix("0010  10 11 12 13"))
    #expect(lines(3) == ["1012 it restarts: soon"])
    #expect(lines(4) == ["a\u{1B}b", "c"])
    #expect(record[4].map { words.line($0, most: 40) } == "a\\x1bb\\nc")
    #expect(record[1].map { FrameText.holds($0, FrameText.wanted("\"A\"")) } == true)
    #expect(record[1].map { FrameText.holds($0, FrameText.wanted("b")) } == false)
  }
}
