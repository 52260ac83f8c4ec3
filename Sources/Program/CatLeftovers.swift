import Channel
import Room
import Text

/// What was read from standard input and is not known to have arrived when the program ends: nothing is left out silently.
extension CatProgram {
  mutating func tellUnsure(_ text: String) {
    report.unsure(text)
    if stage != .leaving { hasDoubt = true }
  }

  /// Nothing more will be found out about them.
  mutating func tellUnsureOnes() {
    guard options.looksUpPosts else { return }
    for item in outbox.items where item.state == .unsure { tellUnsure(item.post.text) }
    _ = outbox.drop(all: false)
  }

  /// 0 says that all of standard input has arrived. `wasAsked` where the end is one that we wanted.
  func status(of end: SessionState.Offline, wasAsked: Bool) -> Int32 {
    let status =
      wasAsked ? ExitStatus.done : ExitStatus.of(end, attemptLimit: options.attemptLimit)
    guard status == ExitStatus.done else { return status }
    let isUnsent = outbox.isBusy || !binaries.isEmpty || hasLines || lines.waiting > 0
    if hasDoubt || (!wasAsked && isUnsent) { return ExitStatus.unavailable }
    return hasLeftOut ? ExitStatus.badData : ExitStatus.done
  }

  mutating func tellLeftovers() {
    let left = outbox.items.filter { $0.state == .pending || $0.state == .sending }
    for item in left where handedOver.contains(item.post.nonce) { tellUnsure(item.post.text) }
    let unsent = left.filter { !handedOver.contains($0.post.nonce) }
    guard let first = unsent.first else { return }
    let words = UntrustedText(first.post.text).raw.prefix(40)
    let ellipsis = words.count < first.post.text.count ? "…" : ""
    report.notice(
      unsent.count == 1
        ? "One line was not sent: “\(words)\(ellipsis)”."
        : "\(unsent.count) lines were not sent; the first is “\(words)\(ellipsis)”.")
  }
}
