import Channel
import Net
import Program
import Text
import WebSocket

/// Fresh tokens for the windows. A file is read at once; a command runs beside the chat, and its window waits alone.
extension WindowLoop {
  /// Asks the source of the token once more, as the person dials again after a refusal.
  func renewToken(of id: WindowID) {
    guard let line = line(of: id) else { return }
    if case .command(let command) = line.options.tokenSource {
      do {
        try tokenCommands.start(command, for: id)
        feed(
          .notice(
            UntrustedText("The --token-command is asked for a fresh token."), isError: false),
          to: id)
      } catch {
        feed(.notice(UntrustedText(error.message), isError: true), to: id)
      }
      return
    }
    do {
      guard let token = try line.options.tokenSource.freshToken() else { return }
      line.renewed(token)
      feed(.session(.renewToken(token)), to: id)
    } catch {
      feed(.notice(UntrustedText(error.message), isError: true), to: id)
    }
  }

  /// Windows whose session waits for a token get one, or the reason why there is none.
  func answerTokens() {
    let ids = touched
    touched = []
    for id in ids where exitCode == nil && workspace.wantsToken(id) {
      guard let line = line(of: id), !tokenCommands.isRunning(for: id) else { continue }
      if case .command(let command) = line.options.tokenSource {
        do {
          try tokenCommands.start(command, for: id)
        } catch {
          feed(.session(.noFreshToken(error.message.withoutStop)), to: id)
        }
        continue
      }
      let answer = line.options.tokenSource.answer(line.log)
      if case .renewToken(let token) = answer { line.renewed(token) }
      feed(.session(answer), to: id)
    }
  }

  /// Hands over what the commands came to.
  func takeTokens(at now: Instant) {
    for done in tokenCommands.take(at: now) {
      guard let line = line(of: done.window) else { continue }
      let waits = workspace.wantsToken(done.window)
      switch done.result {
      case .success(let token):
        line.renewed(token)
        feed(.session(.renewToken(token)), to: done.window)
      case .failure(let failure) where waits:
        feed(.session(.noFreshToken(failure.message.withoutStop)), to: done.window)
      case .failure(let failure):
        feed(.notice(UntrustedText(failure.message), isError: true), to: done.window)
      }
      if let held = done.held { line.line.open(held.link, held.endpoint) }
    }
  }
}

extension String {
  /// As the end of a longer sentence.
  var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
