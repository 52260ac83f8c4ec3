import App
import Testing

@Suite struct ArgumentsTests {
  @Test func aBareURLIsAChat() throws {
    let arguments = try Arguments.parse(["ws://127.0.0.1:9000/"])
    #expect(arguments.command == "chat")
    #expect(arguments.operands == ["ws://127.0.0.1:9000/"])
  }

  @Test func optionsStandOnBothSidesAndInBothForms() throws {
    let arguments = try Arguments.parse([
      "cat", "--format=json", "--wait", "1s", "ws://h/", "--no-reconnect",
    ])
    #expect(arguments.command == "cat")
    #expect(arguments.value("format") == "json")
    #expect(arguments.value("wait") == "1s")
    #expect(arguments.has("no-reconnect"))
    #expect(arguments.operands == ["ws://h/"])
  }

  @Test func repeatedOptionsKeepTheirOrder() throws {
    let arguments = try Arguments.parse([
      "cat", "--subprotocol", "b", "--subprotocol", "a", "ws://h/",
    ])
    #expect(arguments.values("subprotocol") == ["b", "a"])
    #expect(arguments.value("subprotocol") == "a")
  }

  @Test func twoDashesEndTheOptions() throws {
    let arguments = try Arguments.parse(["cat", "--", "--odd"])
    #expect(arguments.operands == ["--odd"])
  }

  @Test func aTokenOnTheCommandLineIsRefusedWithTheReason() {
    #expect {
      try Arguments.parse(["chat", "--token", "secret", "ws://h/"])
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == 64 && failure.message.contains("--token-file")
        && !failure.message.contains("secret")
    }
  }

  @Test(arguments: [
    (["--frobnicate", "ws://h/"], "no option --frobnicate"),
    (["--theme"], "needs a value"),
    (["--insecure=yes", "ws://h/"], "takes no value"),
    (["-x", "ws://h/"], "two dashes"),
    (["cat"], "URL is missing"),
    (["cat", "ws://a/", "ws://b/"], "one word too many"),
    ([], "parlour demo"),
    (["profile", "list", "ws://h/"], "one word too many"),
    (["--them", "mono", "ws://h/"], "--theme?"),
  ])
  func wrongUsageIsSaidInASentence(words: [String], part: String) {
    #expect {
      try Arguments.parse(words)
        .resolved(with: Configuration(file: "config.toml"), environment: { _ in nil })
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == 64 && failure.message.contains(part)
    }
  }

  @Test(
    arguments: [
      ("severe", "serve"), ("ser", "serve"), ("demos", "demo"), ("halp", "help"),
      ("them", "themes"),
      ("ws", nil), ("example", nil), ("127.0.0.1", nil),
    ] as [(String, String?)])
  func aCommandThatIsNearlyRightIsSuggested(word: String, command: String?) {
    #expect(OptionTable.suggestion(for: word) == command)
  }

  @Test func everyCommandHasAHelpPageWithAllItsOptions() {
    let overview = HelpPage.overview.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for entry in OptionTable.commands {
      let page = HelpPage.page(for: entry)
      for option in entry.options { #expect(page.contains("--" + option.name)) }
      for line in page.split(separator: "\n") {
        #expect(line.count <= 118, "\(entry.name): \(line)")
      }
      #expect(overview.contains(entry.summary))
    }
    // A terminal has 80 columns.
    let pages = OptionTable.commands.map(HelpPage.page) + [HelpPage.overview, KeysPage.text]
    #expect(pages.flatMap { $0.split(separator: "\n") }.filter { $0.count > 80 } == [])
  }
}

@Suite struct NumberTests {
  @Test(arguments: [
    ("250ms", 250), ("30s", 30_000), ("2m", 120_000), ("1h", 3_600_000), ("5", 5000), ("0", 0),
    ("1.5s", 1500),
  ])
  func durationsAreRead(text: String, milliseconds: Int) {
    #expect(parseDuration(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "s", "-1s", "1d", "1 s", "nan", "inf", "1e999", "999999h", "1..5s", "٣s"])
  func otherWordsAreNoDurations(text: String) {
    #expect(parseDuration(text) == nil)
  }

  @Test(arguments: [("65536", 65_536), ("64KiB", 65_536), ("16MiB", 16 << 20), ("1G", 1 << 30)])
  func sizesAreRead(text: String, bytes: Int) {
    #expect(parseByteCount(text) == bytes)
  }

  @Test(arguments: ["", "0", "-5", "1.5M", "12 KiB", "99999999999999999999", "9999999999G", "2T"])
  func otherWordsAreNoSizes(text: String) {
    #expect(parseByteCount(text) == nil)
  }
}
