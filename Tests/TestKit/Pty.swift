package import Glibc

/// A program that runs on a pseudo-terminal, with everything that it wrote. Nothing emulates a screen here: use
/// `Tmux` for what a person would see.
package final class Pty {
  package let child: pid_t
  /// All bytes that the program wrote, as far as they were read.
  package private(set) var output: [UInt8] = []
  private let main: Int32
  private let state = StateFolder()
  private var ended: Ending?
  private var hasHungUp = false

  /// Starts a program on a terminal of its own of that size. TERM is xterm-256color and LANG is C.UTF-8 unless
  /// `environment` says otherwise; PATH and HOME are inherited.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    width: Int = 80, height: Int = 24
  ) throws {
    let terminal = try openTerminal(width: width, height: height)
    main = terminal.main
    // Open until the child has it, or the main end would see a hang-up.
    defer { close(terminal.second) }
    var variables = inheritedEnvironment()
    variables["TERM"] = "xterm-256color"
    variables["LANG"] = "C.UTF-8"
    variables.merge(state.variables) { $1 }
    variables.merge(environment) { $1 }
    do {
      child = try start(program, arguments, environment: variables, terminalPath: terminal.path)
    } catch {
      close(main)
      throw error
    }
  }

  /// Kills the program if it still runs.
  deinit {
    if ended == nil {
      kill(child, SIGKILL)
      _ = child.ending()
    }
    if !hasHungUp { close(main) }
  }

  /// The terminal is gone: a window that was closed. Nothing can be read or typed any more.
  package func hangUp() {
    if !hasHungUp { close(main) }
    hasHungUp = true
  }

  /// The output as text; broken UTF-8 becomes U+FFFD.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Types, as a person would.
  package func type(_ text: String) {
    write(Array(text.utf8))
  }

  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(main, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until the condition holds; false if it does not within `rounds` polls of 20 ms without any output, or
  /// when the program ends before.
  package func read(rounds: Int = 500, until condition: (Pty) -> Bool) -> Bool {
    var silent = 0
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      if condition(self) { return true }
      var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 20) <= 0 {
        silent += 1
        if silent > rounds { return false }
        continue
      }
      let count = Glibc.read(main, &buffer, buffer.count)
      // EIO: nobody has the other end open any more.
      if count <= 0 { return condition(self) }
      output += buffer[..<count]
    }
  }

  /// Reads until the output so far contains the text.
  package func read(untilOutput text: String, rounds: Int = 500) -> Bool {
    read(rounds: rounds) { $0.text.contains(text) }
  }

  /// Reads what is there now.
  package func readWhatIsThere() {
    _ = read(rounds: 0) { _ in false }
  }

  /// Forgets the output so far, so that the next condition sees only what is new.
  package func forgetOutput() {
    output = []
  }

  /// The kernel tells the program with SIGWINCH.
  package func resize(width: Int, height: Int) {
    var size = winsize()
    size.ws_col = UInt16(width)
    size.ws_row = UInt16(height)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  package func signal(_ signal: Int32) {
    kill(child, signal)
  }

  /// Whether the terminal echoes and waits for whole lines, as a shell expects it to.
  package var isCooked: Bool { terminalIsCooked(main) }

  /// Reads the rest of the output and waits for the end; nil if the program still runs after `rounds` of 20 ms.
  package func waitForEnd(rounds: Int = 500) -> Ending? {
    for _ in 0..<rounds where ended == nil {
      readWhatIsThere()
      ended = child.ending(rounds: 1)
    }
    readWhatIsThere()
    return ended
  }
}

/// Both ends of a new pseudo-terminal of that size, for the caller to close, and the path of the second.
package func openTerminal(
  width: Int, height: Int
) throws -> (main: Int32, second: Int32, path: String) {
  var main: Int32 = -1
  var second: Int32 = -1
  var name = [CChar](repeating: 0, count: 256)
  var size = winsize()
  size.ws_col = UInt16(width)
  size.ws_row = UInt16(height)
  guard openpty(&main, &second, &name, nil, &size) == 0 else {
    throw StartFailure(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
  }
  for end in [main, second] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return (main, second, path)
}

/// Whether a terminal echoes, edits whole lines and makes signals of Ctrl-C and Ctrl-Z.
package func terminalIsCooked(_ descriptor: Int32) -> Bool {
  var modes = termios()
  guard tcgetattr(descriptor, &modes) == 0 else { return false }
  let wanted = tcflag_t(ECHO | ICANON | ISIG)
  return modes.c_lflag & wanted == wanted && modes.c_iflag & tcflag_t(ICRNL) != 0
}
