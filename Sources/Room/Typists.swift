package import Channel
package import Text

/// Who is writing something in the room, as far as it was said lately: nobody says when they stop.
package struct Typists: Equatable, Sendable {
  /// How long a word of it counts. Others are told again after `repeatDelay`, while somebody goes on writing.
  static let lifetime: Duration = .seconds(6)
  package static let repeatDelay: Duration = .seconds(4)
  static let most = 20

  private var entries: [(name: UntrustedText, until: Instant)] = []

  /// The one who began first at the front.
  package var names: [UntrustedText] { entries.map(\.name) }
  /// When `expire` wants to be called.
  package var due: Instant? { entries.lazy.map(\.until).min() }

  mutating func note(_ name: UntrustedText, at now: Instant) {
    expire(at: now)
    let until = now + Self.lifetime
    if let index = entries.firstIndex(where: { $0.name == name }) {
      entries[index].until = until
    } else if entries.count < Self.most {
      entries.append((name, until))
    }
  }

  /// What was written has come.
  mutating func end(_ name: UntrustedText) {
    if !entries.isEmpty { entries.removeAll { $0.name == name } }
  }

  mutating func endAll() {
    entries = []
  }

  package mutating func expire(at now: Instant) {
    if !entries.isEmpty { entries.removeAll { $0.until <= now } }
  }

  package static func == (left: Typists, right: Typists) -> Bool {
    left.entries.elementsEqual(right.entries) { $0 == $1 }
  }
}
