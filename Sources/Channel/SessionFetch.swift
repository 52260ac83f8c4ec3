import WebSocket

/// Requests that a dialect makes over HTTP, each on a link of its own beside the line.
extension Session {
  struct Fetch: Sendable {
    var id: String
    /// Nil where it cannot even be asked.
    var exchange: HTTPExchange?
    var until: Instant
    var isSent = false
    var refusal: String?
  }

  /// How long an answer may take.
  private static let fetchTimeout: Duration = .seconds(30)
  private static let mostFetches = 16

  mutating func fetch(_ id: String, _ body: String, at now: Instant) {
    let link = nextLink()
    let target: Endpoint
    do {
      target = try configuration.httpEndpoint()
    } catch {
      return refuseFetch(id, error.message, link, at: now)
    }
    guard fetches.count < Self.mostFetches else {
      return refuseFetch(id, "too many requests are under way", link, at: now)
    }
    fetches[link] = Fetch(
      id: id,
      exchange: HTTPExchange(
        graphQL: body, to: target, headers: configuration.httpHeaders,
        limit: configuration.maxMessage),
      until: now + Self.fetchTimeout)
    act(.openLink(link, target))
  }

  /// The dialect hears of it in its own turn, as of any other failure: the entry is due at once.
  private mutating func refuseFetch(
    _ id: String, _ reason: String, _ link: LinkID, at now: Instant
  ) {
    fetches[link] = Fetch(id: id, exchange: nil, until: now, refusal: reason)
  }

  mutating func fetchOpened(_ link: LinkID) {
    guard let request = fetches[link]?.exchange?.request else { return }
    fetches[link]?.isSent = true
    act(.write(link, request))
  }

  mutating func fetchReceived(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, entropy: inout Entropy
  ) {
    guard let progress = fetches[link]?.exchange?.receive(bytes) else { return }
    finishFetch(link, progress, isOver: false, at: now, entropy: &entropy)
  }

  mutating func fetchEnded(
    _ link: LinkID, _ failure: Failure?, at now: Instant, entropy: inout Entropy
  ) {
    guard let fetch = fetches[link] else { return }
    // An answer that was whole would have ended it before.
    if let failure {
      return end(
        link, .failed(failure.message, wasSent: fetch.isSent), at: now, entropy: &entropy)
    }
    finishFetch(
      link, fetch.exchange?.endOfStream() ?? .failed, isOver: true, at: now, entropy: &entropy)
  }

  private mutating func finishFetch(
    _ link: LinkID, _ progress: HTTPExchange.Progress, isOver: Bool, at now: Instant,
    entropy: inout Entropy
  ) {
    let outcome: FetchOutcome
    switch progress {
    case .incomplete: return
    case .answered(let status, _, let body): outcome = .answered(status: status, body: body)
    case .failed:
      outcome = .failed(
        "the answer over HTTP was cut in the middle or could not be read", wasSent: true)
    }
    if !isOver { act(.dropLink(link)) }
    end(link, outcome, at: now, entropy: &entropy)
  }

  mutating func fetchesTimedOut(at now: Instant, entropy: inout Entropy) {
    // In the order in which they were asked.
    for link in fetches.keys.sorted(by: { $0.number < $1.number }) {
      guard let fetch = fetches[link], fetch.until <= now else { continue }
      if let reason = fetch.refusal {
        end(link, .failed(reason, wasSent: false), at: now, entropy: &entropy)
      } else {
        act(.dropLink(link))
        let reason = "there was no answer over HTTP within \(Self.fetchTimeout.words)"
        end(link, .failed(reason, wasSent: fetch.isSent), at: now, entropy: &entropy)
      }
    }
  }

  private mutating func end(
    _ link: LinkID, _ outcome: FetchOutcome, at now: Instant, entropy: inout Entropy
  ) {
    guard let fetch = fetches.removeValue(forKey: link) else { return }
    perform(
      dialect?.answered(fetch.id, outcome, at: now) ?? [], at: now, entropy: &entropy)
  }

  /// The line that they belonged to has ended.
  mutating func dropFetches() {
    for link in fetches.keys.sorted(by: { $0.number < $1.number })
    where fetches[link]?.exchange != nil { act(.dropLink(link)) }
    fetches = [:]
  }
}

extension SessionConfiguration {
  /// Where HTTP POST goes: as the profile says, else to the place of the WebSocket. The same trust holds for both.
  func httpEndpoint() throws(EndpointError) -> Endpoint {
    var target = endpoint
    if let text = context.profile.httpEndpoint {
      target = try Endpoint(parsing: text)
      guard target.isSecure == endpoint.isSecure else {
        throw EndpointError(
          message: "the profile's “endpoint.http” and the URL must both use TLS, or both do without"
        )
      }
    }
    if let token, auth == .query { target = target.withAccessToken(token) }
    return target
  }

  /// The person's own fields, and the token: what travels in connection_init otherwise has no other place here.
  var httpHeaders: [Header] {
    guard let token, auth != .query,
      !headers.contains(where: { $0.name.lowercased() == "authorization" })
    else { return headers }
    let value = token.filled(into: context.profile.authHeader ?? "Bearer {token}")
    return [Header("Authorization", value)] + headers
  }
}

extension HTTPExchange {
  /// A POST of an operation, as it goes into the body.
  init(graphQL body: String, to target: Endpoint, headers: [Header], limit: Int) {
    self.init(
      post: Array(body.utf8), type: "application/json",
      accept: "application/graphql-response+json, application/json", host: target.hostField,
      target: target.target, headers: headers, limit: limit)
  }
}
