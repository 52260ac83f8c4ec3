import Glibc

/// The sentences about names and TCP.
extension LinkFailure {
  static func hostNotFound(_ host: String) -> LinkFailure {
    LinkFailure(
      kind: .dns, message: "there is no host named \(shown(host)): check the spelling",
      short: "host not found")
  }

  /// `status` is getaddrinfo's; `errorNumber` counts when it is EAI_SYSTEM.
  static func lookUp(_ host: String, status: Int32, errorNumber: Int32) -> LinkFailure {
    switch status {
    case EAI_NONAME:
      return hostNotFound(host)
    case EAI_AGAIN:
      return LinkFailure(
        kind: .dns,
        message: "no name server answered about \(shown(host)): is this machine on the network?",
        short: "no network")
    default:
      let reason =
        status == EAI_SYSTEM
        ? words(forErrorNumber: errorNumber) : String(cString: gai_strerror(status))
      return LinkFailure(
        kind: .dns,
        message: "the name \(shown(host)) could not be looked up (\(reason)): check the spelling",
        short: "name look-up failed")
    }
  }

  /// No address of the host could be connected to; `errorNumber` is the most telling of them.
  static func connecting(
    _ target: HostPort, tried: [String], errorNumber: Int32, isProxy: Bool
  ) -> LinkFailure {
    let it = isProxy ? "it" : "the server"
    let place = shown(target.description)
    let others = tried.filter { $0 != target.description }
    let tries = others.isEmpty ? "" : " (tried \(others.joined(separator: ", ")))"
    switch errorNumber {
    case ECONNREFUSED:
      return LinkFailure(
        kind: .tcp,
        message: "\(place) refused the connection\(tries): is \(it) running on that port?",
        short: "connection refused")
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL:
      return LinkFailure(
        kind: .tcp,
        message: "\(place) cannot be reached from here (\(words(forErrorNumber: errorNumber)))"
          + "\(tries): is this machine on the network?",
        short: "no network")
    case ETIMEDOUT:
      return LinkFailure(
        kind: .timeout,
        message: "no answer from \(place) while connecting\(tries): is \(it) up?",
        short: "no answer")
    default:
      return LinkFailure(
        kind: .tcp,
        message: "no connection to \(place)\(tries): \(words(forErrorNumber: errorNumber))",
        short: words(forErrorNumber: errorNumber))
    }
  }

  /// A connection that stood has broken.
  static func broken(_ name: String, errorNumber: Int32) -> LinkFailure {
    switch errorNumber {
    case ECONNRESET, EPIPE:
      return LinkFailure(
        kind: .tcp, message: "\(shown(name)) cut the connection", short: "connection cut")
    case ETIMEDOUT:
      return LinkFailure(
        kind: .tcp, message: "\(shown(name)) does not answer any more: the network lost it",
        short: "connection lost")
    default:
      let reason = words(forErrorNumber: errorNumber)
      return LinkFailure(
        kind: .tcp, message: "the connection to \(shown(name)) broke: \(reason)", short: reason)
    }
  }

  /// `stage` completes "while …".
  static func timeLimit(
    _ limit: Duration, of target: HostPort, stage: String, isProxy: Bool
  ) -> LinkFailure {
    let doubt = isProxy ? "is it up, and a proxy of that kind," : "is the server up,"
    return LinkFailure(
      kind: .timeout,
      message: "no answer from \(shown(target.description)) within \(shown(limit)) while \(stage): "
        + "\(doubt) and is the time limit long enough?",
      short: "no answer in \(shown(limit))")
  }

  /// The same said of a proxy.
  func about(_ proxy: LinkProxy) -> LinkFailure {
    let kind: Kind =
      switch kind {
      case .dns, .tcp, .proxy: .proxy
      case .tls, .timeout: kind
      }
    return LinkFailure(
      kind: kind, message: "\(shown(proxy.name)) cannot be used: \(message)",
      short: "proxy: \(short)")
  }

  static func unsent(_ name: String, bytes: Int) -> LinkFailure {
    LinkFailure(
      kind: .tcp,
      message: "\(shown(name)) did not take the last \(bytes) bytes before the connection ended",
      short: "connection cut")
  }
}

/// Printable ASCII of at most 200 bytes: names of the peer may hold anything.
func shown(_ text: String) -> String {
  shown(text.utf8)
}

func shown(_ bytes: some Sequence<UInt8>) -> String {
  let printable = bytes.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
  return String(decoding: printable, as: UTF8.self)
}

/// A duration in people's units, such as 10 s or 250 ms.
func shown(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let milliseconds = attoseconds / 1_000_000_000_000_000
  if milliseconds == 0 { return "\(seconds) s" }
  return seconds == 0 ? "\(milliseconds) ms" : "\(seconds).\(tenths(milliseconds)) s"
}

private func tenths(_ milliseconds: Int64) -> String {
  milliseconds < 100 ? "0" : "\(milliseconds / 100)"
}
