import Program
import Room

/// What reading wants of the disk and the desktop.
extension ChatLoop {
  func performReading(_ effect: ProgramEffect) {
    switch effect {
    case .loadLater(let message, let room):
      guard let page = keeper?.later(than: message, in: room) else { return }
      feed(.later(page.messages, hasLater: page.hasLater, room: room))
    case .loadPage(let place, let room):
      if let keeper { feed(.page(keeper.page(at: place, in: room), room: room)) }
    case .search(let text, let room):
      if let keeper { feed(.found(keeper.search(text, room: room), text: text, room: room)) }
    case .forget(let room): tell((keeper?.forget(room)).map { [$0] })
    case .copy(let text): screen.presenter.copy(text)
    case .browse(let link): tell(browser.open(link))
    default: break  // The loop itself does the others.
    }
  }
}
