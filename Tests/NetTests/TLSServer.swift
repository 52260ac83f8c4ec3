import COpenSSL
import Glibc
import Net
import Testing

/// A TLS server in the reactor of a test: OpenSSL's server side on memory BIOs, over plain connections.
final class TLSServer {
  struct Manner {
    var certificate = "good"
    var maximumVersion = TLS1_3_VERSION
    var wantsClientCertificate = false
    /// Takes HTTP/2 where it is offered, as many a server does.
    var prefersHTTP2 = false
    /// What is done with each piece of decrypted text.
    var answer: (TLSServer.Session, [UInt8]) -> Void = { $0.send($1) }
  }

  private(set) var server: Server?
  private(set) var sessions: [Session] = []
  private let context: OpaquePointer

  /// `isTaken` may take a connection away from it.
  init(
    _ loop: Loop, on host: String = "127.0.0.1", port: UInt16 = 0, _ manner: Manner = Manner(),
    isTaken: @escaping (Visitor) -> Bool = { _ in false }
  ) throws {
    let certificates = try Certificates.made()
    context = try #require(SSL_CTX_new(TLS_server_method()))
    let name = certificates.path(manner.certificate)
    try #require(SSL_CTX_use_certificate_chain_file(context, name + ".pem") == 1)
    try #require(SSL_CTX_use_PrivateKey_file(context, name + ".key", SSL_FILETYPE_PEM) == 1)
    try #require(co_set_maximum_version(context, manner.maximumVersion) == 1)
    if manner.wantsClientCertificate {
      SSL_CTX_load_verify_file(context, certificates.path("authority.pem"))
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    }
    if manner.prefersHTTP2 { preferHTTP2() }
    server = try Server(loop, on: host, port: port) { [weak self] visitor in
      guard !isTaken(visitor) else { return }
      guard let self, let ssl = SSL_new(context) else { return }
      sessions.append(Session(ssl, visitor, manner.answer))
    }
  }

  /// Selects h2 from the client's list (RFC 7301 section 3.1), else the first of it.
  private func preferHTTP2() {
    SSL_CTX_set_alpn_select_cb(
      context,
      { _, selected, length, offer, count, _ in
        guard let selected, let length, let offer else { return SSL_TLSEXT_ERR_NOACK }
        var place = 0
        while place < Int(count) {
          let size = Int(offer[place])
          let isHTTP2 = size == 2 && offer[place + 1] == UInt8(ascii: "h")
          if isHTTP2 || place == 0 {
            selected.pointee = offer + place + 1
            length.pointee = UInt8(size)
          }
          if isHTTP2 { break }
          place += 1 + size
        }
        return SSL_TLSEXT_ERR_OK
      }, nil)
  }

  deinit {
    sessions = []
    SSL_CTX_free(context)
  }

  /// Lets go of its port.
  func stop() {
    server = nil
  }

  var address: HostPort { server?.address ?? HostPort(host: "", port: 0) }

  final class Session {
    let visitor: Visitor
    private let ssl: OpaquePointer
    private let input = BIO_new(BIO_s_mem())
    private let output = BIO_new(BIO_s_mem())

    init(
      _ ssl: OpaquePointer, _ visitor: Visitor, _ answer: @escaping (Session, [UInt8]) -> Void
    ) {
      self.ssl = ssl
      self.visitor = visitor
      SSL_set_bio(ssl, input, output)
      SSL_set_accept_state(ssl)
      visitor.take = { [unowned self] bytes in
        BIO_write(input, bytes, Int32(bytes.count))
        var text = [UInt8](repeating: 0, count: 65536)
        var count = SSL_read(ssl, &text, Int32(text.count))
        while count > 0 {
          answer(self, Array(text.prefix(Int(count))))
          count = SSL_read(ssl, &text, Int32(text.count))
        }
        ERR_clear_error()
        pass()
      }
    }

    deinit {
      SSL_free(ssl)
    }

    func send(_ text: [UInt8]) {
      SSL_write(ssl, text, Int32(text.count))
      pass()
    }

    /// The records of a text, which the test sends itself.
    func encrypted(_ text: [UInt8]) -> [UInt8] {
      SSL_write(ssl, text, Int32(text.count))
      var records = [UInt8](repeating: 0, count: 2 * text.count)
      let count = BIO_read(output, &records, Int32(records.count))
      return Array(records.prefix(Int(count)))
    }

    /// Of TLS 1.2, by a HelloRequest.
    func askForRenegotiation() {
      SSL_renegotiate(ssl)
      SSL_do_handshake(ssl)
      pass()
    }

    func sendCloseNotify() {
      SSL_shutdown(ssl)
      pass()
    }

    /// The name that the client asked for in its ClientHello.
    var serverName: String? {
      SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// What was agreed on by ALPN.
    var applicationProtocol: String? {
      var name: UnsafePointer<UInt8>?
      var length: UInt32 = 0
      SSL_get0_alpn_selected(ssl, &name, &length)
      guard let name else { return nil }
      return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    var hasReceivedCloseNotify: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }

    private func pass() {
      var bytes = [UInt8](repeating: 0, count: 65536)
      var count = BIO_read(output, &bytes, Int32(bytes.count))
      while count > 0 {
        visitor.connection?.write(Array(bytes.prefix(Int(count))))
        count = BIO_read(output, &bytes, Int32(bytes.count))
      }
    }
  }
}
