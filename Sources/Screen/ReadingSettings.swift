import Room

extension Setting {
  static let foldRows = Setting(
    name: "fold", summary: "rows of a message that are shown before it is folded", choices: nil,
    form: "a number of 3 to 5000",
    read: { String($0.foldRows) },
    write: { settings, text in
      guard let rows = Int(text), (3...5_000).contains(rows) else { return false }
      settings.foldRows = rows
      return true
    })

  static let historyKept = Setting(
    name: "history.keep", summary: "what stays on disk: the rest is deleted at the next start",
    choices: nil, form: "all, a number of messages for each room, or an age such as 365d",
    read: { $0.historyKept.text },
    write: { settings, text in
      guard let kept = Retention(text) else { return false }
      settings.historyKept = kept
      return true
    })
}
