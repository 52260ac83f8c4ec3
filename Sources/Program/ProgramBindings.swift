import Room
package import Screen
import Text
import WebSocket

/// Which key does what, while the chat runs.
extension Program {
  /// The keys as the configuration has them; to be called before the first input.
  package mutating func use(_ keys: KeyMap) {
    view.keys = keys
    choices.keptKeys = keys
  }

  package var keys: KeyMap { view.keys }

  mutating func bind(
    _ key: String?, to action: String?, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard let key else {
      view.overlay = .bindings(scroll: 0)
      return
    }
    do throws(KeyMapError) {
      guard let action else { return say(try view.keys.words(of: key), &turn, &entropy) }
      try view.keys.bind(key, to: action)
      say(try view.keys.words(of: key) + " /save keeps it.", &turn, &entropy)
    } catch {
      tell(.notice(UntrustedText(error.message), isError: true), &turn, &entropy)
    }
  }

  mutating func unbind(_ key: String, _ turn: inout Turn, _ entropy: inout Entropy) {
    do throws(KeyMapError) {
      try view.keys.unbind(key)
      say(try view.keys.words(of: key) + " /save keeps that.", &turn, &entropy)
    } catch {
      tell(.notice(UntrustedText(error.message), isError: true), &turn, &entropy)
    }
  }
}
