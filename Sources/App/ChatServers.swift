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

  init(_ arguments: Arguments, _ configuration: Configuration) {
    self.arguments = arguments
    self.configuration = configuration
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
    if configuration.server(word) != nil {
      // What the file says of a server is meant for it; the environment's token is the first one's.
      let own = try bare.naming(word, by: configuration) { _ in nil }
      let hasToken = own.has("token-file") || own.has("token-command")
      return try ConnectOptions(Self.inFirstRoom(own), identity: hasToken ? .given : .nobody)
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
