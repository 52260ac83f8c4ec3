import Glibc
import Net
import Testing

/// Both ends of a stream, which the children of other tests do not inherit.
private func joinedSockets() throws -> [Int32] {
  var ends: [Int32] = [0, 0]
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
  return ends
}

@Suite(.timeLimit(.minutes(1)))
struct ReactorTests {
  @Test(arguments: [#filePath, "/dev/null"])
  func aFileIsAlwaysReadableUntilForgotten(path: String) throws {
    let reactor = try Reactor()
    let file = open(path, O_RDONLY)
    defer { close(file) }
    try reactor.watch(file, token: 7, for: .readable)
    let expected = [Ready(token: 7, isReadable: true)]
    #expect(reactor.wait(atMost: nil) == expected)
    #expect(reactor.wait(atMost: .seconds(60)) == expected)
    reactor.modify(file, token: 8, for: [])
    #expect(reactor.wait(atMost: .zero) == [])
    reactor.modify(file, token: 8, for: [.readable, .writable])
    #expect(reactor.wait(atMost: nil) == [Ready(token: 8, isReadable: true, isWritable: true)])
    reactor.forget(file)
    #expect(reactor.wait(atMost: .zero) == [])
  }

  @Test func aFileDoesNotHideASocket() throws {
    let reactor = try Reactor()
    let file = open("/dev/null", O_RDONLY)
    let ends = try joinedSockets()
    defer { for descriptor in ends + [file] { close(descriptor) } }
    try reactor.watch(file, token: 1, for: .readable)
    try reactor.watch(ends[0], token: 2, for: .readable)
    write(ends[1], "x", 1)
    #expect(Set(reactor.wait(atMost: nil).map(\.token)) == [1, 2])
  }

  @Test func interestAndHangUpAreToldApart() throws {
    let reactor = try Reactor()
    let ends = try joinedSockets()
    try reactor.watch(ends[0], token: 1, for: .readable)
    try reactor.watch(ends[1], token: 2, for: .writable)
    #expect(reactor.wait(atMost: nil) == [Ready(token: 2, isWritable: true)])
    reactor.modify(ends[1], token: 2, for: [])
    #expect(reactor.wait(atMost: .zero) == [])
    reactor.forget(ends[1])
    close(ends[1])
    #expect(reactor.wait(atMost: nil) == [Ready(token: 1, isReadable: true, hasHungUp: true)])
    reactor.forget(ends[0])
    close(ends[0])
  }

  @Test func aClosedDescriptorIsRefusedWithASentence() throws {
    let reactor = try Reactor()
    #expect(
      throws: SystemFailure(
        message: "this machine could not watch descriptor -1: bad file descriptor")
    ) { try reactor.watch(-1, token: 1, for: .readable) }
  }

  @Test func lettersComeInOrderAndOnce() throws {
    let reactor = try Reactor()
    let mailbox = try Mailbox<Int>()
    try reactor.watch(mailbox.descriptor, token: 3, for: .readable)
    #expect(reactor.wait(atMost: .zero) == [])
    #expect(mailbox.collect() == [])
    for letter in 1...3 { mailbox.post(letter) }
    #expect(reactor.wait(atMost: nil) == [Ready(token: 3, isReadable: true)])
    #expect(mailbox.collect() == [1, 2, 3])
    #expect(reactor.wait(atMost: .zero) == [])
    reactor.forget(mailbox.descriptor)
  }

  @Test func signalsAreReadAndNotDelivered() throws {
    let reactor = try Reactor()
    let source = try SignalSource([SIGUSR1, SIGWINCH])
    try reactor.watch(source.descriptor, token: 4, for: .readable)
    #expect(source.read() == [])
    pthread_kill(pthread_self(), SIGUSR1)
    pthread_kill(pthread_self(), SIGWINCH)
    #expect(reactor.wait(atMost: .seconds(1)) == [Ready(token: 4, isReadable: true)])
    #expect(Set(source.read()) == [SIGUSR1, SIGWINCH])
    #expect(source.read() == [])
    reactor.forget(source.descriptor)
  }

  @Test func aClockThatNobodySetsIsSilent() throws {
    let reactor = try Reactor()
    let watch = try ClockWatch()
    try reactor.watch(watch.descriptor, token: 5, for: .readable)
    #expect(reactor.wait(atMost: .zero).isEmpty)
    #expect(!watch.read())
    reactor.forget(watch.descriptor)
  }

  @Test func timeGoesForwardFromTheStart() {
    let first = MachineClock.now()
    let second = MachineClock.now()
    #expect(first >= .zero && second >= first)
    // 2020-01-01T00:00:00Z.
    #expect(MachineClock.wallMilliseconds() > 1_577_836_800_000)
  }

  @Test func randomBytesFillTheWholeBufferAndDiffer() {
    func fresh() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 4096)
      bytes.withUnsafeMutableBytes { fillRandom($0) }
      return bytes
    }
    let (first, second) = (fresh(), fresh())
    #expect(first != second)
    // The chance that 64 random bytes in a row are all zero is 2^-512.
    for start in stride(from: 0, to: 4096, by: 64) {
      #expect(first[start..<(start + 64)].contains { $0 != 0 })
    }
    fillRandom(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }
}
