import Glibc

/// The client's side of SOCKS 5 (RFC 1928, RFC 1929) as a value: bytes out, bytes in, an outcome.
package struct SOCKSHandshake: Sendable {
  package enum Progress: Equatable, Sendable {
    /// More bytes are needed; all that came so far were taken. `reply` is to be sent, and may be empty.
    case incomplete(reply: [UInt8])
    /// How many of the bytes handed over last belong to the answer; the rest came through the proxy.
    case accepted(consumed: Int)
    case failed(SOCKSError)
  }

  private enum Stage {
    case method, authentication, reply
    case over(Progress)
  }

  /// What to send first: the methods that are offered.
  package let greeting: [UInt8]
  private let request: [UInt8]
  private let credentials: ProxyEndpoint.Credentials?
  private var stage = Stage.method
  /// What came of the answer that is being read.
  private var answer: [UInt8] = []

  private static let version: UInt8 = 5

  /// The host is an address in digits, sent as such, or a name, sent as it is.
  package init(
    to host: String, port: UInt16, credentials: ProxyEndpoint.Credentials? = nil
  ) throws(SOCKSError) {
    request =
      [Self.version, 1, 0] + (try Self.address(host)) + [UInt8(port >> 8), UInt8(port & 0xFF)]
    self.credentials = credentials
    greeting = credentials == nil ? [Self.version, 1, 0] : [Self.version, 2, 0, 2]
  }

  /// Takes what came from the proxy. To be called as long as the answer is `incomplete`.
  package mutating func receive(_ bytes: RawSpan) -> Progress {
    for (position, byte) in bytes.withUnsafeBytes({ Array($0) }).enumerated() {
      if case .over(let progress) = stage { return progress }
      answer.append(byte)
      do throws(SOCKSError) {
        guard let reply = try next(consumed: position + 1) else { continue }
        answer = []
        guard !reply.isEmpty else { continue }
        // Whoever answers what was not asked yet cannot know where to.
        guard position + 1 == bytes.byteCount else { throw .unasked }
        return .incomplete(reply: reply)
      } catch {
        stage = .over(.failed(error))
      }
    }
    if case .over(let progress) = stage { return progress }
    return .incomplete(reply: [])
  }

  /// The proxy ended the stream.
  package mutating func endOfStream() -> Progress {
    if case .over(let progress) = stage { return progress }
    stage = .over(.failed(.endedEarly))
    return .failed(.endedEarly)
  }

  /// What to send now that the answer is whole; nil while it is not.
  private mutating func next(consumed: Int) throws(SOCKSError) -> [UInt8]? {
    switch stage {
    case .method:
      guard answer[0] == Self.version else { throw .foreign(answer[0]) }
      guard answer.count == 2 else { return nil }
      return try choose(answer[1])
    case .authentication:
      // RFC 1929 section 2 has a version of its own, which some proxies get wrong.
      guard answer.count == 2 else { return nil }
      guard answer[1] == 0 else { throw .denied }
      stage = .reply
      return request
    case .reply:
      guard try isReplyWhole() else { return nil }
      stage = .over(.accepted(consumed: consumed))
      return []
    case .over:
      return nil
    }
  }

  private mutating func choose(_ method: UInt8) throws(SOCKSError) -> [UInt8] {
    switch (method, credentials) {
    case (0, _):
      stage = .reply
      return request
    case (2, let credentials?):
      stage = .authentication
      return [1] + Self.counted(credentials.user) + Self.counted(credentials.password)
    case (0xFF, _): throw .noAcceptableMethod
    default: throw .unofferedMethod(method)
    }
  }

  /// The reply: version, code, a reserved byte, and the address that the proxy uses, of any type.
  private func isReplyWhole() throws(SOCKSError) -> Bool {
    guard answer[0] == Self.version else { throw .foreign(answer[0]) }
    guard answer.count >= 2 else { return false }
    guard answer[1] == 0 else { throw .refused(answer[1]) }
    guard answer.count >= 5 else { return false }
    let length: Int
    switch answer[3] {
    case 1: length = 4
    case 3: length = 1 + Int(answer[4])
    case 4: length = 16
    case let type: throw .unknownAddressType(type)
    }
    return answer.count == 4 + length + 2
  }

  private static func counted(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(255))
    return [UInt8(bytes.count)] + bytes
  }

  private static func address(_ host: String) throws(SOCKSError) -> [UInt8] {
    for (type, family, count) in [(UInt8(1), AF_INET, 4), (4, AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, host, &bytes) == 1 { return [type] + bytes }
    }
    guard (1...255).contains(host.utf8.count) else { throw .unspeakableName }
    return [3] + counted(host)
  }
}

/// Why a SOCKS proxy did not open the way.
package enum SOCKSError: Error, Equatable, Sendable {
  /// Its first byte is not the version 5 of SOCKS.
  case foreign(UInt8)
  /// It takes none of the ways to say who we are.
  case noAcceptableMethod
  case unofferedMethod(UInt8)
  /// User and password were not accepted.
  case denied
  /// The code of its reply (RFC 1928 section 6), which is not 0.
  case refused(UInt8)
  case unknownAddressType(UInt8)
  /// It answered before it was asked.
  case unasked
  case endedEarly
  /// The name is empty or has more than 255 bytes.
  case unspeakableName
}
