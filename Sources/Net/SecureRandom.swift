import CLinux
import Glibc

/// Fills the buffer with bytes that nobody can guess, by the kernel's generator.
///
/// Not by OpenSSL's: that would start the whole library for a line without TLS. Ends the program if the kernel
/// does not answer: mask keys and nonces that can be guessed are worse than none.
package func fillRandom(_ buffer: UnsafeMutableRawBufferPointer) {
  var rest = buffer
  while let start = rest.baseAddress, !rest.isEmpty {
    // A signal can cut larger requests short (getrandom(2)).
    let filled = lx_getrandom(start, rest.count)
    if filled < 0, errno == EINTR { continue }
    precondition(filled > 0, "this machine gives no random bytes")
    rest = UnsafeMutableRawBufferPointer(rebasing: rest[filled...])
  }
}
