package import Channel
import WebSocket

/// The steps from nothing to a line that answers, in their order.
package enum CheckStep: String, CaseIterable, Sendable {
  case lookUp = "look-up"
  case tcp = "TCP"
  case proxy
  case tls = "TLS"
  case upgrade
  case subprotocol
  case introduction
  case ping

  /// What to try where this step fails, beside what the failure itself says.
  func advice(on failure: Failure, from endpoint: Endpoint) -> String {
    let (host, port) = (endpoint.host, endpoint.port)
    return switch self {
    case .lookUp:
      "getent hosts \(host) asks the same resolver; --resolve HOST:PORT:ADDRESS goes without."
    case .tcp:
      "See that a server listens on port \(port) of \(host), and that no firewall is in between."
    case .proxy:
      "See --proxy and the proxy variables of the environment; --no-proxy \(host) goes without."
    case .tls where failure.short == Failure.speaksNoTLS:
      "This port speaks no TLS: try ws:// instead of wss://."
    case .tls where failure.short == Failure.tlsCut || failure.kind == .timeout:
      "Perhaps this port speaks no TLS: try ws://; openssl s_client -connect \(host):\(port) shows what comes."
    case .tls:
      "openssl s_client -connect \(host):\(port) shows the certificate; --cacert FILE trusts its authority,"
        + " --server-name NAME takes another name."
    case .upgrade where failure.short == Failure.speaksTLS:
      "This port speaks TLS: try wss:// instead of ws://."
    case .upgrade where failure.status == 401 || failure.status == 403:
      "--token-file FILE or --token-command CMD gives a token, --auth header|query|init says where it goes."
    case .upgrade where !endpoint.isSecure && Self.saidNothing(failure):
      "Perhaps this port speaks TLS: try wss://; else see that the URL, its path too, is that of a WebSocket server."
    case .upgrade: "See that the URL, its path too, is that of a WebSocket server."
    case .subprotocol:
      "--subprotocol NAME offers another one; without --require-subprotocol none is demanded."
    case .introduction:
      "The server speaks the subprotocol but does not let us in: see --auth, --token-file and --profile."
    case .ping where failure.kind == .refused:
      "The server upgrades the line and then does not let us in: see --token-file, --auth and --header."
    case .ping where failure.kind == .protocol:
      "The upgrade was right, what follows is not: see --subprotocol and --dialect, and whether something in between"
        + " changes what passes."
    case .ping where failure.kind != .timeout:
      "The server, or something in between, ended the line behind the upgrade: its log says why."
    case .ping: "The line stands, but nothing comes back: something in between may hold it up."
    }
  }

  /// As many servers do that expect TLS: they end the connection, or wait for more.
  private static func saidNothing(_ failure: Failure) -> Bool {
    failure.short == Failure.upgradeCut || failure.kind == .tcp || failure.kind == .timeout
  }
}

/// What became of the steps, with the time that each took.
package struct CheckSteps {
  package enum Outcome: Equatable, Sendable {
    case done(String)
    case skipped(String)
    case failed(Failure)
  }

  package struct Row: Equatable, Sendable {
    package var step: CheckStep
    package var outcome: Outcome
    package var time: Duration?
  }

  private var current: CheckStep?
  private var since = Instant()
  private var hasProxy = false
  private var isUpgraded = false
  /// The last step was done.
  private(set) var isOver = false
  private var rows: [Row] = []

  mutating func take() -> [Row] {
    defer { rows = [] }
    return rows
  }

  mutating func start(at now: Instant) {
    begin(.tcp, at: now)
  }

  mutating func link(_ news: LinkNews, at now: Instant) {
    // Queries over HTTP have links of their own.
    guard !isUpgraded else { return }
    switch news {
    case .lookingUp: begin(.lookUp, at: now)
    case .connecting(let addresses):
      if current == .lookUp {
        finish(.done(addresses.joined(separator: ", ")), at: now)
      } else {
        rows.append(Row(step: .lookUp, outcome: .skipped("not needed for an address"), time: nil))
      }
      begin(.tcp, at: now)
    case .tunnelling(let peer):
      finish(.done(peer), at: now)
      hasProxy = true
      begin(.proxy, at: now)
    case .securing(let peer):
      finish(.done(peer), at: now)
      begin(.tls, at: now)
    case .opened(let peer, let tls):
      finish(.done(current == .tls ? tls ?? "" : peer), at: now)
      if !hasProxy {
        rows.append(Row(step: .proxy, outcome: .skipped("none is used"), time: nil))
      }
      if tls == nil { rows.append(Row(step: .tls, outcome: .skipped("not with ws://"), time: nil)) }
      begin(.upgrade, at: now)
    }
  }

  /// The answer to the upgrade points to another URL, and is followed; links of another one come now.
  mutating func redirected(_ words: String, at now: Instant) {
    guard current == .upgrade else { return }
    finish(.done(words), at: now)
    begin(.tcp, at: now)
  }

  mutating func opened(
    subprotocol: String?, dialect: DialectName, isCompressed: Bool, at now: Instant
  ) {
    isUpgraded = true
    finish(.done(isCompressed ? "101, with compression" : "101, without compression"), at: now)
    let words = subprotocol.map { "\($0), so the dialect \(dialect.rawValue)" }
    rows.append(
      Row(
        step: .subprotocol,
        outcome: words.map { .done($0) }
          ?? .skipped("none was selected, so the dialect \(dialect.rawValue)"), time: nil))
    begin(.introduction, at: now)
  }

  mutating func introduced(_ dialect: DialectName, at now: Instant) {
    guard current == .introduction else { return }
    switch dialect {
    case .graphql: finish(.done("connection_ack"), at: now)
    case .envelope: finish(.done("entered the room"), at: now)
    default:
      rows.append(Row(step: .introduction, outcome: .skipped("the dialect has none"), time: nil))
    }
    begin(.ping, at: now)
  }

  mutating func answered(in roundTrip: Duration) {
    guard current == .ping else { return }
    rows.append(Row(step: .ping, outcome: .done("the server answers"), time: roundTrip))
    isOver = true
    current = nil
  }

  /// The step that is under way came to nothing.
  mutating func failed(_ failure: Failure, at now: Instant) {
    guard let step = current else { return }
    if step == .upgrade, failure.short == Failure.noSubprotocol {
      finish(.done("101"), at: now)
      rows.append(Row(step: .subprotocol, outcome: .failed(failure), time: nil))
      current = nil
      return
    }
    switch failure.kind {
    case .dns: current = .lookUp
    case .proxy: current = .proxy
    case .tls where step == .tcp: current = .tls
    case .tls, .tcp, .upgrade, .protocol, .timeout, .refused: break
    }
    finish(.failed(failure), at: now)
    current = nil
  }

  private mutating func begin(_ step: CheckStep, at now: Instant) {
    current = step
    since = now
  }

  private mutating func finish(_ outcome: Outcome, at now: Instant) {
    guard let current else { return }
    rows.append(Row(step: current, outcome: outcome, time: now - since))
  }
}
