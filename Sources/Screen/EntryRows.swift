import Text

/// Where the parts of an entry stand, and the rows that come of it.
extension TimelineBlocks {
  /// Of reactions below a message.
  private static let mostReactionRows = 3

  /// The column that text hangs at.
  var textColumn: Int {
    if isNarrow { return width >= 14 ? 2 : width >= 6 ? 1 : 0 }
    return 10 + nickWidth
  }

  /// At least 1; a column is left free at the right where there is one to spare.
  var textWidth: Int {
    max(1, width - textColumn - (width >= 20 ? 1 : 0))
  }

  func rows(of line: EntryLine) -> [TimelineRow] {
    let hang = isNarrow && line.isNotice && width >= 14 ? 1 : 0
    let most = line.isUnfolded ? Self.mostUnfoldedRows : reading.foldRows
    let wrapped = wrap(line.text, width: textWidth - hang, most: most, emoji: reading.emoji)
    var texts = wrapped.rows
    if wrapped.hiddenRows > 0 || line.isCutShort {
      texts.append([LookedPiece(text: foldWords(of: line, hiddenRows: wrapped.hiddenRows))])
    }
    let quote = line.quote.map { cut($0, to: textWidth) }
    var rows: [TimelineRow] = []
    if isNarrow, !line.isNotice, !line.repeatsNick || line.remark != nil || !line.repeatsTime {
      rows.append(narrowHead(of: line))
    }
    var isFirst = true
    func add(_ spans: [Span]) {
      var row = TimelineRow(spans: spans)
      if isNarrow {
        decorateNarrow(&row, of: line, isFirst: isFirst)
      } else {
        decorate(&row, of: line, isFirst: isFirst)
      }
      isFirst = false
      rows.append(row)
    }
    if let quote { add([Span(column: textColumn, text: quote, style: theme["chat.quote"])]) }
    let direction = line.isNotice ? nil : rightToLeftDirection(of: line.text.text)
    for (index, text) in texts.enumerated() {
      let isFolded = index == wrapped.rows.count
      let style = isFolded ? theme["chat.control"] : line.textStyle
      var spans = text.spans(at: textColumn + hang, base: style, theme: theme, emoji: reading.emoji)
      if let direction, !isFolded, spans.contains(where: { holdsRightToLeft($0.text) }) {
        for index in spans.indices { spans[index].isolate = direction }
      }
      add(spans)
    }
    for text in reactionRows(line.reactions) {
      add([Span(column: textColumn, text: text, style: theme["chat.reaction"])])
    }
    if let remark = line.remark { append(remark.text, style: remark.style, to: &rows) }
    for index in rows.indices { rows[index].target = line.target }
    // Where text begins in the first column there is no room for the mark.
    if line.isSelected, textColumn > 0 {
      for index in rows.indices {
        rows[index].spans.append(Span(column: 0, text: "▸", style: theme["popup.selected"]))
      }
    }
    return rows
  }

  /// That of a text in which anything is written from right to left, by its first letter; nil for any other.
  private func rightToLeftDirection(of text: String) -> WritingDirection? {
    holdsRightToLeft(text) ? firstDirection(of: text) ?? .rightToLeft : nil
  }

  /// As many side by side as have room; what does not fit into some rows is counted.
  private func reactionRows(_ chips: [String]) -> [String] {
    var rows: [String] = []
    for (index, chip) in chips.enumerated() {
      if let last = rows.last, columns(of: last) + 2 + columns(of: chip) <= textWidth {
        rows[rows.count - 1] += "  " + chip
      } else if rows.count < Self.mostReactionRows {
        rows.append(cut(chip, to: textWidth))
      } else {
        rows[rows.count - 1] = cut(
          "… \(chips.count - index) more  " + rows[rows.count - 1], to: textWidth)
        break
      }
    }
    return rows
  }

  private func foldWords(of line: EntryLine, hiddenRows: Int) -> String {
    guard hiddenRows > 0 else { return "… too long to be shown as a whole" }
    let over = line.isCutShort ? "over " : ""
    let hint = line.isUnfolded || line.remark != nil || textWidth < 40 ? "" : " (M-s a shows all)"
    return "… \(over)\(hiddenRows) more \(hiddenRows == 1 ? "row" : "rows")\(hint)"
  }

  private func decorate(_ row: inout TimelineRow, of line: EntryLine, isFirst: Bool) {
    let bar =
      line.isMention
      ? Span(column: 8 + nickWidth, text: "▌", style: theme["chat.mention"])
      : Span(column: 8 + nickWidth, text: "│", style: theme["border"])
    row.spans.append(bar)
    guard isFirst else { return }
    let nick = cut(line.nick, to: nickWidth)
    let nickSpan = Span(
      column: 7 + nickWidth - columns(of: nick), text: nick, style: line.nickStyle)
    let timeSpan = Span(column: 1, text: line.time.clock, style: theme["chat.time"])
    if line.repeatsTime { row.whenTopmost.append(timeSpan) } else { row.spans.append(timeSpan) }
    if line.repeatsNick {
      row.spans.append(Span(column: 6 + nickWidth, text: "·", style: theme["border"]))
      row.whenTopmost.append(nickSpan)
    } else {
      row.spans.append(nickSpan)
    }
  }

  private func decorateNarrow(_ row: inout TimelineRow, of line: EntryLine, isFirst: Bool) {
    if line.isMention, textColumn > 0 {
      row.spans.append(Span(column: 0, text: "▌", style: theme["chat.mention"]))
    }
    if line.isNotice, isFirst, textColumn > 1 {
      row.spans.append(Span(column: 0, text: "--", style: line.nickStyle))
    }
  }

  private func narrowHead(of line: EntryLine) -> TimelineRow {
    let clock = line.time.clock
    // In the first column nothing can keep a name apart from the time behind it.
    let start =
      line.isSelected ? textColumn : textColumn > 0 && holdsRightToLeft(line.nick) ? 1 : 0
    let room = width - start - columns(of: clock) - 1
    guard room >= 3 else {
      return TimelineRow(spans: [
        Span(column: start, text: cut(line.nick, to: width - start), style: line.nickStyle)
      ])
    }
    let nick = cut(line.nick, to: room)
    return TimelineRow(spans: [
      Span(column: start, text: nick, style: line.nickStyle),
      Span(column: start + columns(of: nick) + 1, text: clock, style: theme["chat.time"]),
    ])
  }

  /// Puts a remark at the right end of the last row, or on rows of its own where it does not fit.
  private func append(_ remark: String, style: Style, to rows: inout [TimelineRow]) {
    let end = rows.last?.spans.filter { $0.column >= textColumn }.map {
      $0.column + columns(of: $0.text, emoji: $0.emoji)
    }.max()
    let wanted = columns(of: remark)
    let right = textColumn + textWidth
    if let end, end + 2 + wanted <= right {
      rows[rows.count - 1].spans.append(
        Span(column: right - wanted, text: remark, style: style))
      return
    }
    for text in wrap(remark, width: textWidth, most: 5).rows {
      let column = max(textColumn, right - columns(of: text))
      var row = TimelineRow(spans: [Span(column: column, text: text, style: style)])
      if !isNarrow {
        row.spans.append(Span(column: 8 + nickWidth, text: "│", style: theme["border"]))
      }
      rows.append(row)
    }
  }
}
