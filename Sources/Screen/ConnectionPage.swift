import Channel
import Room
import Text
import WebSocket

/// `/connection`: everything about the line on one page, the most wanted first, since a small screen shows no more.
struct ConnectionPage {
  let room: RoomModel
  let facts: LineFacts
  let settings: Settings
  let theme: Theme
  let clock: Clock
  let width: Int
  /// The time line as a row of signs.
  var drawsStrip = true

  private var record: ConnectionRecord { facts.record }
  private var isNarrow: Bool { width < 60 }
  private var labelWidth: Int { isNarrow ? 6 : 14 }

  var title: String {
    "Connection ─ " + UntrustedText(room.server).safe(for: .line, limit: 200)
  }

  func lines() -> [TimelineRow] {
    var lines = state() + strip()
    lines += losses(most: isNarrow ? 1 : 3)
    lines += roundTrip() + traffic("in", "received", record.received)
    lines += traffic("out", "sent", record.sent)
    lines += agreement() + security() + compression() + way()
    if record.losses.count > (isNarrow ? 1 : 3) {
      lines.append(TimelineRow(spans: []))
      lines.append(
        TimelineRow(spans: [Span(column: 0, text: "All that ended", style: theme["help.title"])]))
      lines += losses(most: .max)
    }
    return lines
  }

  // MARK: - How it is

  private func state() -> [TimelineRow] {
    let words = StatusWords(room, clock: clock, settings: settings)
    let wide = words.variants.first { columns(of: $0.state) + columns(of: $0.rest) <= width }
    let chosen = wide ?? words.variants.last ?? StatusWords.Variant(words.sign)
    var rows: [TimelineRow] = []
    if case .online(let online) = room.connection {
      let since = LocalTime(wall(of: online.since), offset: clock.offset).clock
      rows.append(
        TimelineRow(spans: [
          Span(
            column: 0, text: "\(words.sign) on line for \((clock.now - online.since).measured)",
            style: theme[words.part]),
          Span(
            column: columns(of: "\(words.sign) on line for \((clock.now - online.since).measured)"),
            text: ", since \(since)", style: theme["text"]),
        ]))
    } else {
      rows.append(
        TimelineRow(spans: [
          Span(column: 0, text: chosen.state, style: theme[words.part]),
          Span(column: columns(of: chosen.state), text: chosen.rest, style: theme["text"]),
        ]))
    }
    rows += next()
    return rows
  }

  /// Which attempt comes, and why.
  private func next() -> [TimelineRow] {
    guard case .connecting(let connecting) = room.connection else { return [] }
    let reason = connecting.lastFailure.map { ": \(safe($0.message))" } ?? ""
    let limit = facts.attemptLimit
    switch connecting.phase {
    case .waiting(let until):
      return row(
        "next", "next attempt",
        "\(connecting.attempt) of \(limit) in \((until - clock.now).countdown)\(reason)")
    case .dialling(_, let since):
      return row(
        "now", "this attempt",
        "\(connecting.attempt) of \(limit), for \((clock.now - since).measured)\(reason)")
    }
  }

  private func strip() -> [TimelineRow] {
    let strip = ConnectionStrip(record: record, clock: clock, theme: theme)
    guard !record.spans.isEmpty else { return [] }
    let window = strip.window.words
    let label = isNarrow ? window : "last \(window)"
    let column = max(labelWidth, columns(of: label) + 1)
    var rows =
      !drawsStrip
      ? []
      : [
        TimelineRow(
          spans: [Span(column: 0, text: label, style: theme["help.key"])]
            + strip.spans(width: max(0, min(width - column - 1, 96)), column: column))
      ]
    var counts =
      (record.attempts == 1 ? "1 attempt" : "\(AmountWords.count(record.attempts)) attempts")
      + (record.lines == 1 ? ", 1 line" : ", \(AmountWords.count(record.lines)) lines")
    if let share = record.availability(at: clock.now) {
      counts = "\(AmountWords.percent(share)) on line, " + counts
    }
    if !isNarrow, drawsStrip {
      rows.append(
        TimelineRow(spans: [
          Span(column: column, text: ConnectionStrip.legend, style: theme["help.text"])
        ]))
    }
    return rows + row("count", "in all", counts)
  }

  private func losses(most: Int) -> [TimelineRow] {
    record.losses.suffix(most).reversed().flatMap { loss -> [TimelineRow] in
      let time = LocalTime(wall(of: loss.at), offset: clock.offset)
      var words = safe(loss.reason)
      if let held = loss.held { words += ", after \(held.measured)" }
      if loss.count > 1 { words += ", \(loss.count) times" }
      let verb = loss.held == nil ? "failed" : "lost"
      return row(time.clock, "\(verb) \(time.clock)", words)
    }
  }

  private func roundTrip() -> [TimelineRow] {
    guard let last = record.roundTrips.last, let summary = record.roundTripSummary else {
      return row("trip", "round trip", "not measured yet")
    }
    let words =
      "\(last.precise), median \(summary.median.precise), worst \(summary.worst.precise)"
      + (isNarrow ? "" : " of \(record.roundTrips.count)")
    return row("trip", "round trip", words)
      + bars(record.roundTrips.map { $0 / .milliseconds(1) })
  }

  private func traffic(_ short: String, _ long: String, _ rate: TrafficRate) -> [TimelineRow] {
    let now = rate.perSecond(at: clock.now)
    let speed =
      "\(AmountWords.bytes(now.bytes))/s, \(AmountWords.rate(now.messages)) \(isNarrow ? "msg" : "messages")/s"
    let total =
      "\(AmountWords.bytes(Double(rate.bytes)))"
      + (isNarrow ? "" : ", \(AmountWords.messages(rate.messages))")
    return row(short, long, "\(speed); \(isNarrow ? "" : "in all ")\(total)")
      + bars(rate.history(at: clock.now, count: 59))
  }

  private func bars(_ values: [Double]) -> [TimelineRow] {
    guard settings.showsSparkline, values.contains(where: { $0 > 0 }) else { return [] }
    let text = Sparkline.text(values, width: min(60, width - labelWidth - 1))
    return [
      TimelineRow(spans: [Span(column: labelWidth, text: text, style: theme["status.online"])])
    ]
  }

  // MARK: - What was agreed on

  private func agreement() -> [TimelineRow] {
    guard let agreement = record.agreement else { return [] }
    let subprotocol = agreement.subprotocol.map(safe) ?? "none"
    return row(
      "proto", "subprotocol", "\(subprotocol), dialect \(agreement.dialect.rawValue)")
  }

  private func security() -> [TimelineRow] {
    guard let tls = record.details?.tls else {
      return record.agreement == nil
        ? [] : row("TLS", "TLS", "none: what is said can be read on the way")
    }
    var rows = row(
      "TLS", "TLS",
      "\(safe(tls.version)), \(safe(tls.cipher)), "
        + (tls.isResumed ? "resumed" : "full handshake"))
    guard !tls.names.isEmpty || tls.expires != nil else { return rows }
    var words = safe(tls.names)
    if !tls.issuer.isEmpty { words += ", by \(safe(tls.issuer))" }
    if let expires = tls.expires {
      let days = (expires.milliseconds - clock.wall.milliseconds) / 86_400_000
      words +=
        days < 0
        ? ", expired \(-days) days ago"
        : ", good until \(LocalTime(expires, offset: clock.offset).date) (\(days) days)"
    }
    if room.warning != nil { words += " (not checked)" }
    rows += row("cert", "certificate", words)
    return rows
  }

  private func compression() -> [TimelineRow] {
    guard case .online = room.connection else { return [] }
    guard let parameters = facts.compression else {
      return row("zip", "compression", "not agreed on")
    }
    var words = "permessage-deflate"
    if parameters.serverNoContextTakeover { words += "; server_no_context_takeover" }
    if parameters.clientNoContextTakeover { words += "; client_no_context_takeover" }
    if let bits = parameters.serverMaxWindowBits { words += "; server_max_window_bits=\(bits)" }
    if let bits = parameters.clientMaxWindowBits { words += "; client_max_window_bits=\(bits)" }
    for (name, count) in [("in", facts.frames.received), ("out", facts.frames.sent)]
    where count.restoredBytes > 0 {
      let saved = 1 - Double(count.compressedBytes) / Double(count.restoredBytes)
      words += ", \(name) \(AmountWords.percent(saved)) saved"
    }
    return row("zip", "compression", words)
  }

  private func way() -> [TimelineRow] {
    guard let details = record.details else { return [] }
    let family = details.proxy != nil ? "" : details.peer.hasPrefix("[") ? ", IPv6" : ", IPv4"
    var rows = row("peer", "peer", safe(details.peer) + family)
    let others = details.tried.filter { $0 != details.peer }
    if !others.isEmpty {
      rows += row("also", "also found", others.map(safe).joined(separator: ", "))
    }
    if let proxy = details.proxy { rows += row("proxy", "proxy", safe(proxy)) }
    return rows
  }

  // MARK: - Rows

  private func row(_ short: String, _ long: String, _ words: String) -> [TimelineRow] {
    let label = isNarrow ? short : long
    let space = max(1, width - labelWidth)
    return wrap(words, width: space, most: 4).rows.enumerated().map { index, text in
      let value = Span(column: labelWidth, text: text, style: theme["text"])
      guard index == 0 else { return TimelineRow(spans: [value]) }
      return TimelineRow(spans: [
        Span(column: 0, text: cut(label, to: labelWidth - 1), style: theme["help.key"]), value,
      ])
    }
  }

  private func safe(_ text: String) -> String {
    UntrustedText(text).safe(for: .line, limit: 240)
  }

  private func wall(of moment: Instant) -> Timestamp { clock.wall(of: moment) }
}

extension Clock {
  /// The calendar's time of a moment in the past.
  func wall(of moment: Instant) -> Timestamp {
    let (seconds, attoseconds) = (now - moment).components
    let ago =
      seconds.multipliedReportingOverflow(by: 1000).partialValue
      &+ attoseconds / 1_000_000_000_000_000
    return Timestamp(milliseconds: wall.milliseconds &- ago)
  }
}
