import Glibc

/// Where the program keeps what outlives it: $XDG_STATE_HOME/parlour, else ~/.local/state/parlour. As the XDG Base
/// Directory Specification says, a path that is not absolute counts as none.
func stateFolder() throws(CommandFailure) -> String {
  if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/parlour" }
  guard let home = environment("HOME"), home.hasPrefix("/") else {
    throw .configuration(
      "There is no place for the history: neither XDG_STATE_HOME nor HOME is an absolute path.")
  }
  return home + "/.local/state/parlour"
}
