import WebSocket

/// What it means that a proxy does not open the way, and the sentences about it.
///
/// | answer | course |
/// |---|---|
/// | 401, 407; SOCKS: user and password wanted or not accepted | refused |
/// | 408, 425, 429, 5xx | retry, not before Retry-After |
/// | SOCKS 1, 3 to 6 and unknown codes (failure, unreachable, refused, expired); an end without an answer | retry |
/// | any other, 403 and SOCKS 2 (its rules forbid it) among them | give up |
struct ProxyWords: Sendable {
  let proxy: ProxyEndpoint
  /// HOST:PORT that it was asked for.
  let place: String
  /// Our own clock, in seconds since 1970.
  var calendar: Int64?

  private var subject: String { "T" + proxy.named.dropFirst() }

  private func failure(_ sentence: String, short: String, status: Int? = nil) -> Failure {
    Failure(kind: .proxy, status: status, message: "\(subject) \(sentence)", short: short)
  }

  // MARK: HTTP

  func verdict(onRefusal original: Refusal) -> Verdict {
    let refusal = secrets.hiding(in: original)
    let status = refusal.status
    let reason = refusal.reason.isEmpty ? words(forStatus: status) : madeSafe(refusal.reason)
    let answer = reason.isEmpty ? "\(status)" : "\(status) \(reason)"
    let page = excerpt(of: refusal)
    let quote = page.isEmpty ? "" : ", saying “\(page)”"
    func failure(_ advice: String, short: String? = nil) -> Failure {
      self.failure(
        "answered \(answer) when asked for \(place)\(quote); \(advice)",
        short: "proxy: \(short ?? answer)", status: status)
    }
    switch status {
    case 401, 407:
      // 401 is for servers to say; tinyproxy says it of a wrong password.
      let what = proxy.credentials == nil ? "wanted" : "rejected"
      return Verdict(
        .refused,
        failure(advice(onChallenge: refusal.headers), short: "\(status) password \(what)"))
    case 403:
      return Verdict(
        .giveUp,
        failure("it does not allow this server or port: --no-proxy names what goes around it"))
    case 408, 425, 429, 500...599:
      let pause = retryAfter(of: refusal.headers, calendar: calendar)
      return Verdict(
        .retry(after: pause), failure("trying again can help\(words(forPause: pause))"))
    default:
      return Verdict(.giveUp, failure("check that this is the URL of a proxy"))
    }
  }

  private func advice(onChallenge headers: [Header]) -> String {
    let challenges = headers.values(of: "Proxy-Authenticate")
    let schemes = challenges.compactMap { $0.split(separator: " ").first.map(String.init) }
    if !schemes.isEmpty, !schemes.contains(where: { $0.lowercased() == "basic" }) {
      return
        "it wants \(madeSafe(schemes.joined(separator: " or "))), where only Basic is spoken here"
    }
    let realm = challenges.lazy.compactMap(Self.realm).first.map { " for “\(madeSafe($0))”" } ?? ""
    return proxy.credentials == nil
      ? "it wants user and password\(realm): write them into its URL, \(urlWithPassword)"
      : "it did not accept user and password\(realm): check them in its URL"
  }

  /// The realm of a challenge (RFC 9110 section 11.5) that begins with it, as that of Basic does.
  private static func realm(of challenge: String) -> String? {
    let parts = challenge.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[0].lowercased().hasSuffix("realm="), !parts[1].isEmpty else {
      return nil
    }
    return String(parts[1])
  }

  func verdict(onHTTP error: HandshakeError) -> Verdict {
    let what = words(for: error)
    if error == .endedEarly {
      return Verdict(
        .retry(after: nil),
        failure(
          "ended the connection without an answer about \(place): is it one of another kind "
            + "(http, https, socks5, socks5h)?", short: "proxy: no answer"))
    }
    return Verdict(
      .giveUp,
      failure(
        "\(what); check whether it is one of another kind (http, https, socks5, socks5h)",
        short: "proxy: wrong answer"))
  }

  // MARK: SOCKS

  func verdict(onSOCKS error: SOCKSError) -> Verdict {
    switch error {
    case .foreign(let byte):
      let hint =
        byte == UInt8(ascii: "H")
        ? "it speaks HTTP: begin its URL with http://"
        : "check whether it is one of another kind (http, https)"
      return Verdict(
        .giveUp, failure("does not speak SOCKS 5; \(hint)", short: "proxy: no SOCKS 5"))
    case .noAcceptableMethod where proxy.credentials == nil:
      return Verdict(
        .refused,
        failure(
          "wants user and password: write them into its URL, \(urlWithPassword)",
          short: "proxy: password wanted"))
    case .noAcceptableMethod:
      return Verdict(
        .refused,
        failure(
          "lets nobody in by user and password: ask who runs it which way it takes",
          short: "proxy: no way in"))
    case .denied:
      return Verdict(
        .refused,
        failure(
          "did not accept user and password: check them in its URL",
          short: "proxy: password rejected"))
    case .unofferedMethod, .unknownAddressType, .unasked:
      return Verdict(
        .giveUp,
        failure("broke the SOCKS protocol: ask who runs it", short: "proxy: wrong answer"))
    case .refused(let code):
      return verdict(onReply: code)
    case .endedEarly:
      return Verdict(
        .retry(after: nil),
        failure(
          "ended the connection in the middle of SOCKS 5: does it let this machine in, and is it one of "
            + "another kind (http, https)?", short: "proxy: cut"))
    case .unspeakableName:
      return Verdict(
        .giveUp,
        failure(
          "cannot be asked for \(madeSafe(place)): SOCKS takes names of up to 255 bytes",
          short: "proxy: name too long"))
    }
  }

  /// The codes of RFC 1928 section 6.
  private func verdict(onReply code: UInt8) -> Verdict {
    let (what, advice, course): (String, String, Verdict.Course) =
      switch code {
      case 1: ("general failure", "trying again can help", .retry(after: nil))
      case 2: ("its rules forbid it", "--no-proxy names what goes around it", .giveUp)
      case 3: ("network unreachable", "trying again can help", .retry(after: nil))
      case 4: ("host unreachable", "check the name of the server", .retry(after: nil))
      case 5: ("connection refused", "is the server running on that port?", .retry(after: nil))
      case 6: ("time to live expired", "trying again can help", .retry(after: nil))
      case 7: ("it does not know CONNECT", "it cannot be used for this", .giveUp)
      case 8:
        proxy.kind == .socks5
          ? ("it does not know this type of address", "try socks5h:// or --ipv4", .giveUp)
          : ("it does not know this type of address", "try socks5:// or --ipv4", .giveUp)
      default: ("unknown reply \(code)", "trying again can help", .retry(after: nil))
      }
    return Verdict(
      course, failure("did not reach \(place): \(what); \(advice)", short: "proxy: \(what)"))
  }

  // MARK: Secrets

  private var urlWithPassword: String {
    proxy.shown.replacing("://", with: "://USER:PASSWORD@", maxReplacements: 1)
  }

  /// Some proxies repeat the request on their pages.
  private var secrets: Secrets {
    var secrets = Secrets()
    if let credentials = proxy.credentials {
      secrets.add(userinfo: "\(credentials.user):\(credentials.password)")
    }
    return secrets
  }
}

extension ProxyEndpoint {
  /// The value of Proxy-Authorization (RFC 7617 section 2); nil without user and password.
  var authorization: String? {
    credentials.map { "Basic " + Base64.encoded(Array("\($0.user):\($0.password)".utf8)) }
  }
}
