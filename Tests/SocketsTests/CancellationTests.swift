import Foundation
import Sockets
import TestKit
import Testing

/// What is cancelled leaves nothing behind; counted in a process of its own, for other tests run in this one.
@Suite(.timeLimit(.minutes(3))) struct CancellationTests {
  @Test func cancellingAtEveryPointLeavesNoTaskNoDescriptorAndNoThread() throws {
    let server = try Server()
    let folder = URL(filePath: Programs.parlour).deletingLastPathComponent().path()
    let probe = try Running(folder + "sockets-probe", ["cancel", server.base, "100"])
    let result = try probe.finish(within: 150)
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    #expect(result.output.contains("threads for 50 channels: 1"))
    #expect(result.output.contains("descriptors left: 0"))
    #expect(result.output.contains("threads left: 0"))
  }

  @Test func aCancelledConsumerLeavesTheLineToAnother() async throws {
    let server = try Server.shared.get()
    let channel = SocketChannel(url: try server.url("/echo"))
    try await channel.open()
    let first = Task { for await _ in channel.events {} }
    first.cancel()
    await first.value
    try await channel.send("x")
    #expect(try await channel.text() == "x")
    await channel.close()
  }

  @Test func aCancelledSendIsNotSent() async throws {
    let server = try Server.shared.get()
    let channel = SocketChannel(url: try server.url("/echo"))
    try await channel.open()
    let sending = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await channel.send("never")
    }
    await #expect(throws: CancellationError.self) { try await sending.value }
    try await channel.send("x")
    #expect(try await channel.text() == "x")
    await channel.close()
  }

  @Test func droppingTheLastReferenceClosesTheLine() async throws {
    let server = try Server()
    do {
      let channel = SocketChannel(url: try server.url("/closed"))
      try await channel.open()
    }
    #expect(try server.line(containing: "closed after") == "closed after 0: 1001 ")
  }
}
