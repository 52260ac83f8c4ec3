import Glibc
import Net
import Program
import Screen
import Terminal
import Text

/// What a chat asks of the machine beside its line: the person's editor, names, themes.
extension ChatLoop {
  /// The line goes on while the editor has the terminal; nothing is read from or written to it here.
  func openEditor(_ text: String) {
    screen.presenter.suspend()
    do throws(CommandFailure) {
      editor = try ExternalEditor(text)
      reactor.forget(STDIN_FILENO)
    } catch {
      resume()
      feed(.notice(UntrustedText(error.message), isError: true))
    }
  }

  func closeEditor() {
    guard let result = editor?.finish() else { return }
    editor = nil
    do {
      try reactor.watch(STDIN_FILENO, token: inputToken, for: .readable)
    } catch {
      exitCode = ExitCode.inputOutput
    }
    resume()
    switch result {
    case .success(let text?): feed(.edited(text))
    case .success(nil): break
    case .failure(let failure): feed(.notice(UntrustedText(failure.message), isError: true))
    }
  }

  /// Names for the completion.
  func answer(_ query: CompletionQuery) {
    switch query {
    case .themes:
      feed(.foundNames(screen.looks.files.list().map { FoundName($0.name) }, for: query))
    case .servers: feed(.foundNames(servers.names().map { FoundName($0) }, for: query))
    case .folder(let typed): feed(.foundNames(FolderNames.list(typed), for: query))
    }
  }
}
