import Foundation
import TestKit
import Testing

/// `cat` with standard streams that are closed, full, or no streams at all.
@Suite(.ownThreads) struct CatStreamTests {
  static let streams: [(redirection: String, status: Int32)] = [
    ("</dev/null", 0), ("<&-", 0), ("</tmp", 74), ("</dev/null >&-", 74),
    ("</dev/null >/dev/full", 74), ("</dev/null 2>&-", 0), ("<&- 2>&-", 0),
  ]

  @Test(arguments: streams)
  func everyStreamThatComesClosedOrBrokenHasItsCode(redirection: String, status: Int32) throws {
    let server = try PeerServer.start("echo_server.py")
    let shell = try Running(
      "/bin/bash",
      [
        "-c",
        "\(Programs.parlour) cat --format json --no-reconnect \(server.url) \(redirection)",
      ])
    #expect(try shell.finish().status == status)
  }

  static let signals: [(signal: Int32, status: Int32)] = [
    (SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129),
  ]

  @Test(arguments: signals)
  func aSignalEndsItWhileNobodyReadsItsOutput(signal: Int32, status: Int32) throws {
    let server = try PeerServer.start("echo_server.py")
    // The reader stays and never reads; the pipe is full once the sentence on standard error came.
    let script = """
      import subprocess, sys, os, fcntl, select, signal
      own, theirs = os.pipe()
      child = subprocess.Popen(sys.argv[1:-1], stdin=subprocess.PIPE, stdout=theirs)
      line = b"x" * 1023 + b"\\n"
      os.set_blocking(child.stdin.fileno(), False)
      poll = select.poll()
      poll.register(theirs, select.POLLOUT)
      while poll.poll(0):
          try:
              os.write(child.stdin.fileno(), line)
          except BlockingIOError:
              select.select([], [], [], 0.01)
      child.send_signal(int(sys.argv[-1]))
      print(child.wait(10))
      """
    let run = try Running(
      Programs.python,
      ["-c", script, Programs.parlour, "cat", server.url, String(signal)])
    #expect(try run.finish().output == [String(status)])
  }

  static let commands: [(command: String, status: Int32)] = [
    ("yes", 0), ("head -c 10000000 /dev/zero", 78), ("echo token", 0), ("printf token", 0),
    ("sleep 60 2> /dev/null & echo token", 0), ("echo token; false", 78), ("true", 78),
    ("yes yes | head -c 10000000", 0),
    ("head -c 70000 /dev/zero; exit 3", 78),
  ]

  @Test(arguments: commands)
  func aTokenCommandThatPrintsTooMuchOrNothingNeverHangs(command: String, status: Int32) throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try CatRun(["--no-reconnect", "--token-command", command, server.url])
    #expect(try cat.running.finish(within: 20).status == status)
  }
}
