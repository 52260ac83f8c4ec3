import Channel
import Program

/// What the windows of a chat connect with. The options of the command line hold for every server, but for those that
/// say who the person is or whom to trust: these are given to one server and to no other.
struct ChatServers {
  /// Options that belong to the first server.
  static let personal: Set<String> = [
    "token-file", "token-command", "header", "cert", "key", "insecure", "server-name", "pin",
    "after",
  ]

  private let arguments: Arguments
  /// Servers may be called by the names that it gives them.
  private let configuration: Configuration
  /// Reads it anew, since servers may be added to it while the chat runs; nil where there is no file.
  private let reload: (() throws(CommandFailure) -> Configuration)?

  init(
    _ arguments: Arguments, _ configuration: Configuration,
    reload: (() throws(CommandFailure) -> Configuration)? = nil
  ) {
    self.arguments = arguments
    self.configuration = configuration
    self.reload = reload
  }

  /// The names that `/server` takes besides URLs.
  func names() -> [String] {
    // What is wrong with the file is said when one of them is opened.
    ((try? reload?()) ?? configuration).servers.map(\.name).sorted()
  }

  /// The windows that the command line asks for: each server with each room, the first one first.
  func first() throws(CommandFailure) -> [ConnectOptions] {
    var result: [ConnectOptions] = []
    for word in arguments.operands.isEmpty ? [""] : arguments.operands {
      var options: ConnectOptions
      if let first = result.first {
        options = try self.options(of: word, beside: result.map(\.self))
        if first.tokenSource != .none, options.tokenSource == .none {
          options.warn(
            "The token goes to \(first.session.endpoint.origin) only, not to \(options.session.endpoint.origin)."
          )
        }
      } else {
        options = try ConnectOptions(with(word))
      }
      result.append(options)
      let rooms = try ConnectOptions.rooms(named(word))
      for room in rooms.dropFirst() { result.append(try options.entering(room)) }
    }
    var seen: Set<[String]> = []
    return result.filter {
      seen.insert([$0.session.endpoint.identity, $0.session.context.room]).inserted
    }
  }

  /// A window on another server. The token of an open one is taken where that has the same origin.
  func options(
    of word: String, beside open: [ConnectOptions]
  ) throws(CommandFailure) -> ConnectOptions {
    var bare = arguments
    for name in Self.personal { bare.options[name] = nil }
    let configuration = word.contains("://") ? configuration : try reload?() ?? configuration
    if configuration.server(word) != nil {
      // What the file says of a server is meant for it; the environment's token is the first one's.
      let own = try bare.naming(word, by: configuration) { _ in nil }
      let hasToken = own.has("token-file") || own.has("token-command")
      return try ConnectOptions(Self.inFirstRoom(own), identity: hasToken ? .given : .nobody)
    }
    // A word with a point is a host without its scheme: the fault of the URL says so.
    guard word.contains("://") || word.contains(".") || !ServerEntry.isValidName(word) else {
      throw Self.unknown(word, configuration)
    }
    let endpoint = try ConnectOptions.endpoint(word)
    var arguments = bare
    arguments.operands = [word]
    arguments = Self.inFirstRoom(arguments)
    let same = open.first { $0.session.endpoint.origin == endpoint.origin }
    guard let same else { return try ConnectOptions(arguments, identity: .nobody) }
    for name in Self.personal where name != "after" {
      arguments.options[name] = same.arguments.options[name]
    }
    return try ConnectOptions(
      arguments, identity: .known(same.tokenSource, same.session.token))
  }

  /// Neither a URL nor a name: which names there are, and how another one is added.
  private static func unknown(_ word: String, _ configuration: Configuration) -> CommandFailure {
    let names = configuration.servers.map(\.name).sorted()
    let near = nearest(to: word, among: names).map { " Did you mean \($0)?" } ?? ""
    let url = "give its URL, as in wss://chat.example/ws"
    guard !configuration.file.isEmpty else {
      return .usage("There is no server “\(shown(word))” here: \(url).")
    }
    let there =
      names.isEmpty
      ? "\(configuration.file) names none"
      : "\(configuration.file) names \(names.joined(separator: ", "))"
    return .usage(
      "There is no server “\(shown(word))”: \(there).\(near) Add it there as [servers.\(shown(word))] with "
        + "url = \"wss://…\", or \(url).")
  }

  private func with(_ word: String) throws(CommandFailure) -> Arguments {
    Self.inFirstRoom(try named(word))
  }

  private func named(_ word: String) throws(CommandFailure) -> Arguments {
    try arguments.naming(word, by: configuration, environment: environment)
  }

  private static func inFirstRoom(_ arguments: Arguments) -> Arguments {
    var arguments = arguments
    if let room = arguments.values("room").first { arguments.options["room"] = [room] }
    return arguments
  }
}
