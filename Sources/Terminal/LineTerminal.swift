import CNcurses
import Glibc

/// The terminal of a chat without a screen. Where it can echo, what is typed comes key by key, so that a line that
/// arrives in the middle is put before it; else the kernel collects whole lines.
package final class LineTerminal {
  /// Keys come one by one, and are to be echoed by `write`.
  package let hasKeys: Bool
  private let input: Int32
  private let output: Int32
  private var modes = termios()
  private var isOpen = false

  /// `type` is TERM. One that is not known, is dumb or does not echo is left alone.
  package init(type: String?, input: Int32 = 0, output: Int32 = 1) {
    self.input = input
    self.output = output
    let echoes = tcgetattr(input, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    let isKnown = (try? TerminalKind(type: type)) != nil
    hasKeys = echoes && isKnown && isatty(output) == 1
    open()
  }

  /// Takes the keys, and gives the terminal back whatever happens.
  package func open() {
    guard hasKeys, !isOpen else { return }
    TerminalGuard.arm(input: input, output: output, rescue: [])
    var raw = modes
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    tcsetattr(input, TCSADRAIN, &raw)
    isOpen = true
  }

  /// Gives the terminal back; `open` takes it again.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    TerminalGuard.disarm()
  }
}
