import Channel
import Program
import Screen
import Terminal
import Text

/// What the windows want done.
extension ChatLoop {
  func turnsEnded() { answerTokens() }

  func perform(_ effect: ProgramEffect, of window: ChatLine) {
    switch effect {
    case .loadTheme(let name): loadTheme(name)
    case .listThemes: feed(.themesListed(screen.looks.files.all(depth: screen.looks.depth)))
    case .checkTheme(let name): checkTheme(name)
    case .saveSettings(let settings, let names, let keys): save(settings, names, keys)
    case .loadEarlier(let message, let room):
      guard let page = keeper?.earlier(than: message, in: room, of: window.server) else { return }
      feed(.earlier(page.messages, hasEarlier: page.hasEarlier, room: room), to: window.id)
    case .loadLater, .loadPage, .copy, .browse:
      performReading(effect, of: window)
    case .bell: screen.presenter.ring()
    case .notify(let notice): notifier.tell(notice, on: screen.presenter)
    case .setTitle(let title): screen.presenter.setTitle(title)
    case .repaint: screen.presenter.repaint()
    case .lookUp(let query): answer(query)
    case .editExternally(let text): openEditor(text)
    case .suspend:
      screen.presenter.suspend()
      TerminalGuard.stopProcess()
      resume()
    // Done for every kind of loop.
    case .openLink, .write, .finishLink, .dropLink, .log, .keep, .search, .forget, .save, .manage,
      .quit:
      break
    }
  }
}
