import Glibc

/// An IPv4 or IPv6 address with its port, as the kernel wants it.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  var family: Int32 { Int32(storage.ss_family) }

  /// The address of an answer of getaddrinfo; nil if it is neither IPv4 nor IPv6.
  init?(_ information: addrinfo) {
    guard information.ai_family == AF_INET || information.ai_family == AF_INET6,
      let address = information.ai_addr,
      Int(information.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
    else { return nil }
    length = information.ai_addrlen
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
  }

  /// What a call such as accept, getpeername or getsockname fills in; nil if the call fails.
  init?(filledBy call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    let status = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        withUnsafeMutablePointer(to: &length) { call(address, $0) }
      }
    }
    guard status >= 0 else { return nil }
  }

  func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Host and port as digits, such as 127.0.0.1:9000, [::1]:9000 or [fe80::1%eth0]:9000.
  var hostPort: HostPort {
    var host = [CChar](repeating: 0, count: 128)
    var service = [CChar](repeating: 0, count: 32)
    let status = withAddress { address, length in
      getnameinfo(
        address, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
        NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard status == 0 else { return HostPort(host: "unknown", port: 0) }
    return HostPort(host: Self.text(host), port: UInt16(Self.text(service)) ?? 0)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
