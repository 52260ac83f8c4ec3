import Glibc
import Screen
import Terminal
import Testing

extension TerminalTests {
  /// A frame reaches the terminal whole, and costs it one write, however often ncurses hands on what it has.
  @MainActor @Suite struct GatheredUpdateTests {
    /// Two ends; what is written to the second in one call comes out of the first as one packet.
    private static func packets() throws -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [0, 0]
      try #require(
        socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0, "no packets")
      return (ends[0], ends[1])
    }

    private static func read(_ end: Int32) -> [String] {
      var packets: [String] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = recv(end, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return packets }
        packets.append(String(decoding: buffer[..<count], as: UTF8.self))
      }
    }

    private static func rows(_ first: Int) -> [String] {
      (first..<first + 24).map { "  line \($0) of a talk, \(String(repeating: "x", count: $0))" }
    }

    @Test func aFrameIsOneWrite() throws {
      let (reading, writing) = try Self.packets()
      defer { for end in [reading, writing] { close(end) } }
      try withPresenter(width: 80, height: 24, output: writing) { presenter in
        _ = Self.read(reading)
        for first in [1, 2, 30] {
          presenter.present(grid(Self.rows(first), width: 80))
          let packets = Self.read(reading)
          #expect(packets.count == 1, "\(packets)")
          #expect(packets.first?.contains("\(first + 23)") == true)
        }
        // A letter alone, and nothing at all.
        var typed = grid(Self.rows(30), width: 80)
        typed[row: 3, column: 70] = Cell("~", .plain)
        presenter.present(typed)
        let packets = Self.read(reading)
        #expect(packets.count == 1 && packets.first?.hasSuffix("~") == true, "\(packets)")
        presenter.present(typed)
        #expect(Self.read(reading).allSatisfy { !$0.contains("line") })
      }
    }

    /// Pictures and the brackets of a synchronized update travel with the rest, in the right order.
    @Test func whatIsWrittenPastNcursesIsInTheSameWrite() throws {
      let (reading, writing) = try Self.packets()
      defer { for end in [reading, writing] { close(end) } }
      try withPresenter(width: 80, height: 24, output: writing) { presenter in
        presenter.take(ModeReport(mode: 2026, state: 2))
        _ = Self.read(reading)
        presenter.present(grid(Self.rows(1).dropLast() + ["a 👩‍👩‍👧 b"], width: 80))
        let packets = Self.read(reading)
        #expect(packets.count == 1)
        let text = packets.first ?? ""
        #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
        #expect(text.contains("👩‍👩‍👧"))
      }
    }
  }
}
