import Text
import WebSocket

/// Answers to the upgrade other than 101: redirects, refusals, and the cookies that come with them.
extension Session {
  /// Goes where a redirect points to, within the same attempt and its time limit; false for any other answer.
  mutating func isFollowed(
    _ refusal: Refusal, from dial: SessionLine.Dial, at now: Instant
  ) -> Bool {
    guard (300...399).contains(refusal.status) else { return false }
    cookies.take(refusal.headers, from: dial.route.endpoint, at: now)
    guard case .follow(let target)? = redirect(by: refusal, dial, at: now) else { return false }
    act(.dropLink(dial.link))
    let name = dial.route.endpoint.hostField
    let url = hidingSecrets(in: target.shown)
    tell(.notice(UntrustedText("\(name) points to \(url) (\(refusal.status)): following")))
    var next = dial
    next.link = nextLink()
    next.stage = .connecting
    next.route.go(on: target)
    line = .opening(next)
    enter(next)
    act(.openLink(next.link, target))
    return true
  }

  private func redirect(
    by refusal: Refusal, _ dial: SessionLine.Dial, at now: Instant
  ) -> Redirect? {
    dial.route.redirect(by: refusal, isBare: configuration.isBare) {
      cookieField(for: $0, at: now)
    }
  }

  mutating func onRefusal(
    _ refusal: Refusal, _ dial: SessionLine.Dial, at now: Instant
  ) -> Verdict {
    cookies.take(refusal.headers, from: dial.route.endpoint, at: now)
    var advice: String?
    if case .stay(let told)? = redirect(by: refusal, dial, at: now) {
      advice = hidingSecrets(in: told)
    }
    return verdict(
      onRefusal: secrets.hiding(in: refusal), from: dial.route.endpoint,
      sentToken: configuration.sendsCredentials,
      advice: advice, calendar: calendar(at: now))
  }

  func cookieField(for endpoint: Endpoint, at now: Instant) -> String? {
    cookies.field(for: endpoint, at: now, beside: configuration.ownCookies)
  }

  /// Text of a server without the person's credentials and the cookies, which some repeat.
  func hidingSecrets(in text: String) -> String {
    secrets.hiding(onlyTheseIn: text)
  }

  /// Those of the configuration, and the cookies that are kept now.
  private var secrets: Secrets {
    var secrets = Secrets(configuration)
    for value in cookies.secrets(beside: []) { secrets.add(value) }
    return secrets
  }
}
