import App
import Screen
import Testing

@Suite struct ConfigurationReaderTests {
  static func read(_ text: String) throws -> Configuration {
    try ConfigurationReader.read(text, file: "config.toml", folder: "/etc/p", home: "/people/ann")
  }

  private static let whole = """
    hints = false
    theme = "nord"
    color = "256"
    default = "work"
    [keys]
    program.help = ["F1", "^X^H"]
    [servers.work]
    url = "wss://chat.example/ws"
    nick = "ann"
    rooms = ["dev", "lobby"]
    token-command = "pass show chat"
    cacert = "~/ca.pem"
    key = "certs/key.pem"
    cert = "/certs/cert.pem"
    profile = "hasura"
    headers = ["X-A: 1", "X-B: 2"]
    subprotocol = "graphql-transport-ws"
    max-attempts = 3
    insecure = true
    no-compression = false
    """

  @Test func settingsKeysAndServersAreRead() throws {
    let configuration = try Self.read(Self.whole)
    #expect(configuration.problems == [])
    #expect(configuration.settings["hints"]?.text == "off")
    #expect(configuration.settings["theme"]?.text == "nord")
    #expect(configuration.settings["color"]?.text == "256")
    #expect(configuration.settings["theme"]?.line == 2)
    #expect(configuration.defaultServer?.text == "work")
    #expect(configuration.keys.map(\.action) == ["program.help", "program.help"])
    let server = try #require(configuration.server("work"))
    #expect(server.url?.text == "wss://chat.example/ws" && server.url?.line == 8)
    #expect(
      server.options == [
        "nick": ["ann"], "room": ["dev", "lobby"], "token-command": ["pass show chat"],
        "cacert": ["/people/ann/ca.pem"], "key": ["/etc/p/certs/key.pem"],
        "cert": ["/certs/cert.pem"], "profile": ["hasura"], "header": ["X-A: 1", "X-B: 2"],
        "subprotocol": ["graphql-transport-ws"], "max-attempts": ["3"], "insecure": [""],
      ])
    #expect(server.lines["max-attempts"] == 18)
  }

  @Test(arguments: [
    ("hnits = true", "config.toml:1: hnits is not known. Did you mean hints?"),
    ("\nhints = 5", "config.toml:2: hints takes true or false, not 5."),
    ("color = \"17\"", "config.toml:1: color takes auto, never, 16, 256, 24bit, not “17”."),
    ("theme = [\"a\"]", "config.toml:1: theme takes the name of a theme, not a list."),
    ("theme = \"../x\"", "config.toml:1: theme takes the name of a theme, not “../x”."),
    ("nick = \"ann\"", "config.toml:1: nick is not known. It belongs under [servers.NAME]."),
    (
      "[sevrers.a]\nurl = \"ws://h/\"",
      "config.toml:1: [sevrers] is not known here. Did you mean servers?"
    ),
    ("default = \"x\"", "config.toml:1: There is no server x: write it under [servers.x]."),
    (
      "servers = 1",
      "config.toml:1: Servers are tables of their own: [servers.NAME], with url = \"wss://…\"."
    ),
    ("[servers.a]\nnick = \"x\"", "config.toml:1: a has no url: write url = \"wss://…\"."),
    (
      "[servers.a]\nurl = 5",
      "config.toml:2: url has to be a text: url = \"wss://chat.example/ws\"."
    ),
    (
      "[servers.\"a b\"]\nurl = \"ws://h/\"",
      "config.toml:1: a b is no name for a server: take letters, digits, - and _, at most 64."
    ),
    (
      "[servers.a]\nurl = \"ws://h/\"\nnikc = \"x\"",
      "config.toml:3: nikc is not known in [servers.a]. Did you mean nick?"
    ),
    (
      "[servers.a]\nurl = \"ws://h/\"\nnick = true",
      "config.toml:3: nick takes NAME in quotes, not true."
    ),
    (
      "[servers.a]\nurl = \"ws://h/\"\nnick = [\"x\"]",
      "config.toml:3: nick takes one value: nick = \"NAME\"."
    ),
    (
      "[servers.a]\nurl = \"ws://h/\"\ninsecure = \"yes\"",
      "config.toml:3: insecure is true or false, without quotes."
    ),
    (
      "[servers.cat]\nurl = \"ws://h/\"",
      "config.toml:1: cat is also a command: the server is reached by parlour chat cat."
    ),
    (
      "[keys]\nprogram.help = 1",
      "config.toml:2: program.help needs a key or a list of keys, as texts in quotes."
    ),
  ])
  func aFaultIsToldWithItsPlaceAndWhatWouldBeRight(text: String, problem: String) throws {
    let configuration = try Self.read(text)
    #expect(configuration.problems.map(configuration.words) == [problem])
  }

  @Test(arguments: ["token", "Token", "access_token", "password"])
  func aSecretIsRefusedAndNotRepeated(key: String) throws {
    let configuration = try Self.read("[servers.a]\nurl = \"ws://h/\"\n\(key) = \"hunter2\"\n")
    let problem = try #require(configuration.problems.first)
    #expect(problem.isFatal && problem.line == 3)
    #expect(problem.message.contains("token-file") && !problem.message.contains("hunter2"))
    let header = try Self.read(
      "[servers.a]\nurl = \"ws://h/\"\nheaders = [\"Authorization: Bearer hunter2\"]\n")
    #expect(header.problems.first?.isFatal == true)
    #expect(header.problems.first?.message.contains("hunter2") == false)
  }

  @Test func aFileThatIsNoTOMLIsRefusedWithItsLine() {
    #expect {
      try Self.read("hints = true\ntheme = \n")
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == 78 && failure.message.hasPrefix("config.toml:2: ")
    }
  }
}

@Suite struct ServerChoiceTests {
  private static let text = """
    default = "home"
    [servers.home]
    url = "ws://home/"
    nick = "ann"
    room = "kitchen"
    token-file = "/t"
    ipv4 = true
    [servers.odd]
    url = "ws://odd/"
    token = "x"
    """

  private func resolve(
    _ words: [String], token: String? = nil
  ) throws -> Arguments {
    try Arguments.parse(words).resolved(
      with: ConfigurationReaderTests.read(Self.text),
      environment: { $0 == "PARLOUR_TOKEN" ? token : nil })
  }

  @Test func aNameStandsForItsURLAndItsOptions() throws {
    for words in [["home"], ["chat", "home"], [], ["chat"]] {
      let arguments = try resolve(words)
      #expect(arguments.operands == ["ws://home/"])
      #expect(arguments.value("nick") == "ann" && arguments.value("room") == "kitchen")
      #expect(arguments.value("token-file") == "/t" && arguments.has("ipv4"))
      #expect(arguments.server == "home")
    }
    let cat = try resolve(["cat", "--count", "1", "home"])
    #expect(cat.operands == ["ws://home/"] && cat.value("count") == "1")
    let guess = try resolve(["profile", "guess", "home"])
    #expect(guess.operands == ["guess", "ws://home/"])
    // What a command has no option for is not for it.
    let subscribe = try resolve(["subscribe", "--query", "{a}", "home"])
    #expect(!subscribe.has("room") && subscribe.has("token-file"))
  }

  @Test func theCommandLineGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws {
    #expect(try resolve(["--nick", "ben", "home"]).values("nick") == ["ben"])
    let command = try resolve(["--token-command", "c", "home"])
    #expect(!command.has("token-file") && command.value("token-command") == "c")
    #expect(!(try resolve(["home"], token: "t").has("token-file")))
    let six = try resolve(["--ipv6", "home"])
    #expect(six.has("ipv6") && !six.has("ipv4"))
  }

  @Test func aURLIsLeftAlone() throws {
    let arguments = try resolve(["ws://other/"])
    #expect(arguments.operands == ["ws://other/"] && arguments.options.isEmpty)
  }

  @Test(arguments: [
    (["hmoe"], 64, "Did you mean home?"), (["nowhere"], 64, "There are: home, odd."),
    (["odd"], 78, "config.toml:10: token would be a secret"),
  ])
  func whatIsNoServerIsSaid(words: [String], code: Int32, part: String) {
    #expect {
      try resolve(words)
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == code && failure.message.contains(part)
    }
  }
}

@Suite struct ConfigurationEditorTests {
  private func edit(_ text: String, _ values: (String, String)...) throws -> String {
    try ConfigurationEditor.text(
      text, file: "config.toml", setting: values.map { (name: $0.0, value: $0.1) })
  }

  @Test(
    arguments: [
      // The value alone changes; its comment, its blanks and its neighbours stay.
      (
        "# mine\nhints  =  true   # keys\ncolor = \"16\"\n", "hints", "off",
        "# mine\nhints  =  false   # keys\ncolor = \"16\"\n"
      ),
      ("theme = 'nord'#x\n", "theme", "mono", "theme = \"mono\"#x\n"),
      ("theme = \"a\\\"#b\" # c\n", "theme", "mono", "theme = \"mono\" # c\n"),
      ("hints = \"on\"\n", "hints", "off", "hints = \"off\"\n"),
      (
        "[theme]\nlight = \"a\"\ndark=\"b\"", "theme.dark", "c",
        "[theme]\nlight = \"a\"\ndark=\"c\""
      ),
      (
        "theme.dark = \"b\"\r\nhints = true\r\n", "theme.dark", "c",
        "theme.dark = \"c\"\r\nhints = true\r\n"
      ),
      // What is not there yet stands behind its kind.
      ("", "hints", "off", "hints = false\n"),
      ("# head\n", "hints", "off", "# head\nhints = false\n"),
      (
        "color = \"16\"\n\n[servers.a]\nurl = \"ws://h/\"\n", "theme", "nord",
        "color = \"16\"\ntheme = \"nord\"\n\n[servers.a]\nurl = \"ws://h/\"\n"
      ),
      (
        "[servers.a]\nurl = \"ws://h/\"\n", "theme", "nord",
        "theme = \"nord\"\n\n[servers.a]\nurl = \"ws://h/\"\n"
      ),
      (
        "[theme]\nlight = \"a\"\n\n# next\n[keys]\n", "theme.dark", "b",
        "[theme]\nlight = \"a\"\ndark = \"b\"\n\n# next\n[keys]\n"
      ),
      ("color = \"16\"", "hints", "on", "color = \"16\"\nhints = true\n"),
      ("color = \"16\"\r\n", "hints", "on", "color = \"16\"\r\nhints = true\r\n"),
    ] as [(String, String, String, String)])
  func onlyTheLineOfTheSettingChanges(
    before: String, name: String, value: String, after: String
  ) throws {
    #expect(try edit(before, (name, value)) == after)
  }

  @Test func changedKeysAreWrittenAndReadAgain() throws {
    var map = KeyMap.standard
    try map.bind("F7", to: "transcript.search")
    try map.bind("^X e", to: "editor.undo")
    try map.unbind("^K")
    let before = "hints = true\n\n[keys]\nprogram.help = [\"F1\", \"F9\"] # mine\n"
    let text = try ConfigurationEditor.text(before, file: "config.toml", binding: map)
    #expect(
      text == """
        hints = true

        [keys]
        program.help = "F1" # mine
        editor.kill-line = "none"
        editor.undo = ["^_", "^X^U", "^X e"]
        transcript.search = ["^F", "F7"]

        """, "\(text)")
    let read = try ConfigurationReader.read(text, file: "config.toml", folder: "/", home: nil)
    #expect(read.problems.isEmpty)
    for action in KeyAction.all {
      #expect(Set(read.keyMap.keys(of: action)) == Set(map.keys(of: action)))
    }
    // Back to what it was, in a file without the table.
    let none = try ConfigurationEditor.text("", file: "config.toml", binding: .standard)
    #expect(none == "")
    let alone = try ConfigurationEditor.text("", file: "config.toml", binding: map)
    #expect(alone.contains("keys.editor.kill-line = \"none\"\n"))
  }

  @Test func severalAreChangedAtOnce() throws {
    #expect(
      try edit("hints = true\n", ("hints", "off"), ("theme", "nord"))
        == "hints = false\ntheme = \"nord\"\n")
  }

  @Test(arguments: [
    ("theme = { light = \"a\", dark = \"b\" }\n", "theme.dark"),
    ("theme = \"\"\"\nnord\"\"\"\n", "theme"), ("theme = [\n\"a\"]\n", "theme"),
    // A name cannot be a value and a table.
    ("theme.light = \"a\"\n", "theme"),
  ])
  func whatCannotBeChangedByItselfIsLeftToThePerson(text: String, name: String) {
    #expect {
      try edit(text, (name, "c"))
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == 78 && failure.message.hasPrefix("config.toml")
        && failure.message.contains("by hand")
    }
  }

  @Test func aBrokenFileIsNotTouched() {
    #expect(throws: CommandFailure.self) { try edit("hints = \n", ("hints", "on")) }
  }

  @Test func itsOwnWritingIsReadAgain() throws {
    var text = "# a file\n\n[servers.a]\nurl = \"ws://h/\" # here\n"
    for (name, value) in [
      ("hints", "off"), ("color", "16"), ("theme", "nord"), ("hints", "on"), ("theme", "mono"),
    ] {
      text = try edit(text, (name, value))
    }
    let configuration = try ConfigurationReaderTests.read(text)
    #expect(configuration.problems == [])
    #expect(
      configuration.settings["hints"]?.text == "on"
        && configuration.settings["theme"]?.text == "mono")
    #expect(configuration.server("a")?.url?.text == "ws://h/")
    #expect(text.contains("# a file") && text.contains("# here"))
  }
}
