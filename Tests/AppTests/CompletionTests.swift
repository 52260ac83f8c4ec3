import App
import Foundation
import TestKit
import Testing

/// The scripts in the real shells.
@Suite(.ownThreads) struct CompletionTests {
  private static func isInstalled(_ shell: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + shell)
    }
  }

  private static func shell(_ name: String, _ script: String, _ config: ConfigFolder) throws
    -> [String]
  {
    let folder = (Programs.parlour as NSString).deletingLastPathComponent
    var variables = config.variables
    variables["PATH"] =
      folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    let shell = try Running("/usr/bin/env", [name, "-c", script], environment: variables)
    let result = try shell.finish()
    #expect(result.errors == [], "\(name): \(script)")
    return result.output
  }

  private static func config() throws -> ConfigFolder {
    try ConfigFolder("[servers.work]\nurl = \"ws://h/\"\n[servers.home]\nurl = \"ws://h/\"\n")
  }

  @Test(
    arguments: [
      (["parlour", "s"], ["serve", "subscribe"]), (["parlour", "wo"], ["work"]),
      (["parlour", "cat", "h"], ["home"]), (["parlour", "cat", "--form"], ["--format"]),
      (["parlour", "cat", "--format", ""], ["text", "json"]),
      (["parlour", "--color", "2"], ["256", "24bit"]),
      (["parlour", "chat", "--color", "=", "ne"], ["never"]),
      (["parlour", "demo", "--theme", "no"], ["nord"]),
      (["parlour", "themes", "gru"], ["gruvbox-dark"]),
      (["parlour", "config", ""], ["check", "path", "show"]),
      (["parlour", "profile", ""], ["guess", "list"]),
      (["parlour", "config", "show", "ho"], ["home"]),
      (["parlour", "help", "comp"], ["completion"]), (["parlour", "help", "ke"], ["keys"]),
      (["parlour", "help", "ma"], ["man"]), (["parlour", "history", "pr"], ["prune"]),
      (["parlour", "cat", "--token-file", "/etc/hostn"], ["/etc/hostname"]),
      (["parlour", "--token-command", "x"], []),
    ] as [([String], [String])])
  func bashCompletes(words: [String], found: [String]) throws {
    let config = try Self.config()
    defer { config.remove() }
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let output = try Self.shell(
      "bash",
      """
      source <(parlour completion bash)
      COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
      _parlour 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """, config)
    #expect(Set(output.filter { !$0.isEmpty }) == Set(found), "\(words)")
  }

  @Test(
    .enabled(if: CompletionTests.isInstalled("fish")),
    arguments: [
      ("parlour s", ["serve", "subscribe"]), ("parlour wo", ["work"]), ("parlour cat ho", ["home"]),
      ("parlour cat --format ", ["text", "json"]), ("parlour --color=ne", ["--color=never"]),
      ("parlour demo --theme nor", ["nord"]), ("parlour config c", ["check"]),
      ("parlour config show ho", ["home"]), ("parlour help ma", ["man"]),
    ] as [(String, [String])])
  func fishCompletes(line: String, found: [String]) throws {
    let config = try Self.config()
    defer { config.remove() }
    let output = try Self.shell(
      "fish", "parlour completion fish | source; complete -C '\(line)'", config)
    let words = output.map { String($0.split(separator: "\t")[0]) }
    #expect(Set(found).isSubset(of: words), "\(output)")
  }

  /// zsh completes only at a terminal: the keys go to one, and what it offers is read.
  @Test(
    .enabled(if: CompletionTests.isInstalled("zsh")),
    arguments: [
      ("parlour comp\t", "letion "), ("parlour cat --form\t", "--format"),
      ("parlour cat --format js\t", "json"), ("parlour cat wor\t", "cat work"),
      ("parlour config sh\t", "config show"), ("parlour config show ho\t", "show home"),
      ("parlour demo --theme=gru\t", "gruvbox-dark"),
    ])
  func zshCompletes(keys: String, found: String) throws {
    let config = try Self.config()
    defer { config.remove() }
    let folder = (Programs.parlour as NSString).deletingLastPathComponent
    var variables = config.variables
    variables["PATH"] =
      folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    variables["TERM"] = "dumb"
    variables["ZDOTDIR"] = config.folder.path()
    let pty = try Pty("zsh", ["-f", "-i"], environment: variables, width: 200)
    pty.type(
      "PS1='ready> '; autoload -Uz compinit; compinit -u -D; source <(parlour completion zsh); echo load''ed\r"
    )
    #expect(pty.read(untilOutput: "loaded"))
    pty.forgetOutput()
    pty.type(keys)
    #expect(pty.read(untilOutput: found), "\(pty.text)")
    pty.type("\u{15}exit\r")
    _ = pty.waitForEnd()
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func everyCommandAndOptionIsInTheScript(shell: String) {
    let script =
      [
        "bash": CompletionScripts.bash, "zsh": CompletionScripts.zsh,
        "fish": CompletionScripts.fish,
      ][shell] ?? ""
    for entry in OptionTable.commands {
      #expect(script.contains(entry.name))
      for option in entry.options {
        #expect(script.contains(shell == "fish" ? "-l \(option.name)" : "--\(option.name)"))
      }
    }
  }

  @Test(arguments: [
    ["completion"], ["completion", "tcsh"], ["completion", "bash", "x"],
    ["completion", "words", "x"],
  ])
  func anotherShellIsRefused(words: [String]) throws {
    #expect(try Running(Programs.parlour, words).finish().status == 64)
  }
}
