import Foundation
import TestKit
import Testing

/// A token command in a folder of its own, which goes with it. The first time it prints a token that is refused, later
/// it does what is given in shell.
private final class TokenScript {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "parlour-token-\(UUID().uuidString)")
  var option: String { "--token-command 'sh \(folder.path())/token'" }

  init(_ later: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try """
    cd \(folder.path())
    if mkdir asked 2> /dev/null; then echo wrong; exit; fi
    \(later)
    """.write(to: folder.appending(path: "token"), atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// What a person sees of the built program, in tmux.
@Suite(.ownThreads, .serialized, .enabled(if: Tmux.isInstalled)) struct ScreenTests {
  private static func run(_ words: String, name: String, width: Int = 80, height: Int = 24) throws
    -> Tmux
  {
    try Tmux(
      "PARLOUR_TOKEN= \(Programs.parlour) \(words); echo ended $?; read line", name: name,
      width: width,
      height: height)
  }

  private static func rows(_ screen: String, containing part: String) -> [String] {
    screen.split(separator: "\n").map(String.init).filter { $0.contains(part) }
  }

  @Test func theDemoLosesItsLineCountsDownAndLosesNoMessage() throws {
    let tmux = try Self.run("demo --nick me --drop-every 2s --first-delay 3s", name: "demo")
    let begun = tmux.wait { $0.contains("● online") }
    #expect(begun.held && begun.screen.contains("Nothing of this demo is kept"), "\(begun.screen)")
    // Those who talk are there.
    let peopled = tmux.wait { $0.contains("4 here") }
    #expect(peopled.held, "\(peopled.screen)")
    let lost = tmux.wait { $0.contains("◌ lost") }
    #expect(lost.held, "\(lost.screen)")
    tmux.type("the first")
    tmux.press("Enter")
    tmux.type("the second")
    tmux.press("Enter")
    var countdowns: Set<String> = []
    let online = tmux.wait(rounds: 1000) { screen in
      if let match = screen.firstMatch(of: /in (\d\d) s/) { countdowns.insert(String(match.1)) }
      return screen.contains("● online")
        && Self.rows(screen, containing: "the second").allSatisfy { !$0.contains("pending") }
        && screen.contains("the second")
    }
    #expect(online.held, "\(online.screen)")
    #expect(countdowns.count >= 2, "the countdown stood still: \(countdowns)")
    #expect(Self.rows(online.screen, containing: "the first").count == 1)
    #expect(Self.rows(online.screen, containing: "the second").count == 1)
    let first = try #require(online.screen.range(of: "the first"))
    let second = try #require(online.screen.range(of: "the second"))
    #expect(first.lowerBound < second.lowerBound)
    tmux.type("/quit")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("ended 0") }.held)
    #expect(tmux.value(of: "#{alternate_on}") == "0")
  }

  @Test func aWrongTokenEndsAsRefusedAndWithCode77() throws {
    let server = try PeerServer.embedded(["--token", "right"])
    let tmux = try Tmux(
      "PARLOUR_TOKEN=wrong \(Programs.parlour) \(server.url); echo ended $?; read line",
      name: "refused")
    let refused = tmux.wait { $0.contains("✕ refused") }
    #expect(refused.held, "\(refused.screen)")
    #expect(refused.screen.contains("not retrying"))
    #expect(!refused.screen.contains("wrong"))
    tmux.type("/quit")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("ended 77") }.held)
  }

  @Test(arguments: ["--token-file", "--token-command"])
  func aFreshTokenIsReadWhenThePersonConnectsAgain(option: String) throws {
    let server = try PeerServer.embedded(["--token", "right"])
    let file = FileManager.default.temporaryDirectory
      .appending(path: "parlour-token-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try "wrong\n".write(to: file, atomically: true, encoding: .utf8)
    let value = option == "--token-file" ? file.path() : "'cat \(file.path())'"
    let tmux = try Self.run("\(option) \(value) \(server.url)", name: "fresh\(option.count)")
    #expect(tmux.wait { $0.contains("✕ refused") }.held)
    try "right\n".write(to: file, atomically: true, encoding: .utf8)
    tmux.type("/connect")
    tmux.press("Enter")
    let online = tmux.wait { $0.contains("● online") }
    #expect(online.held, "\(online.screen)")
  }

  /// A command that takes its time (it asks a key that has to be touched) holds up neither keys nor other windows.
  @Test func theChatGoesOnWhileTheTokenCommandRuns() throws {
    let server = try PeerServer.embedded(["--token", "right"])
    let script = try TokenScript("until [ -e go ]; do sleep 0.01; done; echo right")
    let tmux = try Self.run("\(script.option) \(server.url)", name: "slowtoken")
    #expect(tmux.wait { $0.contains("✕ refused") || $0.contains("asked for a fresh token") }.held)
    tmux.type("/connect")
    tmux.press("Enter")
    tmux.type("typed meanwhile")
    let typed = tmux.wait { $0.contains("typed meanwhile") }
    #expect(typed.held && !typed.screen.contains("● online"), "\(typed.screen)")
    try Data().write(to: script.folder.appending(path: "go"))
    let online = tmux.wait { $0.contains("● online") }
    #expect(online.held && online.screen.contains("typed meanwhile"), "\(online.screen)")
  }

  /// The first line counts, whatever else is printed and whatever is left running in the background.
  @Test(arguments: [
    ("yes right", "● online"), ("sleep 60 & echo right", "● online"),
    ("yes | tr -d '\\n'", "64 KiB"),
  ])
  func theTokenCommandIsNotWaitedForLongerThanItsFirstLine(
    command: String, words: String
  ) throws {
    let server = try PeerServer.embedded(["--token", "right"])
    let script = try TokenScript(command)
    defer { withExtendedLifetime(script) {} }
    let tmux = try Self.run(
      "\(script.option) \(server.url)", name: "firstline\(words.count)\(command.count)")
    let seen = tmux.wait { $0.split(separator: "\n").joined().contains(words) }
    #expect(seen.held, "\(seen.screen)")
    #expect(!seen.screen.contains("not done within"), "\(seen.screen)")
  }

  @Test func hostileTextLeavesTheScreenWhole() throws {
    let server = try PeerServer.start("hostile_server.py")
    let tmux = try Self.run("--dialect plain \(server.url)", name: "hostile")
    let title = tmux.value(of: "#{pane_title}")
    let seen = tmux.wait { $0.contains("the end") }
    #expect(seen.held, "\(seen.screen)")
    #expect(seen.screen.contains("● online"))
    #expect(!seen.screen.contains("\u{202E}"))
    #expect(!title.hasPrefix("x"))
    #expect(tmux.value(of: "#{pane_title}") != "x")
    for (width, height) in [(1, 1), (2, 2), (7, 3), (200, 50), (40, 10), (80, 24)] {
      tmux.resize(width: width, height: height)
      #expect(tmux.wait { $0.split(separator: "\n").allSatisfy { $0.count <= width } }.held)
    }
    let back = tmux.wait { $0.contains("the end") && $0.contains("● online") }
    #expect(back.held, "\(back.screen)")
    tmux.press("C-d")
    #expect(tmux.wait { $0.contains("ended 0") }.held)
  }

  @Test func aPasteOfSeveralLinesIsOneEditAndIsNotSentByItself() throws {
    let server = try PeerServer.embedded()
    let tmux = try Self.run("--nick me \(server.url)", name: "paste")
    #expect(tmux.wait { $0.contains("● online") }.held)
    tmux.paste("one\ntwo\nthree\n")
    #expect(tmux.wait { $0.contains("three") }.held)
    tmux.press("C-_")
    #expect(tmux.wait { !$0.contains("two") }.held)
    tmux.press("M-_")
    #expect(tmux.wait { $0.contains("two") }.held)
    tmux.press("Enter")
    let sent = tmux.wait { $0.contains("me │ one") }
    #expect(sent.held, "\(sent.screen)")
    tmux.type("/quit")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("ended 0") }.held)
  }

  @Test func commandsOfTheChatDoWhatTheySay() throws {
    let server = try PeerServer.embedded()
    let tmux = try Self.run("--nick me \(server.url)", name: "commands")
    #expect(tmux.wait { $0.contains("● online") }.held)
    let steps: [(line: String, part: String)] = [
      ("/disconnect", "○ offline"), ("/connect", "● online"), ("/theme mono", "● online"),
      ("/theme nothing", "no theme nothing"), ("/join kitchen", "#kitchen"), ("/nick you", "you>"),
      ("/frobnicate", "frobnicate"), ("/help", "Help"),
    ]
    for (line, part) in steps {
      tmux.type(line)
      tmux.press("Enter")
      let seen = tmux.wait { $0.contains(part) && !$0.contains("> " + line) }
      #expect(seen.held, "\(line): \(seen.screen)")
    }
    tmux.press("q")
    #expect(tmux.wait { $0.contains("you>") }.held)
    tmux.type("/clear")
    tmux.press("Enter")
    #expect(tmux.wait { !$0.contains("frobnicate") }.held)
    tmux.press("C-c")
    tmux.press("C-c")
    #expect(tmux.wait { $0.contains("ended 0") }.held)
  }
}
