import CLinux
import COpenSSL

/// Fills the buffer with bytes that nobody can guess: OpenSSL's generator, else the kernel's.
///
/// Ends the program if neither answers: mask keys and nonces that can be guessed are worse than none.
package func fillRandom(_ buffer: UnsafeMutableRawBufferPointer) {
  var rest = buffer
  while let start = rest.baseAddress, !rest.isEmpty {
    let count = min(rest.count, 1 << 20)
    if RAND_bytes(start.assumingMemoryBound(to: UInt8.self), Int32(count)) == 1 {
      rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
      continue
    }
    let filled = lx_getrandom(start, min(count, 256))
    precondition(filled > 0, "this machine gives no random bytes")
    rest = UnsafeMutableRawBufferPointer(rebasing: rest[filled...])
  }
}
