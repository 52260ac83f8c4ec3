import Channel
import Text

/// Changes of messages that are not here: of those that come later in an older form, the newer one is shown. The
/// latest few are remembered, as far as they are not too large together.
struct EarlyForms: Equatable, Sendable {
  private static let most = 512
  /// Of their texts in UTF-8.
  static let mostBytes = 1 << 20

  private var forms: [String: ChatMessage] = [:]
  private var order: [String] = []
  private(set) var bytes = 0

  mutating func remember(_ form: ChatMessage) {
    if let known = forms[form.id] {
      let newest = known.changed(by: form) ?? known
      forms[form.id] = newest
      bytes += Self.size(of: newest) - Self.size(of: known)
    } else {
      forms[form.id] = form
      order.append(form.id)
      bytes += Self.size(of: form)
    }
    guard order.count > Self.most || bytes > Self.mostBytes else { return }
    // Half of them at once, so that each costs little.
    var gone = 0
    while gone < order.count, order.count - gone > Self.most / 2 || bytes > Self.mostBytes / 2 {
      if let old = forms.removeValue(forKey: order[gone]) { bytes -= Self.size(of: old) }
      gone += 1
    }
    order.removeFirst(gone)
  }

  /// A message that came, in the newest form that is known of it.
  func latest(of message: ChatMessage) -> ChatMessage {
    guard !forms.isEmpty, let form = forms[message.id] else { return message }
    return message.changed(by: form) ?? message
  }

  private static func size(of form: ChatMessage) -> Int {
    form.text.raw.utf8.count + form.id.utf8.count + (form.author?.raw.utf8.count ?? 0)
  }
}
