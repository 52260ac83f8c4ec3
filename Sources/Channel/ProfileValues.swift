import JSON

/// How values of single keys are read, and the sentences about those that cannot be.
extension ProfileReader {
  func section(
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

  func optionalSection(
    _ value: JSON, _ key: String, keys: [String]
  ) throws(ProfileError) -> JSON? {
    guard let inner = value[key] else { return nil }
    return try section(inner, at: [key], keys: keys)
  }

  func string(
    _ value: JSON, _ path: [String], _ key: String
  ) throws(ProfileError) -> String? {
    guard let inner = value[key] else { return nil }
    guard let text = inner.string, !text.isEmpty else {
      throw error(path + [key], "must be a text that is not empty")
    }
    return text
  }

  func path(
    _ value: JSON, _ path: [String], _ key: String
  ) throws(ProfileError) -> Profile.Path? {
    try string(value, path, key).map { Profile.Path($0) }
  }

  func flag(_ value: JSON, _ path: [String], _ key: String) throws(ProfileError) -> Bool? {
    guard let inner = value[key] else { return nil }
    guard let flag = inner.bool else { throw error(path + [key], "must be true or false") }
    return flag
  }

  func texts(_ value: JSON, _ key: String) throws(ProfileError) -> [String]? {
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

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ section: JSON?, _ name: String?, _ key: String, _ type: Choice.Type
  ) throws(ProfileError) -> Choice? where Choice.RawValue == String {
    guard let inner = section?[key] else { return nil }
    guard let choice = inner.string.flatMap(Choice.init(rawValue:)) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw error((name.map { [$0] } ?? []) + [key], "must be one of \(known)")
    }
    return choice
  }

  // MARK: Transports, endpoint and close codes

  struct Transports {
    var via: Profile.Transport?
    var legacyVia: Profile.Transport?
  }

  func transports(_ value: JSON, _ name: String? = nil) throws(ProfileError) -> Transports {
    Transports(
      via: try choice(value, name, "via", Profile.Transport.self),
      legacyVia: try choice(value, name, "legacyVia", Profile.Transport.self))
  }

  func httpEndpoint(_ top: JSON) throws(ProfileError) -> String? {
    guard let section = try optionalSection(top, "endpoint", keys: ["ws", "http"]) else {
      return nil
    }
    for key in ["ws", "http"] {
      guard let text = try string(section, ["endpoint"], key) else { continue }
      do {
        _ = try Endpoint(parsing: text)
      } catch {
        throw self.error(
          ["endpoint", key], "is no URL that can be used: \(error.message.withoutStop)")
      }
    }
    return try string(section, ["endpoint"], "http")
  }

  /// Close codes that may come over a line (RFC 6455 section 7.4), and what follows them.
  func retryRules(_ top: JSON) throws(ProfileError) -> [Int: Profile.Retry] {
    guard let section = top["retry"] else { return [:] }
    guard let members = section.members else {
      throw error(["retry"], "must be an object of close codes")
    }
    var rules: [Int: Profile.Retry] = [:]
    for member in members {
      guard let code = Int(member.key), (1000...4999).contains(code) else {
        throw error(["retry", member.key], "is no close code from 1000 to 4999")
      }
      rules[code] = try choice(section, "retry", member.key, Profile.Retry.self)
    }
    return rules
  }

  // MARK: Sentences

  func missing(_ path: [String]) -> ProfileError {
    // The line of the section that lacks it, since the key itself has none.
    error(path, "is missing", lineOf: Array(path.dropLast()))
  }

  func error(
    _ path: [String], _ fault: String, lineOf: [String]? = nil
  ) -> ProfileError {
    let line = lines[lineOf ?? path].map { ", line \($0)" } ?? ""
    let key = path.map { shown($0) }.joined(separator: ".")
    return ProfileError(message: "\(file)\(line): “\(key)” \(fault).")
  }

  /// Keys come from the file and may hold anything.
  func shown(_ key: String) -> String {
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
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }

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
