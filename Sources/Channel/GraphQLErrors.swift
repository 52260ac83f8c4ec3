import JSON
import Text

/// Digs the texts out of what servers send as errors: an array of errors, a single one, `{"errors": […]}`,
/// `[{"errors": […]}]`, a plain text, or nothing.
enum GraphQLErrors {
  /// More are not shown.
  static let most = 8

  /// Never empty.
  static func texts(in payload: JSON) -> [String] {
    var found: [String] = []
    collect(payload, depth: 0, into: &found)
    return found.isEmpty ? ["no text was given"] : found
  }

  /// All texts as one line's worth.
  static func text(in payload: JSON) -> UntrustedText {
    UntrustedText(texts(in: payload).joined(separator: "; "))
  }

  /// The `errors` of a result; nil where there are none.
  static func text(inResult payload: JSON) -> UntrustedText? {
    guard let errors = payload["errors"], !errors.isNull, errors != .array([]) else { return nil }
    return text(in: errors)
  }

  /// What a mutation answers instead of the message, where its payload has a list for that: `errors` or `userErrors`,
  /// by a convention of many servers. Nil where there is nothing in it.
  static func text(inPayloadOf data: JSON) -> UntrustedText? {
    for payload in (data.members ?? []).prefix(8).map(\.value) {
      for name in ["errors", "userErrors"] {
        if let errors = payload[name], errors.array?.isEmpty == false { return text(in: errors) }
      }
    }
    return nil
  }

  /// Whether an error says by its code that the token is missing, wrong or too old: Apollo's, Hasura's and AppSync's.
  static func wantsAuthentication(_ payload: JSON) -> Bool {
    (payload.array ?? [payload]).prefix(64).contains { error in
      let code = error["extensions"]?["code"]?.string ?? error["errorType"]?.string
      return ["UNAUTHENTICATED", "invalid-jwt", "UnauthorizedException"].contains(code)
    }
  }

  /// Whether a result holds nothing because the token did not do: no `data`, or nulls alone in it.
  static func isRefusal(ofAll result: JSON?) -> Bool {
    guard let result, wantsAuthentication(result["errors"] ?? .null) else { return false }
    guard let data = result["data"], !data.isNull else { return true }
    return data.members?.allSatisfy(\.value.isNull) ?? false
  }

  /// Whether the same question would get the same answer: the document is wrong for this server, or the token.
  static func isFinal(_ payload: JSON) -> Bool {
    if wantsAuthentication(payload) { return true }
    return (payload.array ?? [payload]).prefix(64).contains { error in
      [
        "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "BAD_USER_INPUT", "FORBIDDEN",
        "validation-failed", "parse-failed", "access-denied",
      ].contains(error["extensions"]?["code"]?.string)
    }
  }

  /// Each error as a sentence with its place in the document and in the result, where it has them.
  static func sentences(in payload: JSON) -> [UntrustedText] {
    guard let errors = payload.array, !errors.isEmpty else { return [text(in: payload)] }
    return errors.prefix(most).map { error in
      let places = [place(of: error), path(of: error)].compactMap { $0 }
      let text = texts(in: error).joined(separator: "; ")
      return UntrustedText(places.isEmpty ? text : "\(text) (\(places.joined(separator: ", ")))")
    }
  }

  /// None where the result has no errors.
  static func sentences(inResult payload: JSON) -> [UntrustedText] {
    guard let errors = payload["errors"], !errors.isNull, errors != .array([]) else { return [] }
    return sentences(in: errors)
  }

  private static func place(of error: JSON) -> String? {
    guard let place = error["locations"]?[0], let line = place["line"]?.integer,
      let column = place["column"]?.integer
    else { return nil }
    return "line \(line), column \(column)"
  }

  private static func path(of error: JSON) -> String? {
    guard let steps = error["path"]?.array, !steps.isEmpty else { return nil }
    let words = steps.prefix(32).map { $0.string ?? $0.text }
    return "at \(words.joined(separator: ".").clipped(toUTF8: 200))"
  }

  private static func collect(_ value: JSON, depth: Int, into found: inout [String]) {
    guard depth < 8, found.count < most else { return }
    switch value {
    case .string(let text):
      if !text.isEmpty { found.append(text.clipped(toUTF8: 4096)) }
    case .array(let elements):
      for element in elements.prefix(64) { collect(element, depth: depth + 1, into: &found) }
    case .object:
      // The usual place first; the others are what servers use instead of it.
      for key in ["message", "errors", "error", "payload", "reason", "detail", "description"] {
        guard let inner = value[key], !inner.isNull else { continue }
        let before = found.count
        collect(inner, depth: depth + 1, into: &found)
        if found.count > before { return }
      }
    case .null, .bool, .integer, .double, .bigInteger: break
    }
  }
}
