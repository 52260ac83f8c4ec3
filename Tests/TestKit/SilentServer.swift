package import Foundation
import Glibc

/// Takes connections in the kernel's queue and never says anything.
package final class SilentServer: Sendable {
  private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  package let url: URL?

  package init() {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(descriptor, address, size)
        _ = listen(descriptor, 4096)
        _ = getsockname(descriptor, address, &size)
      }
    }
    url = URL(string: "ws://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
  }

  deinit { close(descriptor) }
}
