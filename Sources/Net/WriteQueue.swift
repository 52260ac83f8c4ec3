import Glibc

/// Bytes that wait for a socket to take them, in order.
///
/// Small pieces are gathered so that they leave in one system call; a large piece is kept as it is, without
/// a copy.
final class WriteQueue {
  /// Pieces are gathered up to this size: four TLS records.
  private static let gathered = 64 * 1024

  private var pieces: [[UInt8]] = []
  /// The first piece that has not left whole, and how much of it has.
  private var first = 0
  private var offset = 0
  private(set) var count = 0

  enum Progress: Equatable {
    case emptied, blocked
    case failed(Int32)
  }

  var isEmpty: Bool { count == 0 }

  func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if !gather(bytes.count, { pieces[pieces.count - 1].append(contentsOf: bytes) }) {
      pieces.append(bytes)
    }
    count += bytes.count
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    if !gather(bytes.count, { pieces[pieces.count - 1].append(contentsOf: bytes) }) {
      pieces.append([UInt8](bytes))
    }
    count += bytes.count
  }

  /// Adds to the last piece if both are small.
  private func gather(_ more: Int, _ add: () -> Void) -> Bool {
    guard pieces.count > first, let last = pieces.last, last.count + more <= Self.gathered else {
      return false
    }
    add()
    return true
  }

  /// Sends until all has left or the socket takes no more.
  func flush(to descriptor: Int32) -> Progress {
    while first < pieces.count {
      let sent = pieces[first].withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return send(
          descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0 {
        let errorNumber = errno
        if errorNumber == EINTR { continue }
        if errorNumber == EAGAIN || errorNumber == EWOULDBLOCK { return .blocked }
        return .failed(errorNumber)
      }
      advance(by: sent)
    }
    return .emptied
  }

  func removeAll() {
    pieces = []
    first = 0
    offset = 0
    count = 0
  }

  private func advance(by sent: Int) {
    count -= sent
    offset += sent
    guard offset == pieces[first].count else { return }
    offset = 0
    pieces[first] = []
    first += 1
    if first == pieces.count {
      pieces.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 64 {
      pieces.removeFirst(first)
      first = 0
    }
  }
}
