import Text

/// Why a key is not bound: a sentence for people.
package struct KeyMapError: Error, Equatable, Sendable {
  package var message: String
}

/// Which key, or keys in a row, does what.
package struct KeyMap: Equatable, Sendable {
  package struct Binding: Equatable, Sendable {
    package var keys: [Key]
    package var action: KeyAction
  }

  package enum Found: Equatable, Sendable {
    case action(KeyAction)
    /// More keys decide.
    case begins
    case nothing
  }

  /// In the order of the table, then as they were bound.
  package private(set) var bindings: [Binding] {
    didSet { places = Self.places(in: bindings) }
  }
  /// Where in `bindings` those stand that begin with a key: each key pressed is looked up.
  private var places: [Key: [Int]]

  private init(bindings: [Binding]) {
    self.bindings = bindings
    places = Self.places(in: bindings)
  }

  private static func places(in bindings: [Binding]) -> [Key: [Int]] {
    var places: [Key: [Int]] = [:]
    for (place, binding) in bindings.enumerated() {
      if let first = binding.keys.first { places[first, default: []].append(place) }
    }
    return places
  }

  /// As the table has them.
  package static let standard = KeyMap(
    bindings: KeyTable.sections.flatMap(\.rows).flatMap { row in
      row.keys.compactMap { name in
        guard let action = row.action, let keys = KeyName.read(name) else { return nil }
        return Binding(keys: keys, action: action)
      }
    })

  /// `isAtLineEnd` decides between two actions that share a key.
  package func lookUp(_ keys: [Key], isAtLineEnd: Bool = true) -> Found {
    var begins = false
    var found: KeyAction?
    for place in keys.first.flatMap({ places[$0] }) ?? [] {
      let binding = bindings[place]
      if binding.keys == keys {
        if found == nil || binding.action.yieldsToLine == isAtLineEnd { found = binding.action }
      } else {
        begins = begins || binding.keys.starts(with: keys)
      }
    }
    return found.map(Found.action) ?? (begins ? .begins : .nothing)
  }

  /// Whether that key alone is bound to the action, beside whatever else.
  package func binds(_ key: Key, to action: ProgramAction) -> Bool {
    bindings.contains { $0.keys == [key] && $0.action == .program(action) }
  }

  /// The names of the keys of an action; none where it has no key.
  package func keys(of action: KeyAction) -> [String] {
    bindings.filter { $0.action == action }.map { KeyName.write($0.keys) }
  }

  /// A sentence: what the key of that name does.
  package func words(of keyName: String) throws(KeyMapError) -> String {
    let keys = try Self.keys(named: keyName)
    let name = KeyName.write(keys)
    let found = bindings.filter { $0.keys == keys }.map {
      "\($0.action.name): \(KeyTable.summary(of: $0.action))"
    }
    guard !found.isEmpty else {
      return "\(name) does nothing; /bind \(name) ACTION gives it something to do."
    }
    return "\(name) is \(found.joined(separator: "; and "))."
  }

  // MARK: - Binding

  /// Binds one more key to an action; what the key did before, it does no more, but for what shares a key with
  /// that. Throws where the name of the key or of the action is unknown, where the key types text, or where it would
  /// hide longer bindings.
  package mutating func bind(_ keyName: String, to actionName: String) throws(KeyMapError) {
    let keys = try Self.keys(named: keyName)
    let action = try Self.action(named: actionName)
    let rest = bindings.filter { $0.keys != keys || $0.action.mayShareKey(with: action) }
    if let other = Self.neighbour(of: keys, in: rest.filter({ $0.keys != keys })) {
      throw KeyMapError(message: Self.hides(keys, other))
    }
    bindings = rest + [Binding(keys: keys, action: action)]
  }

  /// The key does nothing any more. Throws where it did nothing before.
  package mutating func unbind(_ keyName: String) throws(KeyMapError) {
    let keys = try Self.keys(named: keyName)
    let rest = bindings.filter { $0.keys != keys }
    guard rest.count < bindings.count else {
      throw KeyMapError(
        message: "\(KeyName.write(keys)) is bound to nothing: /bind lists what is.")
    }
    bindings = rest
  }

  /// The name of a key that takes all keys from an action.
  package static let noKey = "none"

  /// Takes over what a configuration says: pairs of an action's name and a key's, or "none". An action that is
  /// named loses the keys of the table. Returns what is wrong, one sentence each with the number of its pair;
  /// the other pairs count.
  package mutating func apply(
    _ pairs: [(action: String, key: String)]
  ) -> [(pair: Int, error: KeyMapError)] {
    var faults: [(pair: Int, error: KeyMapError)] = []
    let named = Set(pairs.compactMap { KeyAction(name: $0.action) })
    bindings.removeAll { named.contains($0.action) }
    var bound: [[Key]: KeyAction] = [:]
    for (index, pair) in pairs.enumerated() {
      do throws(KeyMapError) {
        if pair.key == Self.noKey {
          _ = try Self.action(named: pair.action)
          continue
        }
        let keys = try Self.keys(named: pair.key)
        let action = try Self.action(named: pair.action)
        if let other = bound[keys], other != action, !other.mayShareKey(with: action) {
          throw KeyMapError(
            message: "\(KeyName.write(keys)) is bound twice, to \(other.name) and to "
              + "\(action.name): leave one of the two out.")
        }
        try bind(pair.key, to: pair.action)
        bound[keys] = action
      } catch {
        faults.append((index, error))
      }
    }
    return faults
  }

  /// What was changed, as pairs for `apply` that lead from the table to this map.
  package var changes: [(action: String, key: String)] {
    KeyAction.all.flatMap { action -> [(action: String, key: String)] in
      let now = keys(of: action)
      guard now != Self.standard.keys(of: action) else { return [] }
      return now.isEmpty ? [(action.name, Self.noKey)] : now.map { (action.name, $0) }
    }
  }

  // MARK: - Names

  private static func keys(named name: String) throws(KeyMapError) -> [Key] {
    guard let keys = KeyName.read(name), let first = keys.first else {
      // A key, and behind it what was meant to be an action.
      if let blank = name.firstIndex(of: " "), KeyName.read(String(name[..<blank])) != nil {
        _ = try action(named: String(name[name.index(after: blank)...]))
      }
      throw KeyMapError(
        message: "“\(shown(name))” is no key that a terminal can send: "
          + "keys are written as ^K, M-f, F5, PgUp, C-M-k or ^X^E.")
    }
    if case .character = first {
      throw KeyMapError(
        message: "“\(shown(name))” begins with a character that is typed: "
          + "put Ctrl (^) or Alt (M-) before it.")
    }
    return keys
  }

  private static func action(named name: String) throws(KeyMapError) -> KeyAction {
    if let action = KeyAction(name: name) { return action }
    let word = name.lowercased()
    let names = KeyAction.all.map(\.name)
    let near =
      names.first { $0 == word || $0.hasSuffix("." + word) }
      ?? names.first { word.count >= 4 && $0.contains(word) }
    let hint = near.map { "; did you mean \($0)?" } ?? ": /bind lists those there are."
    throw KeyMapError(message: "There is no action “\(shown(name))”\(hint)")
  }

  private static func neighbour(of keys: [Key], in bindings: [Binding]) -> Binding? {
    bindings.first { $0.keys.starts(with: keys) || keys.starts(with: $0.keys) }
  }

  private static func hides(_ keys: [Key], _ other: Binding) -> String {
    let (new, old) = (KeyName.write(keys), KeyName.write(other.keys))
    return keys.count < other.keys.count
      ? "\(new) is the beginning of \(old) (\(other.action.name)): unbind that first."
      : "\(new) begins with \(old), which is \(other.action.name) already: unbind that first."
  }

  private static func shown(_ name: String) -> String {
    UntrustedText(name).safe(for: .line, limit: 40)
  }
}
