import Channel
import Text
import WebSocket

/// What was last said about the line. As long as nothing else was said since, the next word about the line
/// takes its place, so that one that comes and goes all night fills one row and not the screen. Messages
/// that a new line fetches before it is ready do not count: the word about it belongs above them.
struct ConnectionNotices: Equatable, Sendable {
  /// The row that the next word may take the place of.
  var openSerial: Int?
  /// Losses that the row stands for.
  var losses = 0
  /// The line was up, and its end has not been told.
  var isUp = false
  /// There was a loss, and no line since.
  var wasLost = false

  /// Something else was said.
  mutating func interrupt() {
    openSerial = nil
  }
}

extension RoomModel {
  mutating func changeConnection(to state: SessionState, wall: Timestamp) {
    let before = connection
    connection = state
    if case .online(let online) = state {
      dialect = online.dialect
      if online.isInsecure { isInsecure = true }
      // Another round trip was measured; that may be while the line is being closed on purpose.
      if case .online = before { return }
      isLeaving = false
      noteConnected(wall: wall)
      return
    }
    isReady = false
    members = []
    typists.endAll()
    if isLeaving || state == .offline(.stopped) {
      lostAt = nil
      notices.isUp = false
    } else if case .online = before {
      lostAt = wall
    }
    // What fails from now on does not fail on purpose.
    defer { if state != before { isLeaving = false } }
    guard case .offline(let end) = state, before != state else { return }
    if case .connecting = before, end == .stopped {
      say("stopped trying to reach \(server); /connect tries again", wall: wall)
    } else {
      noteEnd(end, wall: wall)
    }
    notices.isUp = false
  }

  private mutating func noteConnected(wall: Timestamp) {
    let losses = notices.openSerial == nil ? 0 : notices.losses
    let again = notices.wasLost ? " again" : ""
    let count = losses > 1 ? ", after \(losses) losses" : ""
    say("connected\(again) to \(server)\(count)", wall: wall)
    notices.isUp = true
    notices.wasLost = false
    // With messages below it, the row has its place for good.
    if timeline.entries.last?.serial != notices.openSerial { notices.interrupt() }
  }

  private mutating func noteEnd(_ end: SessionState.Offline, wall: Timestamp) {
    switch end {
    case .idle: break
    case .stopped: say("disconnected from \(server); /connect connects again", wall: wall)
    case .closed(let reason):
      say("the server closed the line\(words(for: reason)); /connect connects again", wall: wall)
    case .refused(let failure):
      say(
        "refused: \(Self.sentence(failure.message)) It is not tried again until you say /connect.",
        isError: true, wall: wall)
    case .gaveUp(let attempts, let failure):
      let count = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
      say(
        "gave up after \(count): \(Self.sentence(failure.message)) /connect tries again.",
        isError: true, wall: wall)
    }
  }

  mutating func noteFailure(_ failure: Failure, wall: Timestamp) {
    guard !isFinal, !isLeaving else { return }
    if notices.isUp {
      noteLoss("line lost: \(Self.sentence(failure.message))", wall: wall)
    } else {
      say("not connected: \(Self.sentence(failure.message))", isError: true, wall: wall)
    }
  }

  mutating func noteClose(_ reason: CloseReason, wall: Timestamp) {
    guard !isFinal, !isLeaving else { return }
    noteLoss("the server closed the line\(words(for: reason))", wall: wall)
  }

  private mutating func noteLoss(_ sentence: String, wall: Timestamp) {
    let losses = notices.openSerial == nil ? 0 : notices.losses
    say(sentence, isError: true, wall: wall)
    notices.losses = losses + 1
    notices.isUp = false
    notices.wasLost = true
  }

  /// The end has been told, and with more words than the event has that came with it.
  private var isFinal: Bool {
    switch connection {
    case .offline(.refused), .offline(.gaveUp), .offline(.closed): true
    case .offline(.idle), .offline(.stopped), .connecting, .online: false
    }
  }

  /// Appends a row about the line, or changes the last one where nothing was said since.
  private mutating func say(_ sentence: String, isError: Bool = false, wall: Timestamp) {
    let kind = TimelineEntry.Kind.notice(UntrustedText(sentence), isError: isError)
    if let serial = notices.openSerial, timeline.replace(serial: serial, with: kind, time: wall) {
      return
    }
    notices.losses = 0
    let serial = serials.next()
    timeline.append(TimelineEntry(kind: kind, time: wall, serial: serial))
    notices.openSerial = serial
  }

  /// A sentence of the server or the dialect. Said again with nothing between, it makes no new row.
  mutating func noteOnce(_ text: UntrustedText, wall: Timestamp) {
    let kind = TimelineEntry.Kind.notice(text, isError: false)
    if let last = timeline.entries.last, last.kind == kind, last.serial != notices.openSerial {
      timeline.replace(serial: last.serial, with: kind, time: wall)
    } else {
      append(kind, time: wall)
    }
  }

  /// Such as ": it restarts (1012 back soon)".
  private func words(for reason: CloseReason) -> String {
    guard reason.code != .noStatus else { return "" }
    let text = reason.text.isEmpty ? "" : " \(reason.text)"
    return ": \(reason.code.words) (\(reason.code.rawValue)\(text))"
  }

  /// A sentence as a part of a longer one: without its full stop, and no capital in the middle. Only an article
  /// is known to be no name.
  static func clause(_ sentence: String) -> String {
    let open = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return open.hasPrefix("The ") ? "t" + open.dropFirst() : open
  }

  /// A sentence behind a colon, with others to come: closed by its own mark or a full stop.
  static func sentence(_ sentence: String) -> String {
    let open = clause(sentence)
    return open.hasSuffix("?") || open.hasSuffix("!") ? open : open + "."
  }
}

extension SessionState {
  /// Off line, or in the wait before an attempt: where the person may ask for the line.
  var isWaiting: Bool {
    switch self {
    case .offline: true
    case .connecting(let connecting):
      if case .waiting = connecting.phase { true } else { false }
    case .online: false
    }
  }
}
