import JSON
import Text

/// A part of a profile whose paths are held against its first result.
enum PathCheck: String, Sendable {
  case history, post, live
}

extension GraphQLDialect {
  /// The first result that has something in it shows whether the paths of the profile lead anywhere: what leads
  /// nowhere is said once, with the path and with what is there in its place.
  mutating func checkPaths(
    of part: PathCheck, _ items: PathFinder, in data: JSON
  ) -> [DialectOutput] {
    guard !checked.contains(part), !data.isNull else { return [] }
    if let missing = items.missing(in: data) {
      checked.insert(part)
      let path = itemsPath(of: part)?.text ?? ""
      return [
        tell([(key: "\(part.rawValue).items", path: path, missing: missing)], in: "the result")
      ]
    }
    guard let item = MessageReader.items(at: items, in: data).first else { return [] }
    checked.insert(part)
    let astray = reader.paths.compactMap {
      name, path -> (key: String, path: String, missing: PathFinder.Missing)? in
      // A cursor may be a matter of the history alone, as that of a connection's edge.
      guard name != "cursor" || part == .history else { return nil }
      return PathFinder(path).missing(in: item).map {
        (key: "message.\(name)", path: path.text, missing: $0)
      }
    }
    return astray.isEmpty ? [] : [tell(astray, in: "a message of “\(part.rawValue)”")]
  }

  private func itemsPath(of part: PathCheck) -> Profile.Path? {
    switch part {
    case .history: context.profile.history?.items
    case .post: context.profile.post?.items
    case .live: context.profile.live.items
    }
  }

  /// In one sentence, the first of them with what is there in its place.
  private func tell(
    _ astray: [(key: String, path: String, missing: PathFinder.Missing)], in place: String
  ) -> DialectOutput {
    let sought = astray.map { "“\($0.path)” (\($0.key))" }.joined(separator: ", ")
    let absent = astray.map { "“\($0.missing.path)”" }.joined(separator: ", ")
    let keys = astray.first?.missing.present.prefix(12).map { "“\($0)”" } ?? []
    let present = keys.isEmpty ? "" : "; there are \(keys.joined(separator: ", "))"
    return .notice(
      UntrustedText(
        "The profile “\(context.profile.name)” looks for \(sought), but there is no \(absent) in"
          + " \(place)\(present)."))
  }
}
