import CLinux
import Glibc

/// Which addresses of a name are wanted.
package enum AddressFamily: Hashable, Sendable {
  case any, ipv4, ipv6

  /// That of an address in digits, without brackets; nil for a name.
  package static func ofAddress(_ text: some StringProtocol) -> AddressFamily? {
    var bytes = in6_addr()
    if inet_pton(AF_INET, String(text), &bytes) == 1 { return .ipv4 }
    // The scope of a link-local address stands behind it.
    return inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1 ? .ipv6 : nil
  }

  var number: Int32 {
    switch self {
    case .any: AF_UNSPEC
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    }
  }
}

/// What getaddrinfo is asked. Crosses to the helper thread.
struct AddressQuestion: Sendable {
  var host: String
  var port: UInt16
  var family: AddressFamily
}

enum AddressAnswer: Sendable {
  /// Never empty; in the order of getaddrinfo, which is that of RFC 6724.
  case addresses([SocketAddress])
  case failed(LinkFailure)
}

/// One look-up of a name on a thread of its own, since getaddrinfo cannot be asked without waiting.
///
/// Addresses in digits and `localhost` (RFC 6761 section 6.3) are answered at once. After `abandon` the
/// thread may still be at work; nobody reads its answer, and the last of the two frees the mailbox.
final class LookUp {
  private let mailbox: Mailbox<AddressAnswer>
  private let reactor: Reactor

  enum Beginning {
    case answered(AddressAnswer)
    case underWay(LookUp)
  }

  static func begin(
    _ question: AddressQuestion, reactor: Reactor, token: UInt64
  ) -> Beginning {
    if question.host.isEmpty || question.host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      return .answered(.failed(.hostNotFound(question.host)))
    }
    if let addresses = atOnce(question) { return .answered(.addresses(addresses)) }
    do throws(SystemFailure) {
      let lookUp = try LookUp(reactor: reactor, token: token)
      lookUp.startThread(question)
      return .underWay(lookUp)
    } catch {
      return .answered(.failed(LinkFailure(kind: .dns, message: error.message)))
    }
  }

  private init(reactor: Reactor, token: UInt64) throws(SystemFailure) {
    mailbox = try Mailbox()
    self.reactor = reactor
    try reactor.watch(mailbox.descriptor, token: token, for: .readable)
  }

  /// The answer, once; then the look-up is over.
  func answer() -> AddressAnswer? {
    guard let answer = mailbox.collect().first else { return nil }
    abandon()
    return answer
  }

  /// Stops listening. A late answer is dropped.
  func abandon() {
    reactor.forget(mailbox.descriptor)
  }

  private func startThread(_ question: AddressQuestion) {
    let errand = Unmanaged.passRetained(Errand(question: question, mailbox: mailbox))
    do throws(SystemFailure) {
      try startDetachedThread(that: "looks names up", runErrand, errand.toOpaque())
    } catch {
      errand.release()
      mailbox.post(.failed(LinkFailure(kind: .dns, message: error.message)))
    }
  }

  /// Answers that need no name server; nil when one must be asked.
  private static func atOnce(_ question: AddressQuestion) -> [SocketAddress]? {
    var name = question.host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    guard name == "localhost" || name.hasSuffix(".localhost") else {
      return try? lookUp(question, flags: AI_NUMERICHOST).get()
    }
    let hosts =
      switch question.family {
      case .any: ["::1", "127.0.0.1"]
      case .ipv4: ["127.0.0.1"]
      case .ipv6: ["::1"]
      }
    return hosts.flatMap { host in
      var literal = question
      literal.host = host
      return (try? lookUp(literal, flags: AI_NUMERICHOST).get()) ?? []
    }
  }
}

/// What the helper thread carries.
private final class Errand: Sendable {
  let question: AddressQuestion
  let mailbox: Mailbox<AddressAnswer>

  init(question: AddressQuestion, mailbox: Mailbox<AddressAnswer>) {
    self.question = question
    self.mailbox = mailbox
  }
}

private func runErrand(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let pointer else { return nil }
  let errand = Unmanaged<Errand>.fromOpaque(pointer).takeRetainedValue()
  switch lookUp(errand.question, flags: 0) {
  case .success(let addresses): errand.mailbox.post(.addresses(addresses))
  case .failure(let failure): errand.mailbox.post(.failed(failure))
  }
  return nil
}

/// getaddrinfo, waiting for as long as it takes. No AI_ADDRCONFIG: it would hide `::1` from a machine
/// without a network, and an address that cannot be reached fails at once anyway.
func lookUp(_ question: AddressQuestion, flags: Int32) -> Result<[SocketAddress], LinkFailure> {
  var hints = addrinfo()
  hints.ai_family = question.family.number
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  hints.ai_protocol = Int32(IPPROTO_TCP)
  hints.ai_flags = flags | AI_NUMERICSERV
  var list: UnsafeMutablePointer<addrinfo>?
  let host: String? = question.host.isEmpty ? nil : question.host
  let status = getaddrinfo(host, String(question.port), &hints, &list)
  let errorNumber = errno
  guard status == 0 else {
    return .failure(.lookUp(question.host, status: status, errorNumber: errorNumber))
  }
  defer { freeaddrinfo(list) }
  var addresses: [SocketAddress] = []
  var next = list
  while let information = next?.pointee {
    if let address = SocketAddress(information) { addresses.append(address) }
    next = information.ai_next
  }
  return addresses.isEmpty ? .failure(.hostNotFound(question.host)) : .success(addresses)
}
