import Program
import Room
import Terminal
import Text

/// What reading wants of the disk and the desktop.
extension ChatLoop {
  func performReading(_ effect: ProgramEffect, of window: ChatLine) {
    let server = window.server
    switch effect {
    case .loadLater(let message, let room):
      guard let page = keeper?.later(than: message, in: room, of: server) else { return }
      feed(.later(page.messages, hasLater: page.hasLater, room: room), to: window.id)
    case .loadPage(let place, let room):
      guard let page = keeper?.page(at: place, in: room, of: server) else { return }
      feed(.page(page, room: room), to: window.id)
    case .copy(let text): screen.presenter.copy(text)
    case .browse(let link): say(browser.open(link), in: window)
    default: break  // The loop itself does the others.
    }
  }

  private func say(_ word: HistoryKeeper.Word, in window: ChatLine) {
    feed(.notice(UntrustedText(word.text), isError: word.isError), to: window.id)
  }
}
