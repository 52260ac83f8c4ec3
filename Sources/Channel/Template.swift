package import JSON

/// The values that the templates of a profile may name.
package struct TemplateValues: Equatable, Sendable {
  package static let names = ["room", "nick", "text", "nonce", "count", "cursor", "token"]

  /// Names that some operations know besides: `before` is the cursor of the message before which others are wanted,
  /// `id` the message that is changed, `reply` the one that a post answers.
  static let special = ["before", "id", "emoji", "reply"]

  package var values: [String: JSON]

  package init(_ values: [String: JSON]) {
    self.values = values
  }

  static func isKnown(_ name: String) -> Bool { names.contains(name) || special.contains(name) }

  package subscript(name: String) -> JSON? {
    get { values[name] }
    set { values[name] = newValue }
  }
}

/// `{name}`, `{name?}` and `{name=default}` as the whole of a text: replaced by the *value*, so that numbers
/// stay numbers and nothing is pasted into a document.
package struct Template: Equatable, Sendable {
  package enum Otherwise: Equatable, Sendable {
    /// `{name}`: null is sent.
    case null
    /// `{name?}`: the member or element is left out.
    case leftOut
    /// `{name=default}`: the default, read as JSON where it is JSON and as text where it is not.
    case value(JSON)
  }

  package var name: String
  package var otherwise: Otherwise

  /// Nil for texts that are no template.
  package init?(_ text: String) {
    guard text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count > 2 else { return nil }
    let inner = text.dropFirst().dropLast()
    let name = inner.prefix { $0.isASCII && $0.isLetter }
    guard !name.isEmpty else { return nil }
    let rest = inner.dropFirst(name.count)
    self.name = String(name)
    if rest.isEmpty {
      otherwise = .null
    } else if rest == "?" {
      otherwise = .leftOut
    } else if rest.hasPrefix("=") {
      let text = String(rest.dropFirst())
      otherwise = .value((try? JSON.parse(text)) ?? .string(text))
    } else {
      return nil
    }
  }

  /// Nil is "left out".
  package static func expand(_ value: JSON, with values: TemplateValues) -> JSON? {
    switch value {
    case .string(let text):
      guard let template = Template(text), TemplateValues.isKnown(template.name) else {
        return value
      }
      if let found = values[template.name] { return found }
      switch template.otherwise {
      case .null: return .null
      case .leftOut: return nil
      case .value(let other): return other
      }
    case .array(let elements):
      return .array(elements.compactMap { expand($0, with: values) })
    case .object(let members):
      return .object(expand(members, with: values))
    default: return value
    }
  }

  package static func expand(
    _ members: [JSON.Member], with values: TemplateValues
  ) -> [JSON.Member] {
    members.compactMap { member in
      expand(member.value, with: values).map { JSON.Member(member.key, $0) }
    }
  }

  /// Every template in the value, in order.
  package static func all(in value: JSON) -> [Template] {
    switch value {
    case .string(let text): Template(text).map { [$0] } ?? []
    case .array(let elements): elements.flatMap { all(in: $0) }
    case .object(let members): members.flatMap { all(in: $0.value) }
    default: []
    }
  }
}

extension Bearer {
  /// The text with every `{token}` in it replaced, as in `Bearer {token}`.
  package func filled(into template: String) -> String {
    let place = Array("{token}".utf8)
    var result: [UInt8] = []
    var rest = Array(template.utf8)[...]
    while let first = rest.first {
      if rest.starts(with: place) {
        result.append(contentsOf: secret.utf8)
        rest = rest.dropFirst(place.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The value with `{token}` replaced in every text in it: a `connection_init` payload.
  package func filled(into value: JSON) -> JSON {
    switch value {
    case .string(let text): .string(filled(into: text))
    case .array(let elements): .array(elements.map { filled(into: $0) })
    case .object(let members):
      .object(members.map { JSON.Member($0.key, filled(into: $0.value)) })
    default: value
    }
  }
}
