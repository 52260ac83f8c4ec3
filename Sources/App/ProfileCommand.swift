import Channel
import Glibc
import JSON
import Net
import Program
import Text

/// `parlour profile guess URL`: a draft of a profile from the names in a server's schema.
struct ProfileCommand {
  private let arguments: Arguments
  private var connect: ConnectOptions

  init(_ arguments: Arguments) throws(CommandFailure) {
    guard arguments.operands.first == "guess" else {
      throw .usage(
        "parlour profile knows guess only, not \(shown(arguments.operands.first ?? "")): parlour profile"
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
    let (schema, transport, code, hasAnswered) = try readSchema(signals)
    guard let schema else {
      if code == ExitCode.interrupted { return code }
      guard hasAnswered else {
        say("Nothing was drafted, since no answer came: parlour check URL goes there step by step.")
        return code
      }
      guard code != ExitCode.refused else {
        say(
          "Nothing was drafted, since the server refused: give the token it wants by --token-file, --token-command or PARLOUR_TOKEN."
        )
        return code
      }
      say(
        "The server does not show its schema: it may have introspection switched off. Then a profile has to be"
          + " written by hand; parlour cat --profile x URL names those that come with the program.")
      return code
    }
    guard var guess = ProfileGuess(schema) else {
      say(
        "No subscription of the schema looks like one for messages, with an id or an author and a text in each."
      )
      return ExitCode.badData
    }
    try sample(&guess, transport, signals)
    for question in guess.questions {
      say("The server demands a value that Parlour knows nothing about; fill in \(question).")
    }
    let text = JSONText.indented(Array(guess.profile.text.utf8).span.bytes)
    guard writeAll(text + [0x0A], to: STDOUT_FILENO) else { return ExitCode.inputOutput }
    return ExitCode.done
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
  ) throws(CommandFailure) -> (
    schema: IntrospectedSchema?, Profile.Transport, code: Int32, hasAnswered: Bool
  ) {
    let first: Profile.Transport =
      SubscribeArguments.hasHTTPScheme(arguments) ? .http : .webSocket
    let second: Profile.Transport = first == .http ? .webSocket : .http
    var code = ExitCode.badData
    var hasAnswered = false
    for transport in [first, second] {
      let asked = try answer(to: introspection(), transport, signals)
      if asked.code != ExitCode.unavailable { hasAnswered = true }
      if let schema = asked.answer.flatMap({ IntrospectedSchema($0) }) {
        return (schema, transport, ExitCode.done, true)
      }
      if transport == first, asked.code != ExitCode.done { code = asked.code }
      if asked.code == ExitCode.interrupted { break }
      if transport == first {
        say("Trying it \(second == .http ? "over HTTP POST" : "over a WebSocket") instead.")
      }
    }
    return (nil, first, code, hasAnswered)
  }

  /// Shows three lines of the room as the draft reads them, and lets the draft learn from them: also that the socket
  /// takes no queries.
  private func sample(
    _ guess: inout ProfileGuess, _ schemaCame: Profile.Transport, _ signals: SignalSource
  ) throws(CommandFailure) {
    let context = connect.session.context
    let text = guess.profile.text
    guard let profile = try? Profile.parse(text, file: "draft.json"),
      let task = try? profile.historyTask(room: context.room, nick: context.nick, count: 3)
    else {
      return say("The draft has no history that could be tried out.")
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
      return say("The history of the draft could not be read.")
    }
    guess.learn(from: profile.readHistory(answer).items)
    let learned = (try? Profile.parse(guess.profile.text, file: "draft.json")) ?? profile
    let messages = learned.readHistory(answer).messages
    if messages.isEmpty {
      return say(
        "The room \(shown(context.room)) has no messages to show; see --room for another one.")
    }
    say("The last lines of the room \(shown(context.room)), read with this draft:")
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
  ) throws(CommandFailure) -> (code: Int32, answer: JSON?) {
    var connect = connect
    connect.session.context.operation = task
    // There is another way to try.
    if !arguments.has("max-attempts") { connect.session.maxAttempts = 2 }
    let loop = try HeadlessLoop(
      CollectingClient(connect.session, isOverHTTP: transport == .http), connect: connect,
      reactor: Machine.reactor(),
      tokens: Tokens(), signals: signals)
    let code = loop.run()
    return (code, loop.client.results.first.flatMap { try? JSON.parse($0.span.bytes) })
  }

  private func say(_ sentence: String) {
    write("parlour: \(sentence)\n", to: STDERR_FILENO)
  }
}
