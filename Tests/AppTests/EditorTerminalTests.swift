import Foundation
import Program
import TestKit
import Testing

@testable import App

/// `^X^E`: the person's own editor on the chat's terminal, in tmux.
@Suite(.ownThreads, .enabled(if: Tmux.isInstalled)) struct EditorTerminalTests {
  private final class Place {
    let folder: String

    init() throws {
      var template = Array("/tmp/parlour-editor-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
      folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A script as an editor.
    func editor(_ script: String) throws -> String {
      let path = folder + "/edit"
      try writeProgram("#!/bin/sh\n" + script, at: path)
      return path
    }

    /// What the program left behind where the text travels.
    var left: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder)).map {
        $0.filter { $0.hasPrefix("parlour-") }
      } ?? ["unreadable"]
    }
  }

  private func start(_ name: String, _ place: Place, editor: String) throws -> Tmux {
    let screen = try Tmux(
      "\(Programs.parlour) demo --nick me; echo ended $?", name: name,
      environment: ["VISUAL": editor, "XDG_RUNTIME_DIR": place.folder])
    #expect(screen.wait { $0.contains("● online") }.held)
    return screen
  }

  @Test func theEditorChangesTheTextAndLeavesNothingBehind() throws {
    let place = try Place()
    let editor = try place.editor(
      """
      stat -c 'file %a' "$1"; stat -c 'folder %a' "$(dirname "$1")"
      trap '' INT
      printf 'seen: '; cat "$1"; printf 'second line\\n' >>"$1"; read -r answer
      """)
    let screen = try start("edit", place, editor: editor)
    screen.type("first line")
    screen.press("C-x", "C-e")
    let shown = screen.wait { $0.contains("seen: first line") }
    #expect(shown.held && shown.screen.contains("file 600") && shown.screen.contains("folder 700"))
    #expect(place.left.count == 1)
    screen.press("C-c", "Enter")
    let back = screen.wait { $0.contains("me> first line") && $0.contains("second line") }
    #expect(back.held)
    #expect(place.left.isEmpty)
    screen.press("C-_")
    #expect(screen.wait { $0.contains("me> first line") && !$0.contains("second line") }.held)
  }

  @Test(
    arguments: [
      ("missing", nil, "was not found"), ("fails", "echo lost >\"$1\"; exit 3", "exit status 3"),
      ("killed", "kill -9 $$", "signal 9"),
    ] as [(String, String?, String)])
  func anEditorThatFailsLeavesTheTextAsItWas(name: String, script: String?, words: String) throws {
    let place = try Place()
    let editor = try script.map(place.editor) ?? "/nonexistent/editor"
    let screen = try start("edit-\(name)", place, editor: editor)
    screen.type("my text")
    screen.press("C-x", "C-e")
    // The sentence may be broken anywhere between its words.
    let shown = screen.wait { screen in
      screen.split { $0.isWhitespace || $0 == "│" }.joined(separator: " ").contains(words)
    }
    #expect(shown.held && shown.screen.contains("me> my text"))
    #expect(place.left.isEmpty)
  }

  @Test func theEndOfTheChatTakesTheTextAway() throws {
    let place = try Place()
    let editor = try place.editor("echo is open; sleep 30")
    let screen = try start("edit-end", place, editor: editor)
    screen.type("my text")
    screen.press("C-x", "C-e")
    #expect(screen.wait { $0.contains("is open") }.held)
    let pid = screen.value(of: "#{pane_pid}")
    let child = try String(
      contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8
    ).split(separator: " ").compactMap { pid_t($0) }.first
    kill(try #require(child), SIGTERM)
    #expect(screen.wait { $0.contains("ended 143") }.held)
    #expect(place.left.isEmpty)
  }

  @Test func themesAreCompletedFromTheDisk() throws {
    let place = try Place()
    let screen = try start("edit-themes", place, editor: "vi")
    screen.type("/theme gruvbox-d")
    screen.press("Tab")
    #expect(screen.wait { $0.contains("me> /theme gruvbox-dark") }.held)
  }

  @Test @MainActor func aFolderTellsWhatIsInItAndCanBeTyped() throws {
    let place = try Place()
    let files = FileManager.default
    try files.createDirectory(atPath: place.folder + "/sub", withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: place.folder + "/link", withDestinationPath: "sub")
    for name in ["plain.txt", "with blank", ".hidden", "bell\u{7}"] {
      #expect(files.createFile(atPath: "\(place.folder)/\(name)", contents: nil))
    }
    #expect(
      FolderNames.list(place.folder + "/") == [
        FoundName(".hidden"), FoundName("link", isFolder: true), FoundName("plain.txt"),
        FoundName("sub", isFolder: true), FoundName("with blank"),
      ])
    #expect(FolderNames.list("/nonexistent/") == [])
    #expect(FolderNames.opened("~/x") == (environmentHome ?? "~") + "/x")
    #expect(FolderNames.opened("~user/x") == "~user/x")
  }

  private var environmentHome: String? { ProcessInfo.processInfo.environment["HOME"] }
}

@Suite(.ownThreads) struct HelpTests {
  private func output(_ arguments: String...) throws -> String {
    try Running(Programs.parlour, arguments).finish().output.joined(separator: "\n")
  }

  @Test func theKeysAndTheManualAreWrittenFromTheTables() throws {
    let keys = try output("help", "keys")
    #expect(keys.contains("^X^E") && keys.contains("input.external-editor"))
    #expect(keys == (try output("--help", "keys")))
    let manual = try output("help", "man")
    #expect(manual.hasPrefix(".TH PARLOUR 1"))
    for words in ["editor.kill\\-line", "/join ROOM", "\\-\\-token\\-file FILE", "paste.lines"] {
      #expect(manual.contains(words), "\(words)")
    }
    // No line of it may begin with what roff takes for a request by accident.
    let requests = [".TH", ".SH", ".SS", ".TP", ".B", ".nf", ".fi"]
    for line in manual.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
  }
}
