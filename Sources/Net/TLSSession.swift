import COpenSSL
import Glibc

/// The client's side of one TLS connection, over a transport in memory.
final class TLSSession {
  let context: TLSContext
  /// What the sessions of this server are kept under.
  let key: TLSTickets.Key
  private let transport: TLSTransport
  private let ssl: OpaquePointer
  private let names: TLSNames
  /// What OpenSSL found wrong with the peer's certificate.
  private var refusal: CertificateRefusal?
  /// The handshake began with an offer to go on with a session of before.
  private(set) var offersTicket = false
  private var isUp = false
  private var hasEndBehindBytes = false
  /// Something of the peer was decrypted.
  private var hasRead = false

  enum Step {
    case waiting
    /// The version, such as "TLSv1.3".
    case done(String)
    case failed(LinkFailure)
  }

  enum Decrypted {
    case bytes(Int)
    case nothing
    /// close_notify: the peer ended the stream in order.
    case closed
    case failed(LinkFailure)
  }

  /// Begins with a ClientHello once `handshake` is called. `received` came from the peer before that.
  init(
    _ context: TLSContext, target: HostPort, line: TLSLine, received: [UInt8] = []
  ) throws(LinkFailure) {
    ERR_clear_error()
    let transport = TLSTransport(line, received: received)
    guard let ssl = SSL_new(context.handle) else {
      throw LinkFailure(kind: .tls, message: "OpenSSL could not be started (\(openSSLReason()))")
    }
    self.context = context
    self.transport = transport
    self.ssl = ssl
    names = TLSNames(
      target: target, name: context.options.serverName ?? target.host, peer: context.options.peer)
    key = TLSTickets.Key(
      target: HostPort(host: target.host.lowercased(), port: target.port),
      name: names.plain.lowercased())
    guard let bio = transport.makeBIO(context.transportMethod) else {
      throw LinkFailure(kind: .tls, message: "OpenSSL could not be started (\(openSSLReason()))")
    }
    SSL_set_bio(ssl, bio, bio)
    SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    try identifyPeer()
    offerTicket()
    SSL_set_connect_state(ssl)
  }

  deinit {
    // A line that was cut is the usual reason to come back: without this OpenSSL would spoil the session that the
    // next connection is to go on with. One that was broken by an alert is spoilt already.
    if isUp { SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
    SSL_free(ssl)
  }

  /// The object that made an SSL; callbacks of OpenSSL get nothing else.
  static func behind(_ ssl: OpaquePointer) -> TLSSession? {
    guard let pointer = SSL_get_ex_data(ssl, 0) else { return nil }
    return Unmanaged<TLSSession>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Saves the server its certificate and a signature, where it still knows the session. Nothing of ours is
  /// sent along with the offer (no early data, RFC 8446 section 8).
  private func offerTicket() {
    guard let ticket = context.tickets.take(for: key) else { return }
    offersTicket = SSL_set_session(ssl, ticket) == 1
    SSL_SESSION_free(ticket)
  }

  /// Says who is asked for, and whom the certificate must be for.
  private func identifyPeer() throws(LinkFailure) {
    let name = names.plain
    let isAddress = names.isAddress
    // RFC 6066 section 3: no addresses in the server name.
    var isSet = isAddress || co_set_server_name(ssl, name) == 1
    if context.options.isInsecure {
      SSL_set_verify(ssl, SSL_VERIFY_NONE, nil)
    } else {
      SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      if isAddress {
        isSet = isSet && X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1
      } else {
        isSet = isSet && SSL_set1_host(ssl, name) == 1
      }
      SSL_set_verify(ssl, SSL_VERIFY_PEER) { isFine, store in
        if isFine == 0, let store { TLSSession.note(store) }
        return isFine
      }
    }
    guard isSet, !name.isEmpty else {
      throw LinkFailure(
        kind: .tls,
        message: "\(shown(name)) cannot be the name of a TLS server: check the spelling",
        short: "bad server name")
    }
  }

  /// Called by OpenSSL in the middle of `handshake`, for a certificate that it does not accept.
  private static func note(_ store: OpaquePointer) {
    guard let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
    else { return }
    behind(OpaquePointer(ssl))?.refusal = CertificateRefusal(store)
  }

  /// Behind the bytes that were decrypted last stands the end of the stream, of this session or of the one around
  /// it, which the peer need not follow with anything that the reactor could see.
  var hasMoreToTell: Bool {
    if hasEndBehindBytes { return true }
    if case .session(let outer) = transport.line { return outer.hasMoreToTell }
    return false
  }

  /// Ciphertext that arrived and that OpenSSL has not taken yet.
  var hasInput: Bool { transport.waiting > 0 }

  func receive(from descriptor: Int32, target: Int) -> Int {
    transport.receive(from: descriptor, target: target)
  }

  /// Receives and decrypts, for a session inside of this one. Returns and sets errno as recv does.
  func receive(from descriptor: Int32, into target: UnsafeMutableRawBufferPointer) -> Int {
    let received = receive(from: descriptor, target: target.count)
    let errorNumber = errno
    switch decrypt(into: target) {
    case .bytes(let count):
      return count
    case .closed:
      return 0
    case .failed:
      errno = ECONNABORTED
      return -1
    case .nothing:
      guard received > 0 else {
        errno = errorNumber
        return received
      }
      errno = EAGAIN
      return -1
    }
  }

  /// Goes as far as the received bytes allow. What is to be sent is in the write queue afterwards, also
  /// when it failed: then it is the alert that tells the peer why.
  func handshake() -> Step {
    ERR_clear_error()
    let status = SSL_do_handshake(ssl)
    if status == 1 {
      isUp = true
      if let failure = pinFailure() ?? trustFailure() {
        context.tickets.forget(key)
        return .failed(failure)
      }
      return .done(String(cString: SSL_get_version(ssl)))
    }
    switch SSL_get_error(ssl, status) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waiting
    default:
      let failure = failure()
      if offersTicket { context.tickets.forget(key) }
      return .failed(failure)
    }
  }

  /// The server went on with the session that was offered: it showed no certificate this time, and what was found
  /// out about that of before goes on to hold.
  var isResumed: Bool { SSL_session_reused(ssl) == 1 }

  var details: TLSDetails {
    let cipher = SSL_get_current_cipher(ssl).flatMap { SSL_CIPHER_get_name($0) }
    var details = TLSDetails(
      version: String(cString: SSL_get_version(ssl)),
      cipher: cipher.map { String(cString: $0) } ?? "", isResumed: isResumed)
    if let certificate = SSL_get1_peer_certificate(ssl) {
      defer { X509_free(certificate) }
      details.describe(certificate)
    }
    return details
  }

  /// A session that is resumed carries the result of the check of its certificate along.
  private func trustFailure() -> LinkFailure? {
    let result = SSL_get_verify_result(ssl)
    guard !context.options.isInsecure, result != Int(X509_V_OK) else { return nil }
    return names.broken(
      reasonCode: 0, reason: String(cString: X509_verify_cert_error_string(result)),
      minimum: context.options.minimumVersion)
  }

  private func pinFailure() -> LinkFailure? {
    let pins = context.options.pins
    guard !pins.isEmpty else { return nil }
    let certificate = SSL_get1_peer_certificate(ssl)
    defer { X509_free(certificate) }
    let pin = certificate.flatMap { PublicKeyPin(certificate: $0) }
    if let pin, pins.contains(pin) { return nil }
    return names.notPinned(pin)
  }

  /// Decrypts what was received, until the target is full or no whole record is left.
  func decrypt(into target: UnsafeMutableRawBufferPointer) -> Decrypted {
    var filled = 0
    hasEndBehindBytes = false
    while filled < target.count, let base = target.baseAddress {
      var count = 0
      ERR_clear_error()
      let status = SSL_read_ex(ssl, base + filled, target.count - filled, &count)
      if status == 1 {
        filled += count
        hasRead = true
        continue
      }
      let reason = SSL_get_error(ssl, status)
      if filled > 0 {
        // What was decrypted goes first; asked again, OpenSSL repeats how it ended.
        hasEndBehindBytes = reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE
        break
      }
      switch reason {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .nothing
      case SSL_ERROR_ZERO_RETURN: return .closed
      default: return .failed(failure())
      }
    }
    return filled > 0 ? .bytes(filled) : .nothing
  }

  /// Encrypts all of it into the write queue. False if the session is broken: reading says why.
  func encrypt(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return true }
    var count = 0
    ERR_clear_error()
    return SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count) == 1 && count == bytes.count
  }

  /// RFC 8446 section 6.1: we shall send nothing more.
  func sendCloseNotify() {
    ERR_clear_error()
    SSL_shutdown(ssl)
    ERR_clear_error()
    if case .session(let outer) = transport.line { outer.sendCloseNotify() }
  }

  /// The peer ended the TCP connection in the middle of the handshake.
  func cutDuringHandshake() -> LinkFailure {
    if offersTicket { context.tickets.forget(key) }
    return transport.opening.isEmpty || names.speaksTLS(transport.opening)
      ? names.cutDuringHandshake : names.withoutTLS
  }

  private func failure() -> LinkFailure {
    if !transport.opening.isEmpty && !names.speaksTLS(transport.opening) { return names.withoutTLS }
    if let refusal { return names.refused(refusal) }
    let error = ERR_peek_error()
    let reason = openSSLReason()
    if hasRead { return names.brokenLater(reasonCode: ERR_GET_REASON(error), reason: reason) }
    return names.broken(
      reasonCode: ERR_GET_REASON(error), reason: reason, minimum: context.options.minimumVersion)
  }
}
