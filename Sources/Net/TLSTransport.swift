import COpenSSL
import Glibc

/// What carries the ciphertext of a TLS session.
enum TLSLine {
  /// What is to be sent goes into the queue.
  case socket(WriteQueue)
  /// Another session, with an https proxy.
  case session(TLSSession)
}

/// The two ends of a TLS session that carry ciphertext: received bytes that OpenSSL takes, and the write
/// queue that it fills. OpenSSL never sees a descriptor.
///
/// It is a BIO of our own, since OpenSSL's memory BIO would copy everything once more on both sides. Behind an
/// https proxy the ciphertext travels inside of another session.
final class TLSTransport {
  /// What OpenSSL may hold back of a record that is not whole yet: header, 16 KiB and the most that TLS 1.2
  /// lets a cipher add (RFC 5246 section 6.2.3).
  static let largestRecord = 5 + 16384 + 2048

  /// Received ciphertext: `memory[start..<end]` is what OpenSSL has not taken yet.
  private let memory: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  let line: TLSLine
  /// The first bytes that the peer ever sent: they tell whether it speaks TLS at all.
  private(set) var opening: [UInt8] = []

  /// `received` came before the session began.
  init(_ line: TLSLine, received: [UInt8]) {
    memory = .allocate(
      byteCount: max(ReadBuffer.defaultCapacity, received.count), alignment: 64)
    self.line = line
    memory.copyBytes(from: received)
    end = received.count
    opening = Array(received.prefix(5))
  }

  deinit {
    memory.deallocate()
  }

  var waiting: Int { end - start }

  /// Receives ciphertext with `recv`, so little that all that can be decrypted then fits into `target`
  /// bytes: what stayed behind in OpenSSL would be hidden from the reactor. Returns what recv returned, and sets
  /// errno as it does.
  func receive(from descriptor: Int32, target: Int) -> Int {
    if start > 0 {
      // Nothing much is left over, as a rule: OpenSSL takes the beginning of a record as well.
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
      end -= start
      start = 0
    }
    let room = min(target - Self.largestRecord, memory.count) - end
    guard room > 0, let base = memory.baseAddress else {
      errno = EAGAIN
      return -1
    }
    let count =
      switch line {
      case .socket: recv(descriptor, base + end, room, 0)
      case .session(let outer):
        outer.receive(
          from: descriptor, into: UnsafeMutableRawBufferPointer(start: base + end, count: room))
      }
    if count > 0 {
      if opening.count < 5 { opening += memory[end..<(end + count)].prefix(5 - opening.count) }
      end += count
    }
    return count
  }

  fileprivate func take(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    let taken = min(count, waiting)
    guard taken > 0, let base = memory.baseAddress else { return 0 }
    target.copyMemory(from: base + start, byteCount: taken)
    start += taken
    return taken
  }

  /// The table of functions that makes a BIO of a transport, for `BIO_new`.
  static func makeMethod() -> OpaquePointer? {
    guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "parlour") else {
      return nil
    }
    BIO_meth_set_read(method) { bio, target, count in
      guard let bio, let target, let transport = TLSTransport.behind(bio) else { return -1 }
      co_bio_clear_retry(bio)
      let taken = transport.take(into: target, count: Int(count))
      if taken == 0 {
        co_bio_set_retry_read(bio)
        return -1
      }
      return Int32(taken)
    }
    BIO_meth_set_write(method) { bio, source, count in
      guard let bio, let source, let transport = TLSTransport.behind(bio) else { return -1 }
      co_bio_clear_retry(bio)
      let bytes = UnsafeRawBufferPointer(start: source, count: Int(count))
      switch transport.line {
      case .socket(let output): output.append(bytes)
      case .session(let outer): if !outer.encrypt(bytes) { return -1 }
      }
      return count
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return method
  }

  /// A BIO over this transport, which must outlive it.
  func makeBIO(_ method: OpaquePointer) -> OpaquePointer? {
    guard let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  private static func behind(_ bio: OpaquePointer) -> TLSTransport? {
    guard let pointer = BIO_get_data(bio) else { return nil }
    return Unmanaged<TLSTransport>.fromOpaque(pointer).takeUnretainedValue()
  }
}
