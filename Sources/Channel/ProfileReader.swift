import GraphQL
import JSON
import TOML

extension Profile {
  /// The largest file that is read, in bytes.
  package static let largest = 1 << 20

  /// Reads a profile. The file's name ends in .json or .toml and is used in the sentences of errors.
  ///
  /// Keys that are not known are refused, so that a slip of the pen does not go unnoticed.
  package static func parse(_ text: String, file: String) throws(ProfileError) -> Profile {
    guard text.utf8.count <= largest else {
      throw ProfileError(message: "\(file) is larger than a profile may be (1 MiB).")
    }
    let root: JSON
    var lines: [[String]: Int] = [:]
    if file.hasSuffix(".toml") {
      guard text.first(where: { !$0.isWhitespace }) != "{" else {
        throw ProfileError(message: "\(file) holds JSON: give it a name that ends in .json.")
      }
      do throws(TOMLError) {
        let document = try TOMLDocument.parse(text)
        root = document.root
        lines = document.lines
      } catch {
        throw ProfileError(message: "\(file), line \(error.line): \(error.message)")
      }
    } else if file.hasSuffix(".json") {
      do throws(JSONError) {
        root = try JSON.parse(text, depth: 32)
      } catch {
        let place = error.offset.map { ", line \(line(at: $0, in: text))" } ?? ""
        throw ProfileError(message: "\(file)\(place): \(error.message)")
      }
    } else {
      throw ProfileError(
        message: "\(file) is no profile: its name must end in .json or .toml.")
    }
    return try ProfileReader(file: file, lines: lines).profile(root)
  }

  private static func line(at offset: Int, in text: String) -> Int {
    1 + text.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
  }
}

/// Reads the sections of a profile and says what is wrong with which key.
struct ProfileReader {
  let file: String
  let lines: [[String]: Int]

  /// Among the subprotocols: not offered, but spoken where the server selects none.
  private static let text = "text"

  private static let topKeys = [
    "profile", "name", "endpoint", "subprotocols", "auth", "history", "post", "live", "message",
    "time", "retry", "via", "legacyVia", "rooms", "members", "typing", "typists", "edit", "delete",
    "react", "unreact", "changes", "deletions", "earlier", "reaction",
  ]
  private static let messageKeys = [
    "id", "cursor", "author", "text", "time", "room", "seq", "nonce", "edited", "deleted",
    "reactions", "reply", "revision",
  ]
  private static let operationKeys = [
    "document", "operationName", "variables", "items", "via", "legacyVia",
  ]

  func profile(_ root: JSON) throws(ProfileError) -> Profile {
    let top = try section(root, at: [], keys: Self.topKeys)
    if let version = top["profile"], version != .integer(1) {
      throw error(["profile"], "must be 1, the only version of profiles that is known")
    }
    let auth = try optionalSection(top, "auth", keys: ["header", "init"])
    var header: String?
    var payload: JSON?
    if let auth {
      header = try string(auth, ["auth"], "header")
      payload = auth["init"].flatMap { $0.isNull ? nil : $0 }
      if let payload, payload.members == nil {
        throw error(["auth", "init"], "must be an object, the payload of connection_init")
      }
    }
    let history = try optionalSection(top, "history", keys: Self.operationKeys + ["order"])
    let post = try optionalSection(top, "post", keys: Self.operationKeys + ["repeat"])
    guard
      let live = try optionalSection(
        top, "live", keys: Self.operationKeys + ["mode", "resumes"])
    else { throw missing(["live"]) }
    guard
      let message = try optionalSection(top, "message", keys: Self.messageKeys)
    else { throw missing(["message"]) }
    let vias = try transports(top)
    var historyOperation: Profile.Operation?
    if let history { historyOperation = try operation(history, "history", .query, vias) }
    var postOperation: Profile.Operation?
    if let post { postOperation = try operation(post, "post", .mutation, vias) }
    let subprotocols = try texts(top, "subprotocols") ?? ["graphql-transport-ws"]
    var profile = Profile(
      name: try string(top, [], "name") ?? file,
      subprotocols: subprotocols.filter { $0 != Self.text },
      authHeader: header, authInit: payload,
      history: historyOperation,
      historyOrder: try choice(history, "history", "order", Profile.Order.self) ?? .oldestFirst,
      post: postOperation,
      postRepeat: try choice(post, "post", "repeat", Profile.Repeat.self) ?? .ask,
      live: try operation(live, "live", .subscription),
      liveMode: try choice(live, "live", "mode", Profile.LiveMode.self) ?? .event,
      liveResumes: try flag(live, ["live"], "resumes") ?? false,
      message: try paths(message, top),
      time: try choice(top, nil, "time", Profile.TimeFormat.self) ?? .iso8601)
    profile.allowsText = subprotocols.contains(Self.text)
    profile.httpEndpoint = try httpEndpoint(top)
    profile.retry = try retryRules(top)
    profile.rooms = try optionalOperation(top, "rooms", .query, vias)
    profile.earlier = try optionalOperation(top, "earlier", .query, vias)
    profile.typing = try optionalOperation(top, "typing", .mutation, vias)
    profile.edit = try optionalOperation(top, "edit", .mutation, vias)
    profile.delete = try optionalOperation(top, "delete", .mutation, vias)
    profile.react = try optionalOperation(top, "react", .mutation, vias)
    profile.unreact = try optionalOperation(top, "unreact", .mutation, vias)
    profile.changes = try optionalOperation(top, "changes", .subscription, Transports())
    profile.deletions = try optionalOperation(top, "deletions", .subscription, Transports())
    profile.typists = try optionalOperation(top, "typists", .subscription, Transports())
    if let members = top["members"] {
      profile.membersAreLive = ProfileDocument.isSubscription(members["document"]?.string ?? "")
      profile.members = try optionalOperation(
        top, "members", profile.membersAreLive ? .subscription : .query,
        profile.membersAreLive ? Transports() : vias)
    }
    try check(profile)
    return profile
  }

  private func optionalOperation(
    _ top: JSON, _ name: String, _ kind: GraphQLOperation.Kind, _ vias: Transports
  ) throws(ProfileError) -> Profile.Operation? {
    guard let part = try optionalSection(top, name, keys: Self.operationKeys) else { return nil }
    return try operation(part, name, kind, vias)
  }

  private func operation(
    _ section: JSON, _ name: String, _ kind: GraphQLOperation.Kind,
    _ vias: Transports = Transports()
  ) throws(ProfileError) -> Profile.Operation {
    guard let document = try string(section, [name], "document") else {
      throw missing([name, "document"])
    }
    let operationName = try string(section, [name], "operationName")
    let variables = section["variables"] ?? .object([])
    guard let members = variables.members else {
      throw error([name, "variables"], "must be an object of variables and their templates")
    }
    var names = TemplateValues.names.filter { $0 != "token" }
    switch name {
    case "earlier": names.append("before")
    case "post": names.append("reply")
    case "edit", "delete": names.append("id")
    case "react", "unreact": names += ["id", "emoji"]
    default: break
    }
    for template in Template.all(in: variables) where !names.contains(template.name) {
      let known = names.joined(separator: ", ")
      throw error(
        [name, "variables"],
        "holds the template “{\(shown(template.name))}”, but only these are known: \(known)")
    }
    if let fault = ProfileDocument.fault(
      in: document, kind: kind, operationName: operationName, variables: members.map(\.key))
    {
      throw error([name, "document"], fault)
    }
    // What a post, an edit and the like give back is of use, but not needed.
    let items = try path(section, [name], "items")
    if items == nil, kind != .mutation || name == "post" { throw missing([name, "items"]) }
    var operation = Profile.Operation(
      document: document, operationName: operationName, variables: members,
      items: items ?? Profile.Path(""))
    let own = try transports(section, name)
    operation.via = own.via ?? vias.via ?? .webSocket
    operation.legacyVia = own.legacyVia ?? vias.legacyVia ?? own.via ?? vias.via ?? .webSocket
    if kind == .subscription, operation.via == .http || operation.legacyVia == .http {
      throw error(
        [name, own.via == .http ? "via" : "legacyVia"], "must be ws: nothing is pushed over HTTP")
    }
    return operation
  }

  /// What parts need of each other.
  private func check(_ profile: Profile) throws(ProfileError) {
    let changing = [
      ("edit", profile.edit), ("delete", profile.delete), ("react", profile.react),
      ("unreact", profile.unreact),
    ]
    for (name, operation) in changing {
      guard let operation else { continue }
      let given = Template.all(in: .object(operation.variables)).map(\.name)
      let needed = name == "edit" ? ["id", "text"] : name == "delete" ? ["id"] : ["id", "emoji"]
      if let missing = needed.first(where: { !given.contains($0) }) {
        throw error(
          [name, "variables"], "holds no “{\(missing)}”: nothing says what is to be done")
      }
      guard profile.message.id != nil else {
        throw error([name], "needs “message.id”, by which a message is changed")
      }
    }
  }

  private func paths(_ message: JSON, _ top: JSON) throws(ProfileError) -> Profile.MessagePaths {
    guard let text = try path(message, ["message"], "text") else {
      throw missing(["message", "text"])
    }
    var paths = Profile.MessagePaths(
      id: try path(message, ["message"], "id"),
      cursor: try path(message, ["message"], "cursor"),
      author: try path(message, ["message"], "author"), text: text,
      time: try path(message, ["message"], "time"),
      room: try path(message, ["message"], "room"),
      nonce: try path(message, ["message"], "nonce"),
      seq: try path(message, ["message"], "seq"))
    paths.edited = try path(message, ["message"], "edited")
    paths.deleted = try path(message, ["message"], "deleted")
    paths.reply = try path(message, ["message"], "reply")
    paths.revision = try path(message, ["message"], "revision")
    paths.reactions = try path(message, ["message"], "reactions")
    let reaction = try optionalSection(top, "reaction", keys: ["emoji", "count", "names", "mine"])
    guard let reaction else { return paths }
    guard paths.reactions != nil else {
      throw error(["reaction"], "needs “message.reactions”, which says where the reactions are")
    }
    guard let emoji = try path(reaction, ["reaction"], "emoji") else {
      throw missing(["reaction", "emoji"])
    }
    paths.reaction = Profile.ReactionPaths(
      emoji: emoji, count: try path(reaction, ["reaction"], "count"),
      names: try path(reaction, ["reaction"], "names"),
      mine: try path(reaction, ["reaction"], "mine"))
    return paths
  }
}
