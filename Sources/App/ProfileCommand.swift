import Channel
import Glibc
import JSON
import Net
import Program
import Text

/// `parlour profile guess URL`: a draft of a profile from the names in a server's schema.
struct ProfileCommand {
  /// `parlour profile list`: the profiles that can be named, with the files that they are in.
  static func list() -> Int32 {
    let files = ProfileFiles.all
    let width = files.map(\.name.count).max() ?? 0
    for file in files {
      let padding = String(repeating: " ", count: width - file.name.count)
      // Whole, since it is there to be opened.
      let path = UntrustedText(file.path).safe(for: .line, limit: 4096)
      let isWritten = App.write(
        "\(shown(file.name))\(padding)  \(path)\n", to: STDOUT_FILENO)
      guard isWritten else { return ExitCode.inputOutput }
    }
    return ExitCode.done
  }

  private let arguments: Arguments
  private var connect: ConnectOptions

  init(_ arguments: Arguments) throws(CommandFailure) {
    guard arguments.operands.first == "guess" else {
      throw .usage(
        "parlour profile knows guess and list, not \(shown(arguments.operands.first ?? "")): parlour profile"
          + " guess URL.")
    }
    var rest = arguments
    rest.operands.removeFirst()
    self.arguments = rest
    connect = try ConnectOptions(rest)
    connect.speakGraphQL(rest, introduction: try SubscribeArguments.introduction(rest))
  }

  func run() throws(CommandFailure) -> Int32 {
    let signals = try Machine.signals([SIGINT, SIGTERM, SIGHUP])
    signal(SIGPIPE, SIG_IGN)
    for warning in connect.warnings { say(warning) }
    let found = try readSchema(signals)
    guard let schema = found.schema else {
      if found.code != ExitCode.interrupted { say(GuessWords.withoutSchema(found)) }
      return found.code
    }
    guard var guess = ProfileGuess(schema) else {
      GuessWords.lacking(in: schema).forEach(say)
      return ExitCode.badData
    }
    let outcome = try sample(&guess, found.transport, signals)
    GuessWords.gaps(of: guess).forEach(say)
    guard writeAll(Array(TOMLText.document(guess.profile).utf8), to: STDOUT_FILENO) else {
      return ExitCode.inputOutput
    }
    say(
      "Save the draft as NAME.toml in \(ProfileFiles.ownFolder), then: parlour --profile NAME URL.")
    return outcome
  }

  private func introspection() throws(CommandFailure) -> GraphQLTask {
    do {
      return try GraphQLTask(document: IntrospectedSchema.query)
    } catch {
      throw .usage(error.message)
    }
  }

  /// Asks as the URL is written, over HTTP POST or over the socket, and if that does not help the other way. The exit
  /// code is that of the first.
  private func readSchema(
    _ signals: SignalSource
  ) throws(CommandFailure) -> SchemaAnswer {
    let first: Profile.Transport =
      SubscribeArguments.hasHTTPScheme(arguments) ? .http : .webSocket
    let second: Profile.Transport = first == .http ? .webSocket : .http
    var code = ExitCode.badData
    var hasAnswered = false
    var spokeGraphQL = false
    for transport in [first, second] {
      let asked = try answer(to: introspection(), transport, signals)
      if asked.code != ExitCode.unavailable { hasAnswered = true }
      if asked.spokeGraphQL { spokeGraphQL = true }
      if let schema = asked.answer.flatMap({ IntrospectedSchema($0) }) {
        return SchemaAnswer(schema: schema, transport: transport, code: ExitCode.done)
      }
      if transport == first, asked.code != ExitCode.done { code = asked.code }
      if asked.code == ExitCode.interrupted { break }
      if transport == first {
        say("Trying it \(second == .http ? "over HTTP POST" : "over a WebSocket") instead.")
      }
    }
    return SchemaAnswer(
      transport: first, code: code, hasAnswered: hasAnswered, spokeGraphQL: spokeGraphQL)
  }

  /// Shows three lines of the room as the draft reads them, and lets the draft learn from them: also that the socket
  /// takes no queries. Gives the exit code.
  private func sample(
    _ guess: inout ProfileGuess, _ schemaCame: Profile.Transport, _ signals: SignalSource
  ) throws(CommandFailure) -> Int32 {
    let context = connect.session.context
    let room = shown(context.room)
    let profile: Profile
    let task: GraphQLTask?
    do {
      profile = try Profile.parse(guess.profile.text, file: "draft.json")
      task = try profile.historyTask(room: context.room, nick: context.nick, count: 3)
    } catch {
      say("The draft was not tried out: \(shown(GuessWords.fault(error)))")
      return ExitCode.badData
    }
    guard let task else {
      say(
        profile.history == nil
          ? "The draft has no history: a chat shows what is said from now on."
          : "The history was not tried out, since something in it has to be filled in first.")
      return ExitCode.done
    }
    var read = try answer(to: task, .webSocket, signals).answer
    if read == nil, schemaCame == .http {
      read = try answer(to: task, .http, signals).answer
      if read != nil {
        guess.useHTTP()
        say("History and posts go over HTTP POST in this draft, since the socket gave no answer.")
      }
    }
    guard let answer = read else {
      say("The history of the draft could not be read.")
      return ExitCode.badData
    }
    guess.learn(from: profile.readHistory(answer).items)
    let learned = (try? Profile.parse(guess.profile.text, file: "draft.json")) ?? profile
    if let fault = learned.historyFault(in: answer) {
      say(
        "The history of the room \(room) failed: \(fault.safe(for: .line, limit: 200)). Look at [history] in the draft,"
          + " or try another room by --room.")
      return ExitCode.badData
    }
    show(learned.readHistory(answer).messages, room: room)
    return ExitCode.done
  }

  private func show(_ messages: [ChatMessage], room: String) {
    if messages.isEmpty {
      return say("The room \(room) has no messages to show; see --room for another one.")
    }
    say("The last lines of the room \(room), read with this draft:")
    for message in messages.suffix(3) {
      let author = message.author?.safe(for: .nick) ?? "(no author)"
      let time = message.time?.iso8601 ?? "no time"
      say(
        "  \(author): \(message.text.safe(for: .line, limit: 60)) (\(time), id \(shown(message.id)))"
      )
    }
  }

  private func answer(
    to task: GraphQLTask, _ transport: Profile.Transport, _ signals: SignalSource
  ) throws(CommandFailure) -> (code: Int32, answer: JSON?, spokeGraphQL: Bool) {
    var connect = connect
    connect.session.context.operation = task
    // There is another way to try.
    if !arguments.has("max-attempts") { connect.session.maxAttempts = 2 }
    let loop = try HeadlessLoop(
      CollectingClient(connect.session, isOverHTTP: transport == .http), connect: connect,
      reactor: Machine.reactor(),
      tokens: Tokens(), signals: signals)
    let code = loop.run()
    let client = loop.client
    return (
      code, client.results.first.flatMap { try? JSON.parse($0.span.bytes) }, client.spokeGraphQL
    )
  }

  private func say(_ sentence: String) {
    write("parlour: \(sentence)\n", to: STDERR_FILENO)
  }
}
