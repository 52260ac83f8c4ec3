package import JSON

/// A path of a profile, taken apart once so that a flood of messages does not split text again and again.
package struct PathFinder: Equatable, Sendable {
  private enum Step: Equatable {
    case key(String)
    case every
    /// Digits: the index of an array, or the key of an object.
    case index(Int, String)

    var text: String {
      switch self {
      case .key(let key), .index(_, let key): key
      case .every: "*"
      }
    }
  }

  /// The first that finds something wins.
  private let alternatives: [[Step]]

  /// `a|b` are whole paths of which the first that leads somewhere is taken: `user.name|author`.
  package init(_ path: Profile.Path) {
    alternatives = path.text.split(separator: "|", omittingEmptySubsequences: true).map { route in
      route.split(separator: ".", omittingEmptySubsequences: true).map { part in
        if part == "*" { return Step.every }
        if part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
          let index = Int(part)
        {
          return .index(index, String(part))
        }
        return .key(String(part))
      }
    }
  }

  /// Everything that the path leads to, in order; nulls are not there.
  package func all(in value: JSON) -> [JSON] {
    for route in alternatives {
      let found = Self.follow(route, from: value)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The first of `all(in:)`.
  package func first(in value: JSON) -> JSON? {
    for route in alternatives {
      if let found = Self.follow(route, from: value).first { return found }
    }
    return nil
  }

  /// What a path does not find.
  package struct Missing: Equatable, Sendable {
    /// The path up to and with the step that leads nowhere.
    package var path: String
    /// The keys that are there in its place; empty where there is no object.
    package var present: [String]
  }

  /// Where the path leads nowhere because a key is not there at all; nil where it leads somewhere, to nulls, or
  /// into lists that are empty. Of several routes the first is told.
  package func missing(in value: JSON) -> Missing? {
    var first: Missing?
    for route in alternatives {
      guard let missing = Self.missing(route, in: value) else { return nil }
      first = first ?? missing
    }
    return first
  }

  /// Whether there is a null in the place of what holds the list, or of the list itself.
  func leadsToNull(in value: JSON) -> Bool {
    alternatives.contains { route in
      var current = [value]
      for step in route {
        if step == .every { return false }
        current = Self.follow([step], from: current, keepingNulls: true)
        if current == [.null] { return true }
      }
      return false
    }
  }

  private static func missing(_ route: [Step], in value: JSON) -> Missing? {
    var current = [value]
    for (index, step) in route.enumerated() {
      let next = follow([step], from: current, keepingNulls: true)
      if next.isEmpty {
        guard current.contains(where: { !$0.isEmptyOrNull }) else { return nil }
        let keys = current.lazy.compactMap(\.members).first { !$0.isEmpty }
        return Missing(
          path: route[...index].map(\.text).joined(separator: "."),
          present: keys?.map(\.key) ?? [])
      }
      current = next
    }
    return nil
  }

  private static func follow(_ route: [Step], from value: JSON) -> [JSON] {
    follow(route, from: [value], keepingNulls: false)
  }

  private static func follow(
    _ route: [Step], from values: [JSON], keepingNulls: Bool
  ) -> [JSON] {
    var current = values
    for step in route {
      var next: [JSON] = []
      for value in current {
        switch (step, value) {
        case (.key(let key), .object):
          if let member = value[key] { next.append(member) }
        case (.index(let index, _), .array):
          if let element = value[index] { next.append(element) }
        case (.index(_, let key), .object):
          if let member = value[key] { next.append(member) }
        case (.every, .array(let elements)):
          next.append(contentsOf: elements)
        case (.every, .object(let members)):
          next.append(contentsOf: members.map(\.value))
        default: break
        }
      }
      current = next
    }
    return keepingNulls ? current : current.filter { !$0.isNull }
  }
}

extension JSON {
  fileprivate var isEmptyOrNull: Bool {
    switch self {
    case .null: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    case .bool, .integer, .double, .bigInteger, .string: false
    }
  }
}
