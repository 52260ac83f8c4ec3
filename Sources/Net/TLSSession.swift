import COpenSSL
import Glibc

/// The client's side of one TLS connection, over a transport in memory.
final class TLSSession {
  private let context: TLSContext
  private let transport: TLSTransport
  private let ssl: OpaquePointer
  private let names: TLSNames
  /// What OpenSSL found wrong with the peer's certificate.
  private var refusal: CertificateRefusal?

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
    guard let bio = transport.makeBIO(context.transportMethod) else {
      throw LinkFailure(kind: .tls, message: "OpenSSL could not be started (\(openSSLReason()))")
    }
    SSL_set_bio(ssl, bio, bio)
    try identifyPeer()
    SSL_set_connect_state(ssl)
  }

  deinit {
    SSL_free(ssl)
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
      SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
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
    guard
      let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
      let pointer = SSL_get_ex_data(OpaquePointer(ssl), 0)
    else { return }
    let session = Unmanaged<TLSSession>.fromOpaque(pointer).takeUnretainedValue()
    session.refusal = CertificateRefusal(store)
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
      if let failure = pinFailure() { return .failed(failure) }
      return .done(String(cString: SSL_get_version(ssl)))
    }
    switch SSL_get_error(ssl, status) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waiting
    default: return .failed(failure())
    }
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
    while filled < target.count, let base = target.baseAddress {
      var count = 0
      ERR_clear_error()
      let status = SSL_read_ex(ssl, base + filled, target.count - filled, &count)
      if status == 1 {
        filled += count
        continue
      }
      // What was decrypted goes first; asked again, OpenSSL repeats how it ended.
      if filled > 0 { break }
      switch SSL_get_error(ssl, status) {
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
    transport.opening.isEmpty || names.speaksTLS(transport.opening)
      ? names.cutDuringHandshake : names.withoutTLS
  }

  private func failure() -> LinkFailure {
    if !transport.opening.isEmpty && !names.speaksTLS(transport.opening) { return names.withoutTLS }
    if let refusal { return names.refused(refusal) }
    let error = ERR_peek_error()
    let reason = openSSLReason()
    return names.broken(
      reasonCode: ERR_GET_REASON(error), reason: reason, minimum: context.options.minimumVersion)
  }
}
