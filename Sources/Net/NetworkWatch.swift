import Glibc

/// The machine's network as something to read: a socket of rtnetlink, which the owner watches with the reactor.
package final class NetworkWatch {
  /// Readable while there is news.
  package let descriptor: Int32
  private let port: UInt32
  private var state: NetworkState
  /// The lists that are still to be asked for, so that what is there already is not taken for new.
  private var questions = NetworkWatch.lists

  /// NETLINK_ROUTE and RTMGRP_…, of <linux/netlink.h> and <linux/rtnetlink.h>: links, addresses and routes.
  private static let family: Int32 = 0
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
  /// RTM_GETLINK and RTM_GETADDR.
  private static let lists: [UInt16] = [18, 22]
  /// As much as the kernel puts into one datagram.
  private static let largestDatagram = 32 * 1024
  private static let mostInOneTurn = 64

  /// Throws where the surroundings (a sandbox) do not allow it: the program is none the worse for it, but slower
  /// to notice.
  package init() throws(SystemFailure) {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let opened = socket(AF_NETLINK, kind, Self.family)
    guard opened >= 0 else { throw SystemFailure("watch the network (netlink)") }
    descriptor = opened
    let status = Self.withAddress(groups: Self.groups) { bind(opened, $0, $1) }
    port = Self.port(of: opened)
    state = NetworkState(port: port)
    // From here on deinit closes it.
    guard status == 0 else { throw SystemFailure("watch the network (netlink)") }
    ask()
  }

  deinit {
    close(descriptor)
  }

  /// What has changed since the last time; a bounded piece of it, call it again on the next turn.
  package func read() -> [NetworkEvent] {
    var events: [NetworkEvent] = []
    for _ in 0..<Self.mostInOneTurn {
      guard let datagram = receive() else { break }
      events += state.take(datagram)
      if state.isListComplete {
        if !questions.isEmpty { questions.removeFirst() }
        ask()
      }
    }
    return events + takeOverrun()
  }

  private var isOverrun = false

  /// The kernel threw news away: whatever it was, it counts as both.
  private func takeOverrun() -> [NetworkEvent] {
    guard isOverrun else { return [] }
    isOverrun = false
    state = NetworkState(port: port)
    questions = Self.lists
    ask()
    let words = "more changed at once than the kernel could tell"
    return [.vanished(words), .appeared(words)]
  }

  /// One datagram of the kernel; nil where there is none.
  private func receive() -> [UInt8]? {
    while true {
      var sender = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      var bytes: [UInt8] = []
      var count = 0
      bytes = [UInt8](unsafeUninitializedCapacity: Self.largestDatagram) { buffer, initialized in
        count = withUnsafeMutablePointer(to: &sender) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
          }
        }
        initialized = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == ENOBUFS { isOverrun = true }
      guard count > 0 else { return nil }
      // Port 0 is the kernel.
      if Self.port(in: sender) == 0 { return bytes }
    }
  }

  /// struct sockaddr_nl: family, padding, port, groups.
  private static func port(in address: sockaddr_storage) -> UInt32 {
    withUnsafeBytes(of: address) { $0.load(fromByteOffset: 4, as: UInt32.self) }
  }

  /// The port that the kernel gave to a socket.
  private static func port(of descriptor: Int32) -> UInt32 {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return port(in: address)
  }

  /// Asks for the next list (NLM_F_REQUEST and NLM_F_DUMP), for addresses of all families.
  private func ask() {
    guard let question = questions.first else { return }
    var request = [UInt8](repeating: 0, count: 20)
    request.withUnsafeMutableBytes {
      $0.storeBytes(of: 20, toByteOffset: 0, as: UInt32.self)
      $0.storeBytes(of: question, toByteOffset: 4, as: UInt16.self)
      $0.storeBytes(of: 0x301, toByteOffset: 6, as: UInt16.self)
      $0.storeBytes(of: 1, toByteOffset: 8, as: UInt32.self)
    }
    _ = Self.withAddress(groups: 0) { sendto(descriptor, request, request.count, 0, $0, $1) }
  }

  private static func withAddress(
    groups: UInt32, _ call: (UnsafePointer<sockaddr>, socklen_t) -> some BinaryInteger
  ) -> Int {
    var address = sockaddr_storage()
    withUnsafeMutableBytes(of: &address) {
      $0.storeBytes(of: UInt16(AF_NETLINK), as: UInt16.self)
      $0.storeBytes(of: groups, toByteOffset: 8, as: UInt32.self)
    }
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Int(call($0, 12)) }
    }
  }
}
