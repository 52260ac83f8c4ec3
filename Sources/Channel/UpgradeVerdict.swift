package import WebSocket

/// What an answer other than 101 means. The README has the table with all codes and a test that compares the two.
///
/// | status | course |
/// |---|---|
/// | 401, 403, 407 | refused |
/// | 408, 425, 429, 5xx | retry, not before Retry-After; give up where that is more than a day |
/// | 3xx | give up, naming Location; redirects that may be followed do not come here |
/// | any other, 2xx with a page included | give up |
///
/// `sentToken` tells whether a token went with the request: the advice differs. `advice` takes the place of that for
/// a redirect: why it was not followed. `asked` is what was answered. `calendar` is our own clock, in seconds since
/// 1970, for answers that give a date without saying what the server's clock shows.
package func verdict(
  onRefusal refusal: Refusal, from endpoint: Endpoint, sentToken: Bool = false,
  advice redirectAdvice: String? = nil, to asked: String = "the upgrade", calendar: Int64? = nil
) -> Verdict {
  let status = refusal.status
  let reason = refusal.reason.isEmpty ? words(forStatus: status) : madeSafe(refusal.reason)
  let answer = reason.isEmpty ? "\(status)" : "\(status) \(reason)"
  func failure(_ kind: Failure.Kind, _ advice: String, short: String? = nil) -> Failure {
    let page = excerpt(of: refusal)
    let quote = page.isEmpty ? "" : ", saying “\(page)”"
    return Failure(
      kind: kind, status: status,
      message: "\(endpoint.hostField) answered \(answer) to \(asked)\(quote); \(advice)",
      short: short ?? answer)
  }
  switch status {
  case 401, 403:
    let advice =
      sentToken
      ? "the token was not accepted: get a new one"
      : "it wants a token: see --token-file, --token-command or PARLOUR_TOKEN"
    let short = "\(status) \(sentToken ? "token rejected" : "token wanted")"
    return Verdict(.refused, failure(.refused, advice, short: short))
  case 407:
    return Verdict(.refused, failure(.refused, "put user and password into the URL of --proxy"))
  case 408, 425, 429, 500...599:
    let pause = retryAfter(of: refusal.headers, calendar: calendar)
    if let pause, pause > Backoff.longest {
      let days = pause.components.seconds / 86_400
      let length = days == 1 ? "more than a day" : "\(days) days"
      return Verdict(
        .giveUp,
        failure(.upgrade, "it asks for a pause of \(length), too long to wait for: come back then"))
    }
    return Verdict(
      .retry(after: pause),
      failure(.upgrade, "trying again can help\(words(forPause: pause))"))
  case 426:
    // RFC 6455 section 4.4.
    let versions = refusal.headers.filter { $0.name.lowercased() == "sec-websocket-version" }
      .map { madeSafe($0.value) }.joined(separator: ", ")
    let advice =
      versions.isEmpty
      ? "check the path of the URL"
      : "it speaks version \(versions) of the WebSocket protocol, where 13 is today's: ask who runs it"
    return Verdict(.giveUp, failure(.upgrade, advice))
  case 300...399:
    return Verdict(.giveUp, failure(.upgrade, redirectAdvice ?? "check the URL"))
  // The words of nginx, Apache and Go for a request without TLS.
  case 400 where !endpoint.isSecure && excerpt(of: refusal).contains("HTTPS"):
    let advice = "use wss:// instead of ws://"
    return Verdict(.giveUp, failure(.upgrade, advice, short: Failure.speaksTLS))
  default:
    return Verdict(.giveUp, failure(.upgrade, "check the path of the URL"))
  }
}

/// What a wrong 101 means, or something that is no HTTP at all: the next attempt would get the same,
/// so it is given up. Only an answer that was cut short is tried again; `isEmpty` says that nothing of it came.
package func verdict(
  onHandshakeError error: HandshakeError, from endpoint: Endpoint, isEmpty: Bool = false
) -> Verdict {
  let name = endpoint.hostField
  let what =
    isEmpty && error == .endedEarly
    ? "ended the connection without an answer to the upgrade" : words(for: error)
  if error == .endedEarly {
    return Verdict(
      .retry(after: nil),
      Failure(
        kind: .upgrade, message: "\(name) \(what); trying again can help",
        short: Failure.upgradeCut))
  }
  if error == .tls, !endpoint.isSecure {
    return Verdict(
      .giveUp,
      Failure(
        kind: .upgrade, message: "\(name) \(what): use wss:// instead of ws://",
        short: Failure.speaksTLS))
  }
  return Verdict(
    .giveUp,
    Failure(
      kind: .upgrade,
      message: "\(name) \(what); check that the URL is that of a WebSocket server",
      short: "wrong answer to the upgrade"))
}

/// What a peer did wrong, for behind its name.
func words(for error: HandshakeError) -> String {
  switch error {
  case .notHTTP(let line) where madeSafe(line).isEmpty: "answered by something that is no HTTP"
  case .notHTTP(let line): "answered “\(madeSafe(line))”, which is no HTTP"
  case .tls: "answered in TLS"
  case .malformedHeader(let line): "sent the malformed header “\(madeSafe(line))”"
  case .headTooLarge: "sent more headers than are read"
  case .missingUpgrade: "accepted, but without the Upgrade: websocket header"
  case .missingConnection: "accepted, but without the Connection: Upgrade header"
  case .wrongAccept: "accepted with a wrong Sec-WebSocket-Accept: it did not read the request"
  case .unofferedSubprotocol(let found):
    "selected the subprotocol “\(madeSafe(found))”, which was not offered"
  case .unofferedExtension(let found):
    "selected the extension “\(madeSafe(found))”, which was not offered"
  case .wrongExtensionParameters(let found):
    "answered the extensions with “\(madeSafe(found))”, which does not go with the offer"
  case .endedEarly: "ended the connection in the middle of its answer to the upgrade"
  }
}

/// The pause that a Retry-After field asks for (RFC 9110 section 10.2.3): seconds, or a date, which is
/// compared with the answer's own Date, so that the clocks need not agree; where it has none that can be read (section
/// 6.6.1), with ours: `calendar`, in seconds since 1970.
func retryAfter(of headers: [Header], calendar: Int64?) -> Duration? {
  func value(of name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
  guard let text = value(of: "retry-after") else { return nil }
  if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
    // More digits than an Int holds are a long time too.
    return .seconds(min(Int64(text) ?? .max, longestPause))
  }
  guard let until = HTTPDate.seconds(of: text),
    let now = value(of: "date").flatMap(HTTPDate.seconds(of:)) ?? calendar
  else { return nil }
  return .seconds(min(max(until - now, 0), longestPause))
}

/// A thousand years, which no arithmetic overflows with.
private let longestPause: Int64 = 365_000 * 86_400

/// The first lines of a page, in one line of at most 200 characters.
func excerpt(of refusal: Refusal) -> String {
  let isEncoded = refusal.headers.contains {
    $0.name.lowercased() == "content-encoding" && $0.value.lowercased() != "identity"
  }
  guard !isEncoded else { return "" }
  let page = String(decoding: refusal.body.prefix(4096), as: UTF8.self)
  let lines = withoutMarkup(page).split(whereSeparator: \.isNewline)
    .map { $0.split { $0 == " " || $0 == "\t" }.joined(separator: " ") }
    .filter { !$0.isEmpty }
  return madeSafe(hidingTokens(in: lines.prefix(3).joined(separator: " ")))
}

/// Behind “trying again can help”; empty where no pause was asked for.
func words(forPause pause: Duration?) -> String {
  pause.map { $0 > .zero ? " after \($0.words), as it asks" : "" } ?? ""
}

/// Reason phrases of RFC 9110 section 15 for answers that bring none.
func words(forStatus status: Int) -> String {
  switch status {
  case 200: "OK"
  case 301: "Moved Permanently"
  case 302: "Found"
  case 303: "See Other"
  case 307: "Temporary Redirect"
  case 308: "Permanent Redirect"
  case 400: "Bad Request"
  case 401: "Unauthorized"
  case 403: "Forbidden"
  case 404: "Not Found"
  case 405: "Method Not Allowed"
  case 407: "Proxy Authentication Required"
  case 408: "Request Timeout"
  case 410: "Gone"
  case 425: "Too Early"
  case 426: "Upgrade Required"
  case 429: "Too Many Requests"
  case 500: "Internal Server Error"
  case 502: "Bad Gateway"
  case 503: "Service Unavailable"
  case 504: "Gateway Timeout"
  default: ""
  }
}
