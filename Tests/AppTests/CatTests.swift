import Foundation
import TestKit
import Testing

/// The built program's `cat` against servers that we did not write.
@Suite(.ownThreads) struct CatTests {
  @Test func linesComeBackFromAnEchoServerAndTheEndIsClean() throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try CatRun(["--no-reconnect", "--wait", "1s", server.url])
    cat.running.write("a\nb\n")
    let result = try cat.running.finish()
    #expect(result.status == 0)
    #expect(
      try CatRun.names(result.output) == ["connecting", "opened", "text", "text", "closed"])
    #expect(result.output[2] == #"{"event":"text","text":"a"}"#)
    #expect(result.output[3] == #"{"event":"text","text":"b"}"#)
    #expect(result.output[4] == #"{"event":"closed","code":1000,"reason":"","clean":true}"#)
    let opened = try CatRun.object(result.output[1])
    #expect(opened["subprotocol"] is NSNull)
    #expect(opened["tls"] is NSNull)
    #expect(opened["compression"] as? Bool == true)
  }

  /// The websockets library compresses whatever it sends, once it is agreed.
  @Test(arguments: [true, false])
  func longLinesComeBackWithAndWithoutCompression(_ isCompressed: Bool) throws {
    let server = try PeerServer.start("echo_server.py")
    let options = isCompressed ? [] : ["--no-compression"]
    let cat = try CatRun(["--no-reconnect", "--wait", "1s"] + options + [server.url])
    let line = String(repeating: "grüße, ", count: 1000)
    cat.running.write("\(line)\nb\n\(line)\n")
    let result = try cat.running.finish()
    #expect(result.status == 0)
    let texts = try result.output.map(CatRun.object).compactMap { $0["text"] as? String }
    #expect(texts == [line, "b", line])
    #expect(try CatRun.object(result.output[1])["compression"] as? Bool == isCompressed)
  }

  @Test func textFormatPrintsMessagesAloneOnStandardOutput() throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try Running(
      Programs.parlour, ["cat", "--send", "grüße", "--count", "1", "--wait", "5s", server.url])
    let result = try cat.finish()
    #expect(result.status == 0)
    #expect(result.output == ["grüße"])
    #expect(result.errors.contains { $0.contains("Connected") })
  }

  @Test func binaryGoesBothWays() throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try CatRun(["--binary", "--count", "1", "--wait", "5s", server.url])
    cat.running.write("ab\n")
    let result = try cat.running.finish()
    #expect(result.output.contains(#"{"event":"binary","base64":"YWI="}"#))
    #expect(result.status == 0)
  }

  @Test func aMessageOfSixteenMebibytesComesBackWhole() throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try Running(
      Programs.parlour, ["cat", "--count", "1", "--wait", "20s", "--dialect", "plain", server.url])
    let text = String(repeating: "0123456789abcdef", count: (16 << 20) / 16)
    cat.write(text + "\n")
    let line = try cat.line(containing: "0123", within: 60)
    #expect(line.utf8.count == 16 << 20)
    #expect(try cat.finish().status == 0)
  }

  @Test func anUnreachableServerIsSaidAndEndsWith69() throws {
    // The port of a listener that is gone again: nobody listens there.
    let server = try PeerServer.embedded()
    server.running.signal(SIGTERM)
    _ = try server.running.finish()
    let cat = try CatRun(["--no-reconnect", server.url])
    let result = try cat.running.finish()
    #expect(result.status == 69)
    #expect(try CatRun.names(result.output) == ["connecting", "failed", "gave-up"])
    #expect(result.output[1].contains(#""kind":"tcp""#))
  }

  static let mistakes: [(words: String, status: Int32)] = [
    ("cat", 64), ("cat http//x", 64), ("cat --format xml ws://h/", 64),
    ("cat --wait soon ws://h/", 64), ("cat --room a\u{7}b ws://h/", 64),
    ("cat --profile /nonexistent.json ws://h/", 78),
    ("cat --token-file /nonexistent ws://h/", 78),
    ("cat --cacert /nonexistent.pem wss://127.0.0.1:1/", 78), ("cat --header x ws://h/", 64),
    ("serve --listen nowhere", 64), ("cat --pin abc wss://h/", 64),
    ("cat --resolve h:1 ws://h/", 64), ("cat --ipv4 --ipv6 ws://h/", 64), ("frobnicate", 64),
    ("chat --theme nope ws://127.0.0.1:1/", 78),
    ("chat --color sometimes ws://127.0.0.1:1/", 64),
    ("chat ws://127.0.0.1:1/", 64), ("cat --log-level debug ws://h/", 64),
    ("cat --log - --log-level loud ws://h/", 64), ("chat --log - ws://h/", 64),
    ("cat --log /nonexistent/log ws://h/", 78),
  ]

  @Test(arguments: mistakes)
  func mistakesEndWithTheirCodeAndOneSentence(words: String, status: Int32) throws {
    let result = try Running(Programs.parlour, words.split(separator: " ").map(String.init))
      .finish()
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(result.errors.count == 1, "\(result.errors)")
  }

  @Test func standardOutputThatIsGoneEndsWith74() throws {
    let server = try PeerServer.start("echo_server.py")
    let shell = try Running(
      "/bin/bash",
      [
        "-c",
        "{ echo a; exec \(Programs.parlour) cat --send b --wait 10s \(server.url) 3>&1; echo $? >&2; }"
          + " </dev/null | true; echo ${PIPESTATUS[0]}",
      ])
    #expect(try shell.finish().output.last == "74")
  }

  @Test func versionAndHelpGoToStandardOutput() throws {
    let version = try Running(Programs.parlour, ["--version"]).finish()
    #expect(version.status == 0)
    #expect(version.output.count == 1)
    let help = try Running(Programs.parlour, ["help", "cat"]).finish()
    #expect(help.status == 0)
    #expect(help.output.contains { $0.contains("--no-reconnect") })
  }
}
