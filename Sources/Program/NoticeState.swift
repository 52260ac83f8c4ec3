import Channel
import Room
package import Screen
import Text

/// A message that somebody who does not look is to be told of.
package struct Notice: Equatable, Sendable {
  /// Made safe, one line each.
  package var title: String
  package var body: String
  package var settings: Settings
}

/// When the person is told of messages, and of how many at once: never more often than each `pause`.
struct NoticeState {
  static let pause: Duration = .seconds(3)
  /// Where the terminal says nothing of its focus, somebody who typed so lately is there.
  static let presence: Duration = .seconds(30)

  /// When a key was pressed last.
  var lastKey: Instant?
  private var heard = 0
  private var room: String?
  private var waiting = 0
  private var isMention = false
  private var lastNotice: Instant?

  /// When `take` wants to be called for messages that had to wait.
  var due: Instant? {
    waiting > 0 ? (lastNotice ?? Instant()) + Self.pause : nil
  }

  /// What came since the last time. `rings` says that the person is named in it.
  mutating func take(
    from model: RoomModel, rings: Bool, isWatched: Bool, settings: Settings, at now: Instant
  ) -> Notice? {
    if room != model.room {
      room = model.room
      heard = model.heard
      waiting = 0
    }
    let fresh = model.heard - heard
    heard = model.heard
    guard fresh > 0 || waiting > 0 || rings else { return nil }
    let isWanted =
      switch settings.noticeWhen {
      case .never: false
      case .mention: rings || waiting > 0
      case .all: true
      }
    if isWatched || !isWanted {
      waiting = 0
      isMention = false
      return nil
    }
    let isNamed = settings.noticeWhen == .mention
    waiting += isNamed ? (rings ? 1 : 0) : max(fresh, rings ? 1 : 0)
    isMention = isMention || rings
    if let lastNotice, now - lastNotice < Self.pause { return nil }
    defer {
      lastNotice = now
      waiting = 0
      isMention = false
    }
    return notice(of: model, settings)
  }

  private func notice(of model: RoomModel, _ settings: Settings) -> Notice? {
    let newest = model.entries.suffix(200).last { entry in
      guard let message = entry.message, !message.isMine else { return false }
      return !isMention || model.mentionsMe(message)
    }
    guard let message = newest?.message else { return nil }
    let author = message.author?.safe(for: .nick) ?? ""
    let count = waiting > 1 ? " (\(waiting) new)" : ""
    let place = "#\(model.room)\(count)"
    let body = hidingSpoilers(of: message.text.safe(for: .title, limit: 2_000)) { _ in "[spoiler]" }
    let title = UntrustedText(author.isEmpty ? place : "\(author) in \(place)")
    return Notice(
      title: title.safe(for: .title, limit: 120),
      body: UntrustedText(body).safe(for: .title, limit: 240), settings: settings)
  }
}
