import GraphQL
import JSON
import TOML

extension Profile {
  /// The largest file that is read, in bytes.
  package static let largest = 1 << 20

  /// Reads a profile. The file's name ends in .json or .toml and is used in the sentences of errors.
  ///
  /// Keys that are not known are refused, so that a slip of the pen does not go unnoticed. `endpoint`,
  /// `retry`, `via`, `legacyVia`, `rooms`, `members`, `typing`, `edit`, `delete` and `seq` are known and
  /// read past.
  package static func parse(_ text: String, file: String) throws(ProfileError) -> Profile {
    guard text.utf8.count <= largest else {
      throw ProfileError(message: "\(file) is larger than a profile may be (1 MiB).")
    }
    let root: JSON
    var lines: [[String]: Int] = [:]
    if file.hasSuffix(".toml") {
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
private struct ProfileReader {
  let file: String
  let lines: [[String]: Int]

  private static let topKeys = [
    "profile", "name", "endpoint", "subprotocols", "auth", "history", "post", "live", "message",
    "time", "retry", "via", "legacyVia", "rooms", "members", "typing", "edit", "delete",
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
      let message = try optionalSection(
        top, "message", keys: ["id", "cursor", "author", "text", "time", "room", "seq", "nonce"])
    else { throw missing(["message"]) }
    var historyOperation: Profile.Operation?
    if let history { historyOperation = try operation(history, "history", .query) }
    var postOperation: Profile.Operation?
    if let post { postOperation = try operation(post, "post", .mutation) }
    return Profile(
      name: try string(top, [], "name") ?? file,
      subprotocols: try texts(top, "subprotocols") ?? ["graphql-transport-ws"],
      authHeader: header, authInit: payload,
      history: historyOperation,
      historyOrder: try choice(history, "history", "order", Profile.Order.self) ?? .oldestFirst,
      post: postOperation,
      postRepeat: try choice(post, "post", "repeat", Profile.Repeat.self) ?? .ask,
      live: try operation(live, "live", .subscription),
      liveMode: try choice(live, "live", "mode", Profile.LiveMode.self) ?? .event,
      liveResumes: try flag(live, ["live"], "resumes") ?? false,
      message: try paths(message),
      time: try choice(top, nil, "time", Profile.TimeFormat.self) ?? .iso8601)
  }

  private func operation(
    _ section: JSON, _ name: String, _ kind: GraphQLOperation.Kind
  ) throws(ProfileError) -> Profile.Operation {
    guard let document = try string(section, [name], "document") else {
      throw missing([name, "document"])
    }
    let operationName = try string(section, [name], "operationName")
    let variables = section["variables"] ?? .object([])
    guard let members = variables.members else {
      throw error([name, "variables"], "must be an object of variables and their templates")
    }
    for template in Template.all(in: variables)
    where !TemplateValues.names.contains(template.name) || template.name == "token" {
      let known = TemplateValues.names.filter { $0 != "token" }.joined(separator: ", ")
      throw error(
        [name, "variables"],
        "holds the template “{\(shown(template.name))}”, but only these are known: \(known)")
    }
    if let fault = ProfileDocument.fault(
      in: document, kind: kind, operationName: operationName, variables: members.map(\.key))
    {
      throw error([name, "document"], fault)
    }
    guard let items = try path(section, [name], "items") else { throw missing([name, "items"]) }
    return Profile.Operation(
      document: document, operationName: operationName, variables: members, items: items)
  }

  private func paths(_ message: JSON) throws(ProfileError) -> Profile.MessagePaths {
    guard let text = try path(message, ["message"], "text") else {
      throw missing(["message", "text"])
    }
    return Profile.MessagePaths(
      id: try path(message, ["message"], "id"),
      cursor: try path(message, ["message"], "cursor"),
      author: try path(message, ["message"], "author"), text: text,
      time: try path(message, ["message"], "time"),
      room: try path(message, ["message"], "room"),
      nonce: try path(message, ["message"], "nonce"))
  }

  // MARK: Values of one key

  private func section(
    _ value: JSON, at path: [String], keys: [String]
  ) throws(ProfileError) -> JSON {
    guard let members = value.members else {
      if path.isEmpty {
        throw ProfileError(message: "\(file) must hold an object with the parts of a profile.")
      }
      throw error(path, "must be an object")
    }
    for member in members where !keys.contains(member.key) {
      throw error(
        path + [member.key],
        "is not known; known here are \(keys.joined(separator: ", "))")
    }
    return value
  }

  private func optionalSection(
    _ value: JSON, _ key: String, keys: [String]
  ) throws(ProfileError) -> JSON? {
    guard let inner = value[key] else { return nil }
    return try section(inner, at: [key], keys: keys)
  }

  private func string(
    _ value: JSON, _ path: [String], _ key: String
  ) throws(ProfileError) -> String? {
    guard let inner = value[key] else { return nil }
    guard let text = inner.string, !text.isEmpty else {
      throw error(path + [key], "must be a text that is not empty")
    }
    return text
  }

  private func path(
    _ value: JSON, _ path: [String], _ key: String
  ) throws(ProfileError) -> Profile.Path? {
    try string(value, path, key).map { Profile.Path($0) }
  }

  private func flag(_ value: JSON, _ path: [String], _ key: String) throws(ProfileError) -> Bool? {
    guard let inner = value[key] else { return nil }
    guard let flag = inner.bool else { throw error(path + [key], "must be true or false") }
    return flag
  }

  private func texts(_ value: JSON, _ key: String) throws(ProfileError) -> [String]? {
    guard let inner = value[key] else { return nil }
    guard let elements = inner.array, !elements.isEmpty else {
      throw error([key], "must be a list of subprotocol names")
    }
    var names: [String] = []
    for (index, element) in elements.enumerated() {
      // RFC 6455 section 4.1: a subprotocol's name is a token, and none stands twice.
      guard let name = element.string, name.isToken, !names.contains(name) else {
        throw error(
          [key, String(index)],
          "must be a subprotocol's name, made of letters, digits and dashes, and not be there twice"
        )
      }
      names.append(name)
    }
    return names
  }

  private func choice<Choice: RawRepresentable & CaseIterable>(
    _ section: JSON?, _ name: String?, _ key: String, _ type: Choice.Type
  ) throws(ProfileError) -> Choice? where Choice.RawValue == String {
    guard let inner = section?[key] else { return nil }
    guard let choice = inner.string.flatMap(Choice.init(rawValue:)) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw error((name.map { [$0] } ?? []) + [key], "must be one of \(known)")
    }
    return choice
  }

  // MARK: Sentences

  private func missing(_ path: [String]) -> ProfileError {
    // The line of the section that lacks it, since the key itself has none.
    error(path, "is missing", lineOf: Array(path.dropLast()))
  }

  private func error(
    _ path: [String], _ fault: String, lineOf: [String]? = nil
  ) -> ProfileError {
    let line = lines[lineOf ?? path].map { ", line \($0)" } ?? ""
    let key = path.map { shown($0) }.joined(separator: ".")
    return ProfileError(message: "\(file)\(line): “\(key)” \(fault).")
  }

  /// Keys come from the file and may hold anything.
  private func shown(_ key: String) -> String {
    String(String.UnicodeScalarView(key.unicodeScalars.prefix(64).filter { $0.isShowable }))
  }
}

extension Unicode.Scalar {
  fileprivate var isShowable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
  }
}

extension String {
  /// RFC 9110 section 5.6.2.
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
