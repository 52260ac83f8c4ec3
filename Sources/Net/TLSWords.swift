import COpenSSL
import Glibc

/// Why OpenSSL did not accept a certificate, taken down while it is at hand.
struct CertificateRefusal {
  /// X509_V_ERR_….
  let code: Int32
  /// OpenSSL's words for the code.
  let reason: String
  /// The names that the server's certificate is for, made safe.
  let names: String
  /// The days on which the refused certificate begins and ends to be valid, such as 2026-01-31.
  let notBefore: String
  let notAfter: String

  init(_ store: OpaquePointer) {
    code = X509_STORE_CTX_get_error(store)
    reason = String(cString: X509_verify_cert_error_string(Int(code)))
    names = X509_STORE_CTX_get0_cert(store).map(Self.names) ?? ""
    let certificate = X509_STORE_CTX_get_current_cert(store)
    notBefore = Self.day(certificate.flatMap { X509_get0_notBefore($0) })
    notAfter = Self.day(certificate.flatMap { X509_get0_notAfter($0) })
  }

  static func names(_ certificate: OpaquePointer) -> String {
    var bytes = [CChar](repeating: 0, count: 200)
    let count = co_certificate_names(certificate, &bytes, Int32(bytes.count))
    return shown(bytes.prefix(Int(count)).map { UInt8(bitPattern: $0) })
  }

  private static func day(_ time: UnsafePointer<ASN1_TIME>?) -> String {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unreadable day" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }
}

/// The names of the peer, and the sentences about TLS with them.
struct TLSNames {
  let target: HostPort
  private let peer: TLSOptions.Peer
  /// The name as it is asked for and checked: no trailing dot, no scope of an IPv6 address.
  let plain: String
  let isAddress: Bool

  init(target: HostPort, name: String, peer: TLSOptions.Peer) {
    self.target = target
    self.peer = peer
    let isIPv6 = name.utf8.contains(UInt8(ascii: ":"))
    var bytes = in6_addr()
    if isIPv6 {
      plain = String(name.prefix { $0 != "%" })
      isAddress = true
    } else {
      plain = name.hasSuffix(".") ? String(name.dropLast()) : name
      isAddress = inet_pton(AF_INET, plain, &bytes) == 1
    }
  }

  /// What differs in the advice: the options that speak of the server do not speak of a proxy.
  private func advice(server: String, proxy: String) -> String {
    peer == .server ? server : proxy
  }

  private var host: String { shown(plain) }
  private var place: String { shown(target.description) }

  /// The first byte of a server that speaks TLS is the type of a handshake or alert record, the second
  /// the major version 3 (RFC 8446 section 5.1).
  func speaksTLS(_ opening: [UInt8]) -> Bool {
    guard let type = opening.first, type == 22 || type == 21 else { return false }
    return opening.count < 2 || opening[1] == 3
  }

  var withoutTLS: LinkFailure {
    LinkFailure(
      kind: .tls,
      message: "\(place) answered without TLS: use "
        + advice(server: "ws:// instead of wss://?", proxy: "http:// instead of https:// for it?"),
      short: "no TLS there")
  }

  var cutDuringHandshake: LinkFailure {
    LinkFailure(
      kind: .tls,
      message:
        "\(place) ended the connection during the TLS handshake: does it speak TLS, or is it "
        + advice(server: "ws://?", proxy: "http://?"),
      short: "TLS cut off")
  }

  func notPinned(_ pin: PublicKeyPin?) -> LinkFailure {
    LinkFailure(
      kind: .tls,
      message: "the public key of \(place) is not the one that was pinned but "
        + "\(pin.map(\.description) ?? "none"): do not go on unless its owner says that it changed",
      short: "another public key")
  }

  func refused(_ refusal: CertificateRefusal) -> LinkFailure {
    let message: String
    let short: String
    switch refusal.code {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      message =
        "the certificate of \(host) is signed by an authority that this machine does not know "
        + "(\(refusal.reason)): give its file with --cacert"
        + advice(server: ", or --insecure to go on without checking", proxy: "")
      short = "unknown certificate authority"
    case X509_V_ERR_CERT_HAS_EXPIRED:
      message =
        "the certificate of \(host) expired on \(refusal.notAfter): it has to be renewed on the "
        + advice(server: "server", proxy: "proxy") + " (or is this machine's clock wrong?)"
      short = "certificate expired"
    case X509_V_ERR_CERT_NOT_YET_VALID:
      message =
        "the certificate of \(host) is valid only from \(refusal.notBefore) on: is this machine's "
        + "clock wrong?"
      short = "certificate not yet valid"
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      let others = refusal.names.isEmpty ? "nobody in particular" : refusal.names
      message =
        "the certificate is for \(others), not for \(host): check the host in the URL"
        + advice(server: ", or say with --server-name which name to expect", proxy: " of the proxy")
      short = "certificate for another host"
    default:
      message =
        "the certificate of \(host) was not accepted (\(refusal.reason)): "
        + advice(
          server: "--insecure goes on without checking", proxy: "it has to be replaced on the proxy"
        )
      short = "certificate not accepted"
    }
    return LinkFailure(kind: .tls, message: message, short: short)
  }

  /// What came already shows that the handshake was in order.
  func brokenLater(reasonCode: Int32, reason: String) -> LinkFailure {
    // Those that an alert of the peer (RFC 8446 section 6) brings lie behind our own.
    let isAlert = reasonCode >= SSL_AD_REASON_OFFSET
    return LinkFailure(
      kind: .tls,
      message: isAlert
        ? "\(place) ended the line with a TLS alert (\(reason))"
        : "TLS with \(place) failed on the open line (\(reason))",
      short: isAlert ? "TLS alert" : "TLS failed")
  }

  /// The handshake, or the session right behind it, failed for a reason that is not the server's certificate.
  func broken(reasonCode: Int32, reason: String, minimum: TLSOptions.Version) -> LinkFailure {
    switch reasonCode {
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION,
      SSL_R_WRONG_SSL_VERSION, SSL_R_NO_PROTOCOLS_AVAILABLE:
      let version = minimum == .tls12 ? "1.2" : "1.3"
      return LinkFailure(
        kind: .tls,
        message:
          "\(place) does not speak TLS \(version) or newer"
          + advice(
            server: ": --tls-min sets the oldest allowed", proxy: ", which every proxy should"),
        short: "TLS too old")
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, SSL_R_SSLV3_ALERT_BAD_CERTIFICATE,
      SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_TLSV1_ALERT_UNKNOWN_CA,
      SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, SSL_R_SSLV3_ALERT_NO_CERTIFICATE:
      return LinkFailure(
        kind: .tls,
        message: "\(place) wants a certificate of this client that it accepts (\(reason)): "
          + advice(server: "give it with --cert and --key", proxy: "proxies cannot be given one"),
        short: "client certificate refused")
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
      // That is also what TLS 1.2 says where a certificate of the client is missing (RFC 5246 section 7.4.6).
      return LinkFailure(
        kind: .tls,
        message: "\(place) refused the TLS handshake (\(reason)): "
          + advice(
            server: "where it wants a certificate of this client, give it with --cert and --key",
            proxy: "it may want a certificate of this client, which proxies cannot be given"),
        short: "TLS handshake refused")
    case SSL_R_TLSV1_UNRECOGNIZED_NAME:
      return LinkFailure(
        kind: .tls,
        message: "\(place) knows no host named \(host): "
          + advice(
            server: "say with --server-name which one is meant", proxy: "check the proxy's URL"),
        short: "unknown server name")
    default:
      return LinkFailure(
        kind: .tls, message: "TLS with \(place) failed (\(reason))", short: "TLS failed")
    }
  }
}
