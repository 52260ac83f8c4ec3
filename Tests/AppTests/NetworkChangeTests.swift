import Foundation
import TestKit
import Testing

/// A network of its own for the built program, in which links come and go.
@Suite(.ownThreads) struct NetworkChangeTests {
  /// Containers often forbid it, and some kernels have no virtual links.
  static let canMakeNetworks: Bool = {
    let tried = try? Running(
      "/usr/bin/env", ["unshare", "-rn", "sh", "-c", "ip link set lo up && \(addLink)"]
    ).finish()
    return tried?.status == 0
  }()

  private static let addLink =
    "ip link add way type veth peer name other && ip link set other up && ip link set way up"
    + " && ip addr add 192.0.2.7/24 dev way"

  /// A command that goes on with each line of its standard input.
  private func inNetwork(_ script: String) throws -> Running {
    try Running("/usr/bin/env", ["unshare", "-rn", "sh", "-c", "ip link set lo up; " + script])
  }

  @Test(.enabled(if: canMakeNetworks, "this machine does not allow unshare -rn and veth links"))
  func aWayThatAppearsEndsTheWait() throws {
    let parlour = Programs.parlour
    let running = try inNetwork(
      "\(parlour) cat --format json --first-delay 100s --max-delay 100s --log - --log-level debug"
        + " ws://127.0.0.1:9000/ </dev/null & cat=$!;"
        + " read go; \(parlour) serve --listen 127.0.0.1:9000 & serve=$!;"
        + " read go; \(Self.addLink);"
        + " read go; kill $cat $serve; wait")
    let waiting = try running.line(containing: "\"waiting\"")
    #expect(waiting.contains("\"attempt\":2"))
    running.write("serve\n")
    _ = try running.line(containing: "listening on ")
    running.write("link\n")
    // Well before the hundred seconds are over.
    let opened = try running.line(containing: "\"opened\"", within: 20)
    #expect(opened.contains("127.0.0.1:9000"))
    running.write("end\n")
    let result = try running.finish()
    #expect(result.errors.contains { $0.contains("the network changed: the link way came up") })
    #expect(
      result.errors.contains { $0.contains("the network changed: the address 192.0.2.7 is new") })
  }

  @Test(.enabled(if: canMakeNetworks, "this machine does not allow unshare -rn and veth links"))
  func aWayThatVanishesLeadsToAPing() throws {
    let parlour = Programs.parlour
    let running = try inNetwork(
      "\(Self.addLink); \(parlour) serve --listen 127.0.0.1:9000 & serve=$!;"
        + " read go; \(parlour) cat --format json --ping-interval 100s --wait 100s --log - --log-level"
        + " debug ws://127.0.0.1:9000/ 2>&1 </dev/null & cat=$!;"
        + " read go; ip link set way down;"
        + " read go; kill $cat $serve; wait")
    _ = try running.line(containing: "listening on ")
    running.write("cat\n")
    _ = try running.line(containing: "got the pong")
    running.write("down\n")
    _ = try running.line(containing: "the link way went down", within: 20)
    _ = try running.line(containing: "sent a ping", within: 10)
    _ = try running.line(containing: "got the pong", within: 10)
    running.write("end\n")
    _ = try running.finish()
  }
}
