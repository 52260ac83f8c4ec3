import Glibc

/// `parlour completion SHELL`: the script on standard output. The scripts ask `parlour completion words KIND` for names
/// that change.
struct CompletionCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  func run() throws(CommandFailure) -> Int32 {
    let operands = arguments.operands
    let text: String
    switch (operands[0], operands.dropFirst().first) {
    case ("bash", nil): text = CompletionScripts.bash
    case ("zsh", nil): text = CompletionScripts.zsh
    case ("fish", nil): text = CompletionScripts.fish
    case ("words", let kind?): text = try words(kind).map { $0 + "\n" }.joined()
    case (_, let extra?):
      throw .usage("\(shown(extra)) is one word too many: parlour completion bash|zsh|fish")
    case (let shell, nil):
      throw .usage("There are scripts for bash, zsh and fish, not for \(shown(shell)).")
    }
    write(text, to: STDOUT_FILENO)
    return ExitCode.done
  }

  private func words(_ kind: String) throws(CommandFailure) -> [String] {
    switch kind {
    case "themes": return ThemeFiles().list().map(\.name)
    case "profiles": return ProfileFiles.names
    // A broken file is no matter for a key that was pressed.
    case "servers": return (try? ConfigurationFile.load())?.servers.map(\.name).sorted() ?? []
    default: throw .usage("\(shown(kind)) is none of servers, themes and profiles.")
    }
  }
}
