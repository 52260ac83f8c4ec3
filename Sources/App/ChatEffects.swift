import Channel
import Program
import Screen
import Terminal
import Text

/// What the windows want done.
extension ChatLoop {
  func line(of id: WindowID) -> ChatLine? { lines.first { $0.id == id } }

  /// Asks the source of the token once more, after a refusal.
  func renewToken(of id: WindowID) {
    guard let line = line(of: id) else { return }
    do {
      guard let token = try line.options.tokenSource.freshToken() else { return }
      line.renewed(token)
      feed(.session(.renewToken(token)), to: id)
    } catch {
      feed(.notice(UntrustedText(error.message), isError: true), to: id)
    }
  }

  func turnsEnded() {
    let ids = touched
    touched = []
    for id in ids where exitCode == nil && workspace.wantsToken(id) {
      guard let line = line(of: id) else { continue }
      let answer = line.options.tokenSource.answer(line.log)
      if case .renewToken(let token) = answer { line.renewed(token) }
      feed(.session(answer), to: id)
    }
  }

  func perform(_ effect: WorkspaceEffect) {
    switch effect {
    case .window(let id, let effect):
      if let line = line(of: id) { perform(effect, of: line) }
    case .open(let id, .room(let room, let nick, let like)):
      guard let line = line(of: like) else { return }
      open(id, asked: like) { () throws(CommandFailure) in
        var options = try line.options.entering(room)
        options.session.context.nick = nick
        return options
      }
    case .open(let id, .server(let word, let asked)):
      let open = lines.map(\.options) + known.values
      self.open(id, asked: asked) { () throws(CommandFailure) in
        try servers.options(of: word, beside: open)
      }
    case .closed(let id): line(of: id)?.end(at: Machine.now())
    }
  }

  func perform(_ effect: ProgramEffect, of window: ChatLine) {
    switch effect {
    case .openLink(let id, let endpoint): window.line.open(id, endpoint)
    case .write(let id, let bytes): window.line.write(id, bytes)
    case .finishLink(let id): window.line.finish(id)
    case .dropLink(let id): window.line.drop(id)
    case .log(let event): window.log?.heard(event)
    case .loadTheme(let name): loadTheme(name)
    case .listThemes: feed(.themesListed(screen.looks.files.all(depth: screen.looks.depth)))
    case .checkTheme(let name): checkTheme(name)
    case .saveSettings(let settings, let names): save(settings, names)
    case .keep(let records):
      tell(keeper?.keep(records, of: window.server, at: Machine.now()))
    case .loadEarlier(let message, let room):
      guard let page = keeper?.earlier(than: message, in: room, of: window.server) else { return }
      feed(.earlier(page.messages, hasEarlier: page.hasEarlier, room: room), to: window.id)
    case .loadLater, .loadPage, .search, .forget, .copy, .browse:
      performReading(effect, of: window)
    case .bell: screen.presenter.ring()
    case .notify(let notice): notifier.tell(notice, on: screen.presenter)
    case .save(let text, let path): feed(NewFile.save(text, to: path), to: window.id)
    case .setTitle(let title): screen.presenter.setTitle(title)
    case .repaint: screen.presenter.repaint()
    case .lookUp(let query): answer(query)
    case .editExternally(let text): openEditor(text)
    case .suspend:
      screen.presenter.suspend()
      TerminalGuard.stopProcess()
      resume()
    // The workspace's own.
    case .manage: break
    case .quit(let code): exitCode = code
    }
  }

  /// What an earlier run left of the room, before anything else.
  func recallFirst() {
    guard let keeper, let first = lines.first else { return }
    workspace.keepHistory(inputs: keeper.inputs())
    let room = first.options.session.context.room
    feed(.recalled(keeper.recall(room, of: first.server), room: room))
    feed(.keeping(reachesDisk: true, isNew: false))
    keeper.keepOnly(workspace.chosen.historyKept, at: Machine.now())
    tell([])
  }

  /// Words of the store, and whether what is kept reaches the disk since then.
  func tell(_ words: [HistoryKeeper.Word]?) {
    guard let keeper, let words else { return }
    let all = keeper.takeWarnings() + words
    let isNew = keeper.takeIsRenewed()
    guard !all.isEmpty || isNew else { return }
    feed(.all(.keeping(reachesDisk: keeper.reachesDisk, isNew: isNew)))
    for word in all { feed(.notice(UntrustedText(word.text), isError: word.isError)) }
  }
}
