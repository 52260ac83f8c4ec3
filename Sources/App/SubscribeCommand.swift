import Channel
import Glibc
import JSON
import Net
import Program
import Text

/// `parlour subscribe URL`: one GraphQL operation, every result a line of JSON.
struct SubscribeCommand {
  private let options: SubscribeOptions
  private var connect: ConnectOptions

  init(_ arguments: Arguments) throws(CommandFailure) {
    // Before the token is asked for: a slip in the document is told at once.
    let task = try SubscribeArguments.task(arguments)
    let payload = try SubscribeArguments.introduction(arguments)
    connect = try ConnectOptions(arguments)
    connect.speakGraphQL(arguments, introduction: payload)
    if connect.session.token == nil, payload?.text.utf8.contains("{token}".utf8) == true {
      throw .usage(
        "--init holds {token}, but there is no token: give one by --token-file, --token-command or PARLOUR_TOKEN."
      )
    }
    connect.session.context.operation = task
    var options = SubscribeOptions()
    options.count = try ConnectOptions.number("count", of: arguments, in: 1...1_000_000_000)
    options.isPretty = arguments.has("pretty")
    options.isTerminal = isatty(STDOUT_FILENO) == 1
    options.isOverHTTP = try SubscribeArguments.isOverHTTP(arguments, task)
    self.options = options
  }

  func run() throws(CommandFailure) -> Int32 {
    let signals = try Machine.signals([SIGINT, SIGTERM, SIGHUP])
    // A reader that is gone is told by the write, and ends the program with a code of its own.
    signal(SIGPIPE, SIG_IGN)
    for warning in connect.warnings { write("parlour: \(warning)\n", to: STDERR_FILENO) }
    let loop = try HeadlessLoop(
      SubscribeClient(connect.session, options), connect: connect, reactor: Machine.reactor(),
      tokens: Tokens(), signals: signals)
    return loop.run()
  }
}

extension ConnectOptions {
  /// Nothing but GraphQL is of use: its subprotocols are offered, and one of them is demanded unless the dialect was
  /// named. `introduction` is the payload of connection_init where one was given.
  mutating func speakGraphQL(_ arguments: Arguments, introduction: JSON?) {
    session.dialect = .graphql
    if !arguments.has("subprotocol") {
      session.subprotocols.removeAll { Subprotocols.dialect(of: $0) != .graphql }
      if session.subprotocols.isEmpty {
        session.subprotocols = Subprotocols.all.filter { $0.dialect == .graphql }.map(\.name)
      }
    }
    if !arguments.has("dialect") { session.requiresSubprotocol = true }
    guard let introduction else { return }
    session.context.profile.authInit = introduction
    if introduction.text.utf8.contains("{token}".utf8) { session.context.token = session.token }
  }
}

/// What the options of `parlour subscribe` say about the operation.
enum SubscribeArguments {
  static func task(_ arguments: Arguments) throws(CommandFailure) -> GraphQLTask {
    guard let word = arguments.value("query") else {
      throw .usage(
        "Say what to ask for: --query TEXT, --query @FILE, or --query - for standard input.")
    }
    let document = try text(of: word, option: "query", mayBeStandardInput: true)
    do {
      return try GraphQLTask(
        document: document, operationName: arguments.value("operation"),
        variables: variables(arguments))
    } catch let fault as GraphQLTask.Fault {
      // Names in it come from the document.
      let sentence = UntrustedText("The document of --query \(fault.message).")
        .safe(for: .line, limit: 600)
      switch fault.part {
      case .document: throw CommandFailure(sentence, exitCode: ExitCode.badData)
      case .surroundings: throw .usage(sentence)
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .usage("The document of --query cannot be used.")
    }
  }

  /// As --via says, else by the scheme of the URL; nothing is pushed over HTTP.
  static func isOverHTTP(
    _ arguments: Arguments, _ task: GraphQLTask
  ) throws(CommandFailure) -> Bool {
    let via = try ConnectOptions.choice("via", of: arguments, Profile.Transport.self)
    if via == .http, task.kind == .subscription {
      throw .usage("--via http is for queries and mutations: nothing is pushed over HTTP.")
    }
    guard task.kind != .subscription else { return false }
    return via.map { $0 == .http } ?? hasHTTPScheme(arguments)
  }

  /// The URL was written with `http` or `https` instead of `ws` or `wss`.
  static func hasHTTPScheme(_ arguments: Arguments) -> Bool {
    arguments.operands.last?.lowercased().hasPrefix("http") == true
  }

  static func introduction(_ arguments: Arguments) throws(CommandFailure) -> JSON? {
    guard let text = arguments.value("init") else { return nil }
    return .object(try object(text, option: "init"))
  }

  /// Those of --variables, and then those of --variable, of which the last counts.
  private static func variables(_ arguments: Arguments) throws(CommandFailure) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let word = arguments.value("variables") {
      members = try object(text(of: word, option: "variables"), option: "variables")
    }
    for word in arguments.values("variable") {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw .usage("--variable \(shown(word)) is no variable: write NAME=VALUE.")
      }
      let name = String(word[..<equals])
      let value = String(word[word.index(after: equals)...])
      members.removeAll { $0.key == name }
      members.append(JSON.Member(name, (try? JSON.parse(value)) ?? .string(value)))
    }
    return members
  }

  private static func object(
    _ text: String, option: String
  ) throws(CommandFailure) -> [JSON.Member] {
    let value: JSON
    do {
      value = try JSON.parse(text)
    } catch {
      throw .usage("--\(option) is no JSON: \(error.message)")
    }
    guard let members = value.members else {
      throw .usage("--\(option) must be a JSON object, such as {\"room\":\"lobby\"}.")
    }
    return members
  }

  /// The word itself, what a file holds for `@FILE`, or standard input for `-`.
  private static func text(
    of word: String, option: String, mayBeStandardInput: Bool = false
  ) throws(CommandFailure) -> String {
    if word == "-", mayBeStandardInput {
      guard let bytes = readAll(STDIN_FILENO, limit: 1 << 20) else {
        throw CommandFailure(
          "Standard input cannot be read: \(systemErrorWords()).", exitCode: ExitCode.inputOutput)
      }
      guard bytes.count <= 1 << 20, let text = String(validating: bytes, as: UTF8.self) else {
        throw .usage("Standard input is no document: it must be UTF-8 text of at most 1 MiB.")
      }
      return text
    }
    return word.hasPrefix("@") ? try readTextFile(String(word.dropFirst())) : word
  }
}
