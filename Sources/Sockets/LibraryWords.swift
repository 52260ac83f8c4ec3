import Channel
import Net
import WebSocket

/// The core's failures as the library's errors.
extension SocketError {
  init(_ failure: Failure) {
    let kind: Kind =
      switch failure.kind {
      case .tls: .tls
      case .dns: .dns
      case .tcp: .tcp
      case .proxy: .proxy
      case .upgrade: .upgrade
      case .protocol: .protocolViolation
      case .timeout: .timeout
      case .refused: .refused
      }
    self.init(kind: kind, message: inLibraryWords(failure.message), status: failure.status)
  }

  init(_ violation: ProtocolViolation, from endpoint: Endpoint) {
    self.init(verdict(onViolation: violation, from: endpoint).failure)
    if case .messageTooBig = violation { kind = .messageTooBig }
  }

  /// A line that a Close of the peer ended.
  init(_ reason: CloseReason, from endpoint: Endpoint) {
    self.init(verdict(onClose: reason, from: endpoint).failure)
    kind = .closed
    closeCode = SocketCloseCode(rawValue: Int(reason.code.rawValue))
  }
}

extension Failure {
  init(_ failure: LinkFailure) {
    let kind: Failure.Kind =
      switch failure.kind {
      case .dns: .dns
      case .tcp: .tcp
      case .tls: .tls
      case .timeout: .timeout
      case .proxy: .proxy
      }
    self.init(kind: kind, message: failure.message, short: failure.short)
  }
}

/// The core's sentences advise by the options of the `parlour` program; here the same is set by properties.
private let properties: [(option: String, property: String)] = [
  ("--token-file, --token-command or PARLOUR_TOKEN", "SocketConfiguration.bearer"),
  ("--max-message", "SocketConfiguration.maximumMessageSize"),
  ("--connect-timeout", "SocketConfiguration.connectTimeout"),
  ("--subprotocol and --dialect suit", "SocketConfiguration.subprotocols suits"),
  ("--cacert", "SocketTLS.certificateAuthorityFile"),
  ("--insecure", "SocketTLS.isInsecure"),
  ("--server-name", "SocketTLS.serverName"),
  ("--tls-min", "SocketTLS.minimumVersion"),
  ("--cert", "SocketTLS.certificateFile"),
  ("--key", "SocketTLS.keyFile"),
  ("--pin", "SocketTLS.pins"),
]

func inLibraryWords(_ sentence: String) -> String {
  properties.reduce(sentence) { $0.replacing($1.option, with: $1.property) }
}
