import Channel
import Glibc
import Net
import Text
import WebSocket

/// What the connecting commands share: the session's configuration and how its server is reached, read from options,
/// files and the environment.
struct ConnectOptions {
  var session: SessionConfiguration
  var link: LinkOptions
  let tokenSource: TokenSource
  /// Where one is wanted.
  private(set) var log: SessionLog?
  /// What the person should know before going on; sentences.
  private(set) var warnings: [String] = []
  let arguments: Arguments

  /// Whose token is sent.
  enum Identity {
    /// What the options and the environment say.
    case given
    /// Of a server that is talked to already.
    case known(TokenSource, Bearer?)
    /// None: it was given for another server.
    case nobody
    /// None, and no log is opened: only whether the options are right.
    case trial
  }

  init(_ arguments: Arguments, identity: Identity = .given) throws(CommandFailure) {
    self.arguments = arguments
    let endpoint = try Self.endpoint(arguments.operands.first ?? "")
    link = try LinkOptions(arguments)
    let profile = try Self.profile(arguments)
    let dialect = try Self.choice("dialect", of: arguments, DialectName.self)
    var context = DialectContext(
      room: try Self.name("room", of: arguments, otherwise: "lobby", limit: 64),
      nick: try Self.name("nick", of: arguments, otherwise: Self.loginName, limit: 32),
      profile: profile ?? .builtIn)
    context.historyCount = try Self.number("history", of: arguments, in: 0...10_000) ?? 50
    context.after = arguments.value("after")
    session = SessionConfiguration(
      endpoint: endpoint,
      subprotocols: Self.subprotocols(arguments, profile: profile, dialect: dialect),
      context: context)
    session.proxy = try Self.proxy(arguments, for: endpoint)
    if let proxy = session.proxy {
      try link.check(proxy.host, proxy.port)
    } else {
      try link.check(endpoint.host, endpoint.port)
    }
    session.dialect = dialect ?? .plain
    session.requiresSubprotocol =
      arguments.has("subprotocol") || arguments.has("require-subprotocol")
      || (dialect == nil && profile?.allowsText == false)
    session.headers = try Self.headers(arguments)
    switch identity {
    case .given:
      tokenSource = try TokenSource(arguments)
      session.token = try tokenSource.token()
    case .known(let source, let token):
      tokenSource = source
      session.token = token
    case .nobody: tokenSource = .none
    case .trial: tokenSource = try TokenSource(arguments)
    }
    session.renewsToken = tokenSource.isRenewable
    try placeToken(arguments, profile: profile)
    session.isInsecure = link.tls.isInsecure
    try takeNumbers(arguments)
    guard let options = try LogOptions(arguments) else { return }
    if case .trial = identity { return }
    session.isLogged = true
    log = try SessionLog(options, session)
  }

  static func endpoint(_ word: String) throws(CommandFailure) -> Endpoint {
    do {
      return try Endpoint(parsing: word)
    } catch {
      let meant = OptionTable.suggestion(for: word).map { " Do you mean parlour \($0)?" } ?? ""
      throw .usage(error.message + meant)
    }
  }

  /// The rooms that were named, each once.
  static func rooms(_ arguments: Arguments) throws(CommandFailure) -> [String] {
    var rooms: [String] = []
    for text in arguments.values("room") {
      var one = arguments
      one.options["room"] = [text]
      let room = try name("room", of: one, otherwise: "lobby", limit: 64)
      if !rooms.contains(room) { rooms.append(room) }
    }
    return rooms
  }

  /// The same server as the same person, in another room.
  func entering(_ room: String) throws(CommandFailure) -> ConnectOptions {
    var result = self
    result.session.context.room = room
    result.session.context.after = nil
    result.warnings = []
    // Each has the links of one session.
    if let log = try LogOptions(arguments) { result.log = try SessionLog(log, session) }
    return result
  }

  mutating func warn(_ sentence: String) {
    warnings.append(sentence)
  }

  /// Where the token travels: as `--auth` says, else where the profile wants it, else in the header.
  private mutating func placeToken(
    _ arguments: Arguments, profile: Profile?
  ) throws(CommandFailure) {
    let placement = try Self.choice(
      "auth", of: arguments, SessionConfiguration.AuthPlacement.self)
    let wantsInit = profile?.authInit != nil
    session.auth = placement ?? (wantsInit && profile?.authHeader == nil ? .`init` : .header)
    if session.auth == .`init` || (placement == nil && wantsInit) {
      session.context.token = session.token
    }
    if session.auth == .query, session.token != nil {
      warnings.append(
        "The token stands in the URL's query, which servers and proxies write into their logs:"
          + " prefer --auth header where the server takes it.")
    }
  }

  private mutating func takeNumbers(_ arguments: Arguments) throws(CommandFailure) {
    if let first = try Self.duration("first-delay", of: arguments) { session.backoff.first = first }
    if let most = try Self.duration("max-delay", of: arguments) { session.backoff.most = most }
    session.maxAttempts =
      try Self.number("max-attempts", of: arguments, in: 1...1_000_000) ?? session.maxAttempts
    session.reconnects = !arguments.has("no-reconnect")
    session.compresses = !arguments.has("no-compression")
    session.connectTimeout =
      try Self.duration("connect-timeout", of: arguments) ?? session.connectTimeout
    session.pingInterval = try Self.duration("ping-interval", of: arguments) ?? session.pingInterval
    session.pingTimeout = try Self.duration("ping-timeout", of: arguments) ?? session.pingTimeout
    session.closeTimeout = try Self.duration("close-timeout", of: arguments) ?? session.closeTimeout
    if let text = arguments.value("max-message") {
      guard let bytes = parseByteCount(text) else {
        throw .usage("--max-message \(shown(text)) is no size: write 65536, 64KiB or 16MiB.")
      }
      session.maxMessage = bytes
    }
  }

  private static func subprotocols(
    _ arguments: Arguments, profile: Profile?, dialect: DialectName?
  ) -> [String] {
    let named = arguments.values("subprotocol")
    if !named.isEmpty { return named }
    // A profile may name protocols that no dialect here speaks: an answer with one would be of no use.
    if let profile {
      return profile.subprotocols.filter { Subprotocols.dialect(of: $0) != nil }
    }
    guard let dialect else { return Subprotocols.all.map(\.name) }
    // Servers of the plain kind may know no subprotocol at all: none is offered then.
    return dialect == .plain ? [] : Subprotocols.all.filter { $0.dialect == dialect }.map(\.name)
  }

  private static func proxy(
    _ arguments: Arguments, for endpoint: Endpoint
  ) throws(CommandFailure) -> ProxyEndpoint? {
    let settings = ProxySettings(
      option: arguments.value("proxy"), exceptions: arguments.value("no-proxy"),
      environment: App.environment)
    do {
      return try settings.proxy(for: endpoint)
    } catch {
      throw error.isOfEnvironment ? .configuration(error.message) : .usage(error.message)
    }
  }

  private static func headers(_ arguments: Arguments) throws(CommandFailure) -> [Header] {
    var headers: [Header] = []
    for text in arguments.values("header") {
      guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
        throw .usage("--header \(shown(text)) is no header: write 'Name: value'.")
      }
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(Header(String(text[..<colon]), String(value)))
    }
    if let problem = ClientHandshake.problem(with: headers) { throw .usage(problem) }
    return headers
  }

  private static func profile(_ arguments: Arguments) throws(CommandFailure) -> Profile? {
    guard let word = arguments.value("profile") else { return nil }
    return try ProfileFiles.load(word)
  }
}

extension ConnectOptions {
  static func duration(_ name: String, of arguments: Arguments) throws(CommandFailure) -> Duration?
  {
    guard let text = arguments.value(name) else { return nil }
    guard let duration = parseDuration(text) else {
      throw .usage("--\(name) \(shown(text)) is no duration: write 250ms, 30s or 2m.")
    }
    return duration
  }

  static func number(
    _ name: String, of arguments: Arguments, in range: ClosedRange<Int>
  ) throws(CommandFailure) -> Int? {
    guard let text = arguments.value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "--\(name) \(shown(text)) is no number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  static func choice<Choice: RawRepresentable<String>>(
    _ name: String, of arguments: Arguments, _: Choice.Type
  ) throws(CommandFailure) -> Choice? {
    guard let text = arguments.value(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let entry = (OptionTable.connecting + OptionTable.subscribing).first { $0.name == name }
      throw .usage(
        "--\(name) \(shown(text)) is none of \(entry?.value ?? "its values").")
    }
    return choice
  }

  /// A room or a nick: one line without controls, not empty.
  static func name(
    _ option: String, of arguments: Arguments, otherwise: String, limit: Int
  ) throws(CommandFailure) -> String {
    guard let text = arguments.value(option) else { return otherwise }
    let safe = UntrustedText(text).safe(for: .nick, limit: limit)
    guard !text.isEmpty, safe == text, !text.contains(where: \.isWhitespace) else {
      throw .usage(
        "--\(option) \(shown(text)) cannot be used: at most \(limit) characters, no white space, no"
          + " control characters.")
    }
    return text
  }

  /// The login name, or "guest" where there is none that can be shown.
  static var loginName: String {
    let name: String
    if let entry = getpwuid(getuid()), let field = entry.pointee.pw_name {
      name = String(cString: field)
    } else {
      name = environment("USER") ?? "guest"
    }
    let safe = UntrustedText(name).safe(for: .nick, limit: 32).filter { !$0.isWhitespace }
    return safe.isEmpty ? "guest" : safe
  }
}
