import App
import Foundation
import TestKit
import Testing

/// A folder that is the person's configuration.
struct ConfigFolder {
  let folder: URL
  var file: String { folder.appending(path: "parlour/config.toml").path() }
  var variables: [String: String] { ["XDG_CONFIG_HOME": folder.path()] }

  init(_ text: String? = nil, mode: Int = 0o600) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "parlour-config-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "parlour/themes"), withIntermediateDirectories: true)
    guard let text else { return }
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  var text: String? { try? String(contentsOfFile: file, encoding: .utf8) }

  var mode: Int? {
    (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? Int
  }

  func run(_ words: String...) throws -> Running.Result {
    try Running(Programs.parlour, words, environment: variables).finish()
  }
}

@Suite(.ownThreads) struct ConfigCommandTests {
  @Test func thePathIsToldAndWhatIsNotThereIsRight() throws {
    let config = try ConfigFolder()
    defer { config.remove() }
    #expect(try config.run("config", "path").output == [config.file])
    let check = try config.run("config", "check")
    #expect(check.status == 0 && check.output.first?.contains("is not there") == true)
  }

  @Test func everyFaultIsToldWithItsLine() throws {
    let config = try ConfigFolder(
      """
      hnits = true
      theme = "nosuch"
      [servers.a]
      url = "ws://h/"
      max-delay = "soon"
      pin = "md5"
      cacert = "/nowhere/ca.pem"
      token-command = "exit 3"
      [servers.b]
      url = "http:/x"
      """)
    defer { config.remove() }
    let check = try config.run("config", "check")
    #expect(check.status == 78)
    let places = check.errors.compactMap {
      $0.split(separator: ":").dropFirst().first.map(String.init)
    }
    #expect(places == ["1", "2", "5", "6", "10"], "\(check.errors)")
    #expect(check.errors[1].contains("There is no theme nosuch"))
    #expect(check.errors[2].contains("max-delay soon is no duration"))
  }

  @Test func aRightFileIsSaidToBe() throws {
    let config = try ConfigFolder("hints = false\n[servers.a]\nurl = \"ws://h/\"\n")
    defer { config.remove() }
    let check = try config.run("config", "check")
    #expect(
      check.status == 0 && check.output.first?.hasSuffix("is right: 1 setting, 1 server.") == true)
  }

  @Test func aServerIsShownByItsNameAndByThatOfItsSection() throws {
    let config = try ConfigFolder("[servers.work]\nurl = \"ws://h/\"\n")
    defer { config.remove() }
    let byName = try config.run("config", "show", "work")
    let bySection = try config.run("config", "show", "servers.work")
    #expect(byName.status == 0 && bySection.status == 0)
    #expect(byName.output == bySection.output && !byName.output.isEmpty)
    #expect(try config.run("config", "show", "servers.home").status == 64)
  }

  @Test(arguments: OptionTable.commands.flatMap { entry in entry.words.map { (entry.name, $0) } })
  func whatACommandDoesIsExplainedOnItsPage(command: String, word: String) throws {
    let page = try Running(Programs.parlour, ["help", command]).finish().output
    for words in [["help", command, word], [command, word, "--help"], [command, "--help"]] {
      let result = try Running(Programs.parlour, words).finish()
      #expect(result.status == 0 && result.output == page, "\(words): \(result.errors)")
    }
    let wrong = try Running(Programs.parlour, ["help", command, "nosuch"]).finish()
    #expect(wrong.status == 64)
  }

  @Test func theProfilesAreListedWithTheirFiles() throws {
    let config = try ConfigFolder("server = \"work\"\n[servers.work]\nurl = \"ws://h/\"\n")
    defer { config.remove() }
    let own = config.folder.appending(path: "parlour/profiles")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    for name in ["mine.toml", "hasura.toml", "notes.txt"] {
      try "".write(to: own.appending(path: name), atomically: true, encoding: .utf8)
    }
    let list = try config.run("profile", "list")
    #expect(list.status == 0, "\(list.errors)")
    let names = list.output.map { String($0.prefix { $0 != " " }) }
    #expect(names == ["ariadne", "embedded", "hasura", "mine", "strawberry"])
    #expect(list.output[2].hasSuffix("parlour/profiles/hasura.toml"))
    #expect(list.output[0].hasSuffix("/ariadne.json"))
  }

  @Test func whatCountsIsShownWithItsOriginAndWithoutSecrets() throws {
    let config = try ConfigFolder(
      """
      hints = false
      [servers.a]
      url = "wss://ann:pw1@h/?access_token=pw2"
      proxy = "http://ann:pw3@proxy:3128"
      headers = ["X-Key: pw4"]
      """)
    defer { config.remove() }
    let shown = try config.run("config", "show")
    let text = shown.output.joined(separator: "\n")
    #expect(shown.status == 0)
    #expect(text.contains("hints = false  # \(config.file):1"))
    #expect(text.contains("theme = \"\"  # built in"))
    #expect(text.contains("[servers.a]"))
    for secret in ["pw1", "pw2", "pw3", "pw4"] { #expect(!text.contains(secret), "\(text)") }
    let again = try ConfigFolder(text + "\n")
    defer { again.remove() }
    #expect(try again.run("config", "check").status == 0, "\(text)")
  }

  /// What counts without where it stands.
  private func values(_ lines: [String]) -> [String] {
    lines.filter { !$0.hasPrefix("#") }.map { $0.replacing(/[ ]{2}# .*$/, with: "") }
  }

  @Test(arguments: [
    "", "theme = \"nord\"\n", "theme.dark = \"nord\"\n",
    ##"""
    default = "a.b"
    color = "256"
    hints = false
    paste.lines = 0
    history.keep = 500
    fold = 20
    [theme]
    light = "solarized-light"
    dark = "nord"
    [notice]
    when = "all"
    bell = false
    [keys]
    program.help = ["F1", "^X^H"]
    editor.kill-line = "none"
    transcript.search = "M-\""
    [servers."a.b"]
    url = "wss://chat.example/ws?room=a%20b"
    nick = "ann"
    rooms = ["dev", "lobby"]
    token-command = "printf '%s\\n' \"$A\tB\" | tail -n1 # \u202e and more than eighty characters of it"
    max-attempts = 20
    first-delay = "250ms"
    insecure = true
    no-proxy = "*"
    pin = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
    [servers.local]
    url = "ws://127.0.0.1:9000/"
    proxy = ""
    """##,
  ])
  func whatIsShownIsAFileThatSaysTheSame(text: String) throws {
    let config = try ConfigFolder(text)
    defer { config.remove() }
    #expect(try config.run("config", "check").errors == [])
    let shown = try config.run("config", "show")
    #expect(shown.status == 0 && shown.errors == [])
    #expect(!shown.output.joined().contains("\u{202E}"))
    let again = try ConfigFolder(shown.output.joined(separator: "\n") + "\n")
    defer { again.remove() }
    let check = try again.run("config", "check")
    #expect(check.status == 0, "\(check.errors) \(shown.output)")
    #expect(try values(again.run("config", "show").output) == values(shown.output))
    for name in ["hints", "theme.dark"] where text.contains("[notice]") {
      #expect(shown.output.contains { $0.hasPrefix("\(name) = ") }, "\(name)")
    }
  }

  /// Examples are read before anything else of a manual: each has to be right as it stands.
  @Test func everyConfigurationInTheREADMEIsRight() throws {
    let readme = try String(contentsOfFile: Programs.root + "README.md", encoding: .utf8)
    let blocks = readme.components(separatedBy: "```toml\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    let configurations = blocks.filter { !$0.contains("profile = 1") && !$0.contains("[palette]") }
    #expect(configurations.count >= 1)
    for text in configurations {
      let config = try ConfigFolder(text)
      defer { config.remove() }
      let check = try config.run("config", "check")
      #expect(check.status == 0 && check.errors == [], "\(check.errors)")
    }
  }

  @Test(arguments: [0o602, 0o666])
  func aTokenCommandThatOthersCouldWriteIsRefused(mode: Int) throws {
    let config = try ConfigFolder(
      "[servers.a]\nurl = \"ws://127.0.0.1:1/\"\ntoken-command = \"echo t\"\n", mode: mode)
    defer { config.remove() }
    let cat = try config.run("cat", "--no-reconnect", "a")
    #expect(cat.status == 78 && cat.errors.first?.contains("written by everybody") == true)
  }

  @Test func aBrokenFileIsToldAndLeftAlone() throws {
    let config = try ConfigFolder("hints = \n")
    defer { config.remove() }
    let cat = try config.run("cat", "a")
    #expect(cat.status == 78)
    #expect(cat.errors.first?.contains("\(config.file):1: ") == true)
    #expect(config.text == "hints = \n")
    // Who names a URL needs no file.
    let other = try config.run("cat", "--no-reconnect", "ws://127.0.0.1:1/")
    #expect(other.status == 69)
  }

  @Test func aPipeOrAHugeFileInItsPlaceIsRefused() throws {
    let config = try ConfigFolder()
    defer { config.remove() }
    #expect(mkfifo(config.file, 0o600) == 0)
    #expect(try config.run("cat", "a").errors.first?.contains("is no file") == true)
    unlink(config.file)
    try String(repeating: "# x\n", count: 100_000).write(
      toFile: config.file, atomically: true, encoding: .utf8)
    #expect(try config.run("cat", "a").errors.first?.contains("larger than 256 KiB") == true)
  }

  @Test func aServerIsReachedByItsNameByEveryCommand() throws {
    let server = try PeerServer.embedded(["--token", "sesame"])
    let config = try ConfigFolder(
      """
      default = "local"
      [servers.local]
      url = "\(server.url)"
      nick = "ann"
      token-command = "echo sesame"
      """)
    defer { config.remove() }
    for words in [
      ["cat", "--count", "1", "--send", "hello"],
      ["cat", "--count", "1", "--send", "hello", "local"],
    ] {
      let cat = try Running(
        Programs.parlour, words + ["--history", "0"], environment: config.variables)
      #expect(try cat.finish(endingInput: false).output == ["ann: hello"])
    }
    let check = try config.run("check", "local")
    #expect(check.status == 0, "\(check)")
    let wrong = try Running(
      Programs.parlour, ["cat", "--no-reconnect", "local"],
      environment: config.variables.merging(["PARLOUR_TOKEN": "wrong"]) { $1 })
    #expect(try wrong.finish().status == 77)
  }
}

@Suite(.ownThreads, .serialized, .enabled(if: Tmux.isInstalled)) struct SaveTests {
  @Test func whatIsChangedInTheChatIsThereTheNextTime() throws {
    let config = try ConfigFolder("# mine\nhints = true # keys\n", mode: 0o640)
    defer { config.remove() }
    let tmux = try Tmux(
      "\(Programs.parlour) demo; echo ended $?; read line", name: "save",
      environment: config.variables)
    #expect(tmux.wait { $0.contains("F1 help") && $0.contains("online") }.held)
    tmux.type("/set hints off")
    tmux.press("Enter")
    #expect(tmux.wait { !$0.contains("F1 help") }.held)
    tmux.type("/theme")
    tmux.press("Enter")
    let picker = tmux.wait {
      $0.contains("Theme ") && $0.contains("▸ terminal") && $0.contains("nord")
    }
    #expect(picker.held, "\(picker.screen)")
    #expect(!picker.screen.contains("base "))
    tmux.type("n")
    #expect(tmux.wait { $0.contains("▸ nord") }.held)
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("The theme is nord now") }.held)
    tmux.type("/save")
    tmux.press("Enter")
    let saved = tmux.wait { $0.contains("are kept in") }
    #expect(saved.held, "\(saved.screen)")
    #expect(config.text == "# mine\nhints = false # keys\ntheme = \"nord\"\n")
    #expect(config.mode == 0o640)
    tmux.type("/quit")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("ended 0") }.held)
    let again = try Tmux(
      "\(Programs.parlour) demo; read line", name: "save-again", environment: config.variables)
    let shown = again.wait { $0.contains("online") }
    #expect(shown.held && !shown.screen.contains("F1 help"))
  }

  @Test func aWarningIsSeenBehindTheHistoryOfTheServer() throws {
    let server = try PeerServer.embedded()
    let state = StateFolder()
    let cat = try Running(
      Programs.parlour,
      ["cat", "--nick", "bob", server.url] + (1...40).flatMap { ["--send", "line \($0)"] },
      environment: state.variables)
    cat.endInput()
    #expect(try cat.finish().status == 0)
    let config = try ConfigFolder("bogus = 1\n")
    defer { config.remove() }
    let tmux = try Tmux(
      "\(Programs.parlour) --nick me \(server.url)", name: "late-warning",
      environment: config.variables)
    let shown = tmux.wait { $0.contains("line 40") && $0.contains("bogus is not known") }
    #expect(shown.held, "\(shown.screen)")
  }

  /// A terminal that answers OSC 11 by itself is not at hand everywhere: a pseudo terminal answers here.
  @Test(arguments: [("ffff/ffff/ffff", "#fdf6e3", "light"), ("0000/0000/0000", "#2e3440", "dark")])
  func theBackgroundDecidesBetweenTwoThemes(answer: String, color: String, name: String) throws {
    let config = try ConfigFolder("theme.light = \"solarized-light\"\ntheme.dark = \"nord\"\n")
    defer { config.remove() }
    var variables = config.variables
    variables["COLORTERM"] = "truecolor"
    let pty = try Pty(Programs.parlour, ["demo"], environment: variables)
    #expect(pty.read(untilOutput: "\u{1B}]11;?"))
    pty.write(Array("\u{1B}]11;rgb:\(answer)\u{1B}\\".utf8))
    let value = UInt32(color.dropFirst(), radix: 16) ?? 0
    let parameters = "48;2;\(value >> 16);\(value >> 8 & 255);\(value & 255)"
    #expect(pty.read(untilOutput: parameters))
    #expect(!pty.text.contains("rgb:"))
    pty.type("/quit\r")
    _ = pty.waitForEnd()
  }

  @Test func withoutAPairOfThemesTheTerminalIsNotAsked() throws {
    let pty = try Pty(Programs.parlour, ["demo"])
    #expect(pty.read(untilOutput: "online"))
    #expect(!pty.text.contains("\u{1B}]11;"))
    pty.type("/quit\r")
    _ = pty.waitForEnd()
  }
}

@Suite(.ownThreads) struct ThemesCommandTests {
  @Test func themesAreListedShownAndDrawn() throws {
    let config = try ConfigFolder()
    defer { config.remove() }
    let list = try config.run("themes")
    #expect(list.output.count == 13)
    #expect(
      list.output.contains { $0.hasPrefix("nord\tdark\t") && $0.hasSuffix("Arctic Ice Studio") })
    let preview = try config.run("themes", "nord", "--size", "60x12", "--color", "24bit")
    #expect(preview.output.count == 12)
    #expect(preview.output.joined().contains("48;2;46;52;64"))
    #expect(try config.run("themes", "nord").output.joined().contains("38;") == false)
    let picture = try config.run("themes", "nord", "--svg", "--size", "60x12")
    #expect(picture.output.first?.hasPrefix("<svg ") == true)
    for (words, code) in [
      (["themes", "nrod"], Int32(78)), (["themes", "--svg"], 64),
      (["themes", "nord", "--size", "0x5"], 64),
      (["themes", "nord", "--size", "80"], 64), (["themes", "nord", "--color", "red"], 64),
    ] {
      #expect(try Running(Programs.parlour, words).finish().status == code, "\(words)")
    }
  }

  @Test func aThemeOfOnesOwnHidesTheShippedOne() throws {
    let config = try ConfigFolder()
    defer { config.remove() }
    try "[theme]\nname = \"nord\"\ninherits = \"base\"\ncredit = \"me\"\nnonsense = \"x\"\n".write(
      to: config.folder.appending(path: "parlour/themes/nord.theme"), atomically: true,
      encoding: .utf8)
    #expect(
      try config.run("themes").output.contains { $0.hasPrefix("nord\t") && $0.hasSuffix("\tme") })
    let preview = try config.run("themes", "nord")
    #expect(preview.status == 78 && preview.errors.first?.contains("nord.theme:5: ") == true)
    #expect(preview.output.count == 24)
  }
}
