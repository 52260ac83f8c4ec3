import Channel

/// Changes of messages that are not here: of those that come later in an older form, the newer one is shown. The
/// latest few are remembered.
struct EarlyForms: Equatable, Sendable {
  private static let most = 256

  private var forms: [String: ChatMessage] = [:]
  private var order: [String] = []

  mutating func remember(_ form: ChatMessage) {
    if let known = forms[form.id] {
      forms[form.id] = known.changed(by: form) ?? known
      return
    }
    forms[form.id] = form
    order.append(form.id)
    guard order.count > Self.most * 2 else { return }
    for id in order.prefix(Self.most) { forms[id] = nil }
    order.removeFirst(Self.most)
  }

  /// A message that came, in the newest form that is known of it.
  func latest(of message: ChatMessage) -> ChatMessage {
    guard !forms.isEmpty, let form = forms[message.id] else { return message }
    return message.changed(by: form) ?? message
  }
}
