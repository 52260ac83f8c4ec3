import Glibc

/// A program inside a tmux server of its own: shows the screen as a person sees it.
package final class Tmux {
  private let socket: String
  private let environment: [String: String]
  private let state = StateFolder()

  /// Whether tmux is installed. Tests that need it are disabled without.
  package static var isInstalled: Bool {
    (try? run(["-V"], environment: inheritedEnvironment()))?.ending == .exited(0)
  }

  /// Starts a command (a line for the shell) on a screen of that size. The pane stays when the command ends.
  /// `name` tells apart the servers of one test process.
  package init(
    _ command: String, name: String, environment: [String: String] = [:], width: Int = 80,
    height: Int = 24
  ) throws {
    socket = "parlour-test-\(getpid())-\(name)"
    var variables = inheritedEnvironment()
    variables["LANG"] = "C.UTF-8"
    variables["SHELL"] = "/bin/sh"
    variables.merge(state.variables) { $1 }
    variables["TERM"] = "xterm-256color"
    variables.merge(environment) { $1 }
    self.environment = variables
    let started = try Self.run(
      [
        "-f", "/dev/null", "-L", socket, "set-option", "-g", "remain-on-exit", "on", ";",
        "set-option", "-g", "status", "off", ";", "set-option", "-s", "escape-time", "0", ";",
        "new-session", "-d", "-x", "\(width)", "-y", "\(height)", command,
      ], environment: variables)
    guard started.ending == .exited(0) else {
      throw StartFailure(description: "tmux did not start: \(started.output)")
    }
  }

  deinit {
    tell("kill-server")
  }

  /// Presses keys by the names of tmux: "Enter", "C-c", "Up", "M-b", "PPage".
  package func press(_ keys: String...) {
    tell(["send-keys"] + keys)
  }

  /// Types text as it stands.
  package func type(_ text: String) {
    tell("send-keys", "-l", "--", text)
  }

  /// Pastes text, in brackets if the program asked for them.
  package func paste(_ text: String) {
    tell("set-buffer", "--", text)
    tell("paste-buffer", "-p", "-r")
  }

  package func resize(width: Int, height: Int) {
    tell("resize-window", "-x", "\(width)", "-y", "\(height)")
  }

  /// What is on the screen, a line a row, without trailing blanks. `styled` keeps the colours as SGR sequences.
  package func screen(styled: Bool = false) -> String {
    tell(["capture-pane", "-p"] + (styled ? ["-e"] : []))
  }

  /// Where the cursor stands, and whether it shows.
  package var cursor: (row: Int, column: Int, isShown: Bool)? {
    let answer = tell("display-message", "-p", "#{cursor_y} #{cursor_x} #{cursor_flag}")
    let numbers = answer.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2] == 1) : nil
  }

  /// Any variable of tmux, such as "#{pane_title}", "#{alternate_on}" or "#{pane_dead}". Its
  /// "#{pane_dead_status}" is not to be relied on: tmux 3.3a misses the end of one child in forty. Let the
  /// command say it: "parlour …; echo ended $?".
  package func value(of format: String) -> String {
    let answer = tell("display-message", "-p", format)
    return answer.hasSuffix("\n") ? String(answer.dropLast()) : answer
  }

  /// Looks at the screen until the condition holds, at most `rounds` times with 20 ms between. Returns the last
  /// screen and whether the condition held.
  package func wait(
    rounds: Int = 500, until condition: (String) -> Bool
  ) -> (screen: String, held: Bool) {
    for _ in 0..<rounds {
      let shown = screen()
      if condition(shown) { return (shown, true) }
      letOthersWork()
    }
    return (screen(), false)
  }

  @discardableResult
  private func tell(_ words: String...) -> String { tell(words) }

  @discardableResult
  private func tell(_ words: [String]) -> String {
    // A semicolon at the end of a word would begin another command.
    let words = words.map { $0.hasSuffix(";") ? $0.dropLast() + "\\;" : $0 }
    return (try? Self.run(["-L", socket] + words, environment: environment))?.output ?? ""
  }

  private static func run(
    _ arguments: [String], environment: [String: String]
  ) throws -> (output: String, ending: Ending?) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw StartFailure(description: "no pipe") }
    // The server that tmux leaves behind must not keep the pipe open: it closes all but 0 to 2 itself.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer {
      close(ends[0])
      close(nothing)
    }
    let child: pid_t
    do {
      defer { close(ends[1]) }
      child = try start(
        "tmux", arguments, environment: environment, descriptors: [nothing, ends[1], ends[1]])
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count <= 0 { break }
      output += buffer[..<count]
    }
    return (String(decoding: output, as: UTF8.self), child.ending())
  }
}
