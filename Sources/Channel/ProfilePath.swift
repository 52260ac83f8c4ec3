package import JSON

/// A path of a profile, taken apart once so that a flood of messages does not split text again and again.
package struct PathFinder: Equatable, Sendable {
  private enum Step: Equatable {
    case key(String)
    case every
    /// Digits: the index of an array, or the key of an object.
    case index(Int, String)
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

  private static func follow(_ route: [Step], from value: JSON) -> [JSON] {
    var current = [value]
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
    return current.filter { !$0.isNull }
  }
}
