import Channel
import Glibc
import Net

/// What `parlour bench` measures.
enum BenchJob: String {
  /// One message under way at a time, and back.
  case echo
  /// The server sends until it closes.
  case flood
  /// We send, and the server says how much came.
  case sink
  /// A GraphQL subscription: the server sends as many results.
  case gql
}

/// `parlour bench JOB URL`: the speed of this client against a server, as one JSON line.
struct BenchCommand {
  private let plan: BenchPlan
  private let tls: TLSContext?

  init(_ arguments: Arguments) throws(CommandFailure) {
    let word = arguments.operands.first ?? ""
    guard let job = BenchJob(rawValue: word) else {
      throw .usage("\(shown(word)) is none of echo, flood, sink and gql.")
    }
    let endpoint: Endpoint
    do {
      endpoint = try Endpoint(parsing: arguments.operands.last ?? "")
    } catch {
      throw .usage(error.message)
    }
    plan = BenchPlan(
      job: job, endpoint: endpoint,
      count: try ConnectOptions.number("count", of: arguments, in: 1...1_000_000_000) ?? 10_000,
      size: try Self.size(arguments), timeout: try Self.timeout(arguments),
      task: try Self.task(arguments, job: job))
    tls = endpoint.isSecure ? try Self.context(arguments) : nil
  }

  private static func size(_ arguments: Arguments) throws(CommandFailure) -> Int {
    guard let text = arguments.value("size") else { return 125 }
    guard let bytes = parseByteCount(text), bytes <= 1 << 30 else {
      throw .usage("--size \(shown(text)) is no size up to 1GiB: write 125, 64KiB or 1MiB.")
    }
    return bytes
  }

  private static func timeout(_ arguments: Arguments) throws(CommandFailure) -> Duration {
    let timeout = try ConnectOptions.duration("timeout", of: arguments) ?? .seconds(10)
    guard timeout > .zero else { throw .usage("--timeout takes more than 0: write 250ms or 30s.") }
    return timeout
  }

  private static func task(
    _ arguments: Arguments, job: BenchJob
  ) throws(CommandFailure) -> GraphQLTask? {
    guard job == .gql else { return nil }
    var arguments = arguments
    if !arguments.has("query") {
      arguments.options["query"] = [
        "subscription Bench { messageAdded(room: \"bench\") { id author text sentAt } }"
      ]
    }
    return try SubscribeArguments.task(arguments)
  }

  private static func context(_ arguments: Arguments) throws(CommandFailure) -> TLSContext {
    var trust = TLSOptions()
    trust.certificateAuthorityFile = arguments.value("cacert")
    trust.isInsecure = arguments.has("insecure")
    do {
      return try TLSContext(trust)
    } catch {
      throw .configuration(error.message)
    }
  }

  func run() throws(CommandFailure) -> Int32 {
    let signals = try Machine.signals([SIGINT, SIGTERM, SIGHUP])
    let loop = try BenchLoop(plan, tls: tls, reactor: Machine.reactor(), signals: signals)
    let figures = try loop.run()
    write(figures.line(for: plan) + "\n", to: STDOUT_FILENO)
    return ExitCode.done
  }
}

/// What is to be measured, and where.
struct BenchPlan {
  var job: BenchJob
  var endpoint: Endpoint
  var count: Int
  /// Bytes of one message.
  var size: Int
  /// For how long nothing of the job may come.
  var timeout: Duration
  /// What `gql` asks for.
  var task: GraphQLTask?

  /// Round trips that come before those that are measured.
  var warmUp: Int { max(10, count / 20) }
}
