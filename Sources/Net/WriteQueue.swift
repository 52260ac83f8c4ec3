import Glibc

/// Bytes that wait for a socket to take them, in order.
///
/// Small pieces are gathered so that they leave in one system call; a large piece is kept as it is, without
/// a copy.
final class WriteQueue {
  /// Records of TLS are gathered up to this size, other pieces up to a quarter of it.
  private static let gathered = 256 * 1024
  private static let fullRecord = 16 * 1024
  /// Memory above this size is given back.
  private static let keptCapacity = 5 << 19

  private var pieces: [[UInt8]] = []
  /// The first piece that has not left whole, and how much of it has.
  private var first = 0
  private var offset = 0
  private(set) var count = 0
  /// The memory of a piece that has left, for the next one.
  private var spare: [UInt8] = []

  enum Progress: Equatable {
    case emptied, blocked
    case failed(Int32)
  }

  var isEmpty: Bool { count == 0 }

  func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let added = { self.pieces[self.pieces.count - 1].append(contentsOf: bytes) }
    if !gather(bytes.count, upTo: Self.gathered / 4, added) { pieces.append(bytes) }
    count += bytes.count
  }

  /// Takes the memory too where it is not worth a copy, and gives other memory for it. What stands before
  /// `start` has left; it may be more than 0 only while the queue is empty.
  func append(_ bytes: inout [UInt8], from start: Int = 0) {
    guard bytes.count > start else { return }
    let piece = bytes
    let added = { self.pieces[self.pieces.count - 1].append(contentsOf: piece) }
    count += bytes.count - start
    if start == 0, gather(bytes.count, upTo: Self.gathered / 4, added) { return }
    if start > 0 { offset = start }
    pieces.append(bytes)
    bytes = []
    swap(&bytes, &spare)
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    let added = { self.pieces[self.pieces.count - 1].append(contentsOf: bytes) }
    if !gather(bytes.count, upTo: Self.gathered, added) {
      var piece: [UInt8] = []
      swap(&piece, &spare)
      // More records of the same message follow one that is full.
      if bytes.count >= Self.fullRecord { piece.reserveCapacity(Self.gathered) }
      piece.append(contentsOf: bytes)
      pieces.append(piece)
    }
    count += bytes.count
  }

  /// Adds to the last piece if both are small.
  private func gather(_ more: Int, upTo most: Int, _ add: () -> Void) -> Bool {
    guard pieces.count > first, let last = pieces.last, last.count + more <= most else {
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

  private func keep(_ piece: inout [UInt8]) {
    var left: [UInt8] = []
    swap(&left, &piece)
    guard left.capacity > spare.capacity, left.capacity <= Self.keptCapacity else { return }
    left.removeAll(keepingCapacity: true)
    spare = left
  }

  private func advance(by sent: Int) {
    count -= sent
    offset += sent
    guard offset == pieces[first].count else { return }
    offset = 0
    keep(&pieces[first])
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
