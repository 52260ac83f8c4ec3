import Channel
import FoundationEssentials
import Net
import WebSocket

/// A channel's URL and configuration, checked, as the thread that drives it wants them.
struct Order: Sendable {
  var endpoint: Endpoint
  var request: HandshakeRequest
  var requiresSubprotocol: Bool
  /// Nil for ws://.
  var tls: TLSOptions?
  var connectTimeout: Duration
  var closeTimeout: Duration
  var pingTimeout: Duration
  var maximumMessageSize: Int
  /// What is hidden where servers repeat it.
  private var secrets = Secrets()
  /// Our own clock when an attempt begins, in seconds since 1970.
  var calendar: Int64?
  private var sendsCredentials: Bool

  init(_ url: URL, _ configuration: SocketConfiguration) throws(SocketError) {
    endpoint = try Self.endpoint(url)
    requiresSubprotocol = configuration.requiresSubprotocol && !configuration.subprotocols.isEmpty
    connectTimeout = max(.zero, configuration.connectTimeout)
    closeTimeout = max(.zero, configuration.closeTimeout)
    pingTimeout = max(.zero, configuration.pingTimeout)
    maximumMessageSize = configuration.maximumMessageSize
    let extra = configuration.headers.sorted { $0.key < $1.key }.map { Header($0.key, $0.value) }
    if let problem = ClientHandshake.problem(with: extra)
      ?? ClientHandshake.problem(withSubprotocols: configuration.subprotocols)
    {
      throw SocketError(kind: .configuration, message: problem)
    }
    let names = extra.map { $0.name.lowercased() }
    var fields: [Header] = []
    if !names.contains("authorization") {
      if let bearer = configuration.bearer {
        guard let token = Bearer(firstLineOf: bearer) else {
          throw SocketError(
            kind: .configuration,
            message: "The bearer token is empty or holds characters that no header may carry: "
              + "check where it comes from.")
        }
        secrets.add(token)
        fields.append(Header("Authorization", "Bearer " + token.secret))
      } else if let userinfo = endpoint.userinfo {
        secrets.add(userinfo: userinfo)
        let credentials = userinfo.utf8.contains(UInt8(ascii: ":")) ? userinfo : userinfo + ":"
        fields.append(Header("Authorization", "Basic " + Base64.encoded(Array(credentials.utf8))))
      }
    }
    for header in extra { secrets.add(field: header.name, header.value) }
    for token in endpoint.secretValues { secrets.add(token) }
    sendsCredentials =
      !fields.isEmpty || names.contains { ["authorization", "cookie"].contains($0) }
    request = HandshakeRequest(
      host: endpoint.hostField, target: endpoint.target, headers: fields + extra,
      subprotocols: configuration.subprotocols,
      compression: configuration.offersCompression ? .usualOffer : nil)
    tls = endpoint.isSecure ? try Self.options(configuration.tls) : nil
  }

  private static func endpoint(_ url: URL) throws(SocketError) -> Endpoint {
    do {
      return try Endpoint(parsing: url.absoluteString)
    } catch {
      throw SocketError(kind: .url, message: error.message)
    }
  }

  private static func options(_ tls: SocketTLS) throws(SocketError) -> TLSOptions {
    var options = TLSOptions()
    options.certificateAuthorityFile = tls.certificateAuthorityFile
    options.isInsecure = tls.isInsecure
    options.minimumVersion = tls.minimumVersion == .tls13 ? .tls13 : .tls12
    options.serverName = tls.serverName
    options.certificateFile = tls.certificateFile
    options.keyFile = tls.keyFile
    for text in tls.pins {
      guard let pin = PublicKeyPin(parsing: text) else {
        throw SocketError(
          kind: .configuration,
          message:
            "A pin of the TLS configuration is none: write sha256// and 44 characters of base64."
        )
      }
      options.pins.append(pin)
    }
    return options
  }

  /// Where a link goes, for one attempt.
  func target(tls: TLSContext?) -> LinkTarget {
    var target = LinkTarget(host: endpoint.host, port: endpoint.port, tls: tls)
    target.timeLimit = connectTimeout
    return target
  }

  // MARK: Failures

  /// What an answer other than 101 means; secrets are hidden where the server repeats them.
  func verdict(onRefusal refusal: Refusal) -> Verdict {
    Channel.verdict(
      onRefusal: secrets.hiding(in: refusal), from: endpoint, sentToken: sendsCredentials,
      calendar: calendar)
  }

  func hidingSecret(_ text: String) -> String {
    secrets.hiding(onlyTheseIn: text)
  }

  func failure(_ kind: Failure.Kind, _ message: String) -> Failure {
    Failure(kind: kind, message: endpoint.hostField + " " + message)
  }
}
