import Testing

@testable import Net

/// Messages of rtnetlink as the kernel lays them out.
struct NetworkStateTests {
  /// A message: header (length, type, flags, number, port) and body.
  static func message(_ type: UInt16, port: UInt32 = 0, _ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in [UInt32(16 + body.count)] { bytes += little(word) }
    bytes += [UInt8(type & 0xFF), UInt8(type >> 8), 0, 0]
    // Whoever brings a change about gives it a number of its own.
    bytes += little(9) + little(port) + body
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  static func little(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }

  static func attribute(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
    var bytes = [UInt8(4 + value.count), 0, type, 0] + value
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  static func link(
    _ index: UInt32, _ name: String, flags: UInt32, type: UInt16 = 16, port: UInt32 = 0
  ) -> [UInt8] {
    message(
      type, port: port,
      [0, 0, 1, 0] + little(index) + little(flags) + little(0)
        + attribute(3, Array(name.utf8) + [0]))
  }

  static func address(
    _ bytes: [UInt8], scope: UInt8 = 0, flags: UInt8 = 0, type: UInt16 = 20, port: UInt32 = 0
  ) -> [UInt8] {
    let family: UInt8 = bytes.count == 4 ? 2 : 10
    return message(
      type, port: port,
      [family, 24, flags, scope] + little(2) + attribute(1, bytes) + attribute(2, bytes))
  }

  static func route(
    length: UInt8 = 0, kind: UInt8 = 1, flags: UInt32 = 0, family: UInt8 = 2, type: UInt16 = 24
  ) -> [UInt8] {
    message(
      type, [family, length, 0, 0, 254, 3, 0, kind] + little(flags) + attribute(4, little(2)))
  }

  private let up: UInt32 = 0x1_0043
  private let noCarrier: UInt32 = 0x1003

  @Test func aLinkComesUpAndGoesDownOnce() {
    var state = NetworkState(port: 77)
    #expect(state.take(Self.link(2, "eth0", flags: noCarrier)) == [])
    #expect(state.take(Self.link(2, "eth0", flags: up)) == [.appeared("the link eth0 came up")])
    #expect(state.take(Self.link(2, "eth0", flags: up)) == [])
    #expect(
      state.take(Self.link(2, "eth0", flags: noCarrier)) == [.vanished("the link eth0 went down")])
    #expect(state.take(Self.link(2, "eth0", flags: up)).count == 1)
    #expect(
      state.take(Self.link(2, "eth0", flags: up, type: 17)) == [
        .vanished("the link eth0 went down")
      ]
    )
  }

  @Test func loopbackIsOfNoAccount() {
    var state = NetworkState(port: 77)
    #expect(state.take(Self.link(1, "lo", flags: 0x1_0049)) == [])
    #expect(state.take(Self.address([127, 0, 0, 1], scope: 254)) == [])
    #expect(
      state.take(Self.address([0xFE, 0x80] + [UInt8](repeating: 1, count: 14), scope: 253)) == [])
  }

  @Test func anAddressCountsOnceHoweverOftenItIsToldOf() {
    var state = NetworkState(port: 77)
    let six: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
    #expect(
      state.take(Self.address([192, 0, 2, 7])) == [.appeared("the address 192.0.2.7 is new")])
    #expect(state.take(Self.address([192, 0, 2, 7])) == [])
    // Duplicate address detection is under way.
    #expect(state.take(Self.address(six, flags: 0x40)) == [])
    #expect(state.take(Self.address(six)) == [.appeared("the address 2001:db8::7 is new")])
    #expect(
      state.take(Self.address(six, type: 21)) == [.vanished("the address 2001:db8::7 went away")])
    #expect(state.take(Self.address(six, type: 21)) == [])
  }

  @Test func whatIsThereAlreadyIsNotNew() {
    var state = NetworkState(port: 77)
    let list =
      Self.address([192, 0, 2, 7], port: 77) + Self.address([192, 0, 2, 8], port: 77)
      + Self.link(2, "eth0", flags: up, port: 77)
    #expect(state.take(list) == [])
    #expect(!state.isListComplete)
    #expect(state.take(Self.message(3, port: 77, [0, 0, 0, 0])) == [])
    #expect(state.isListComplete)
    #expect(state.take(Self.address([192, 0, 2, 8]) + Self.link(2, "eth0", flags: up)) == [])
    #expect(!state.isListComplete)
    #expect(state.take(Self.address([192, 0, 2, 7], type: 21)).count == 1)
  }

  @Test func onlyDefaultRoutesCount() {
    var state = NetworkState(port: 77)
    #expect(state.take(Self.route()) == [.appeared("IPv4 has a new default route")])
    #expect(
      state.take(Self.route(family: 10, type: 25))
        == [.vanished("a default route of IPv6 went away")])
    #expect(state.take(Self.route(length: 24)) == [])
    #expect(state.take(Self.route(kind: 7)) == [])
    #expect(state.take(Self.route(flags: 0x200)) == [])
  }

  @Test func severalMessagesOfOneDatagramAreTakenInOrder() {
    var state = NetworkState(port: 77)
    let datagram =
      Self.link(2, "eth0", flags: up) + Self.address([192, 0, 2, 7]) + Self.route()
    #expect(state.take(datagram).count == 3)
  }

  /// Whatever the bytes are: no more is read than there is, and it comes to an end.
  @Test func cutAndLyingMessagesAreBorne() {
    let whole =
      Self.link(2, "eth0", flags: up) + Self.address([192, 0, 2, 7]) + Self.route()
      + Self.message(16, []) + Self.message(20, [2]) + Self.message(24, [2, 0, 0])
    for count in 0...whole.count {
      var state = NetworkState(port: 77)
      _ = state.take(Array(whole.prefix(count)))
    }
    for index in whole.indices {
      for value: UInt8 in [0, 1, 3, 15, 0x7F, 0xFF] {
        var broken = whole
        broken[index] = value
        var state = NetworkState(port: 77)
        _ = state.take(broken)
      }
    }
  }

  @Test func aNameWithControlCharactersIsMadeHarmless() {
    var state = NetworkState(port: 77)
    #expect(
      state.take(Self.link(2, "a\u{1B}[2J", flags: up)) == [.appeared("the link a?[2J came up")])
  }
}
