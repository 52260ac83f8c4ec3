import COpenSSL
import Glibc

/// How a client does TLS.
package struct TLSOptions: Equatable, Sendable {
  package enum Version: Sendable {
    case tls12, tls13
  }

  /// Who is at the other end.
  package enum Peer: Sendable {
    case server
    /// An https proxy: the authorities of the file are trusted beside those of the system, for they are about the
    /// server as a rule.
    case proxy
  }

  package var peer = Peer.server
  /// A PEM file of certificate authorities that are trusted instead of the system's, as with curl.
  package var certificateAuthorityFile: String?
  /// Goes on whoever the peer is: the line is secret, but nobody knows with whom it is shared.
  package var isInsecure = false
  package var minimumVersion = Version.tls12
  /// The name that is asked for (SNI) and that the certificate must be for, instead of the host.
  package var serverName: String?
  /// A PEM file with this client's certificate and those between it and its authority.
  package var certificateFile: String?
  /// The PEM file of its private key; nil: it is in `certificateFile`.
  package var keyFile: String?

  /// If there are any, the server's public key must be one of these.
  package var pins: [PublicKeyPin] = []

  package init() {}
}

/// The options of TLS cannot be used, as a sentence with the name of the file concerned.
package struct TLSConfigurationError: Error, Equatable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}

/// What TLS connections to a server have in common: trust, versions, the client's own certificate.
/// One is enough for all connections with the same options.
package final class TLSContext {
  package let options: TLSOptions
  let handle: OpaquePointer
  /// OpenSSL's way to our own buffers; it must outlive every session, so sessions keep their context.
  let transportMethod: OpaquePointer
  /// What the next connection to a server may begin with.
  let tickets = TLSTickets()
  /// Gets the secrets of every session to come, each a line in the format of SSLKEYLOGFILE. Who has them can
  /// read what was sent.
  package var keyLog: ((String) -> Void)? {
    didSet {
      guard keyLog != nil else { return SSL_CTX_set_keylog_callback(handle, nil) }
      SSL_CTX_set_keylog_callback(handle) { ssl, line in
        guard let ssl, let line else { return }
        TLSSession.behind(ssl)?.context.keyLog?(String(cString: line))
      }
    }
  }

  package init(_ options: TLSOptions = TLSOptions()) throws(TLSConfigurationError) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_client_method()), let method = TLSTransport.makeMethod()
    else {
      throw TLSConfigurationError(message: "OpenSSL could not be started (\(openSSLReason()))")
    }
    self.options = options
    handle = context
    transportMethod = method
    // From here on deinit frees both, also when the rest throws.
    try configure()
  }

  deinit {
    SSL_CTX_free(handle)
    BIO_meth_free(transportMethod)
  }

  private func configure() throws(TLSConfigurationError) {
    let minimum = options.minimumVersion == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION
    guard co_set_minimum_version(handle, minimum) == 1 else {
      throw TLSConfigurationError(
        message: "OpenSSL's configuration forbids the TLS version asked for (\(openSSLReason()))")
    }
    co_refuse_renegotiation(handle)
    // A server that is offered HTTP/2 may take it, and then there is no upgrade to WebSocket.
    let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
    SSL_CTX_set_alpn_protos(handle, protocols, UInt32(protocols.count))
    co_hand_out_sessions(handle)
    SSL_CTX_sess_set_new_cb(handle) { ssl, session in
      guard let ssl, let session, let owner = TLSSession.behind(ssl) else { return 0 }
      owner.context.tickets.keep(session, for: owner.key)
      // The reference is ours now.
      return 1
    }
    try loadAuthorities()
    try loadOwnCertificate()
  }

  private func loadAuthorities() throws(TLSConfigurationError) {
    let file = options.certificateAuthorityFile
    // Where nobody is checked, the system's authorities would cost a megabyte and milliseconds for nothing.
    if file == nil && !options.isInsecure || options.peer == .proxy {
      SSL_CTX_set_default_verify_paths(handle)
    }
    guard let file else { return }
    try checkReadable(file, what: "the certificate authorities")
    guard SSL_CTX_load_verify_file(handle, file) == 1 else {
      throw TLSConfigurationError(
        message: "\(file) holds no certificate authorities in PEM form (\(openSSLReason()))")
    }
    // As with curl: a certificate in the file is trusted even if it is not a root.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(handle), UInt(X509_V_FLAG_PARTIAL_CHAIN))
  }

  private func loadOwnCertificate() throws(TLSConfigurationError) {
    guard let certificate = options.certificateFile else {
      if let key = options.keyFile {
        throw TLSConfigurationError(
          message: "the private key \(key) needs a certificate: name its file with --cert")
      }
      return
    }
    let key = options.keyFile ?? certificate
    try checkReadable(certificate, what: "the client certificate")
    try checkReadable(key, what: "the private key")
    guard SSL_CTX_use_certificate_chain_file(handle, certificate) == 1 else {
      throw TLSConfigurationError(
        message: "\(certificate) holds no certificate in PEM form (\(openSSLReason()))")
    }
    // Without a callback OpenSSL would ask for the passphrase on the terminal that we draw on.
    SSL_CTX_set_default_passwd_cb(handle) { _, _, _, _ in 0 }
    guard SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM) == 1 else {
      throw TLSConfigurationError(
        message: "\(key) holds no private key that can be used without a passphrase and that fits "
          + "\(certificate) (\(openSSLReason()))")
    }
  }

  private func checkReadable(_ file: String, what: String) throws(TLSConfigurationError) {
    guard access(file, R_OK) == 0 else {
      throw TLSConfigurationError(
        message: "\(what) cannot be read from \(file): \(words(forErrorNumber: errno))")
    }
  }
}

/// The newest entry of OpenSSL's list of errors, in its words.
func openSSLReason() -> String {
  let error = ERR_peek_last_error()
  guard error != 0, let reason = ERR_reason_error_string(error) else { return "no reason given" }
  return String(cString: reason)
}
