import Foundation
import TestKit
import Testing

/// Half-open lines, by the built program against a server that is stopped.
@Suite(.ownThreads) struct FrozenServerTests {
  @Test(
    "report 56: a server that is stopped behind the 101 is found by a ping, and found again later")
  func report56() throws {
    let server = try PeerServer.start("echo_server.py")
    let cat = try CatRun([
      "--ping-interval", "200ms", "--ping-timeout", "500ms", "--first-delay", "100ms",
      "--connect-timeout", "1s", server.url,
    ])
    _ = try cat.event("opened")
    server.running.signal(SIGSTOP)
    let failed = try cat.event("failed")
    #expect(failed["kind"] as? String == "timeout")
    #expect((failed["message"] as? String)?.contains("has not answered a ping") == true)
    _ = try cat.event("waiting")
    server.running.signal(SIGCONT)
    _ = try cat.event("opened")
    cat.running.write("still there\n")
    _ = try cat.event("text", containing: "still there")
    cat.running.signal(SIGINT)
    #expect(try cat.running.finish().status == 130)
  }
}
