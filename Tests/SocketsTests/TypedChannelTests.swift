import Foundation
import Sockets
import TestKit
import Testing

/// Messages in envelopes.
@Suite(.timeLimit(.minutes(2))) struct TypedChannelTests {
  struct Post: SocketMessage, Equatable {
    static let kind = "post"
    var author: String
    var text: String
    var serial = 0
  }

  enum News: SocketMessage, Equatable {
    case post(Post)
    case left(String)

    var kind: String {
      switch self {
      case .post: "post"
      case .left: "left"
      }
    }

    func write(encoder: JSONEncoder) throws -> Data {
      switch self {
      case .post(let post): try encoder.encode(post)
      case .left(let name): try encoder.encode([name])
      }
    }

    static func read(_ envelope: Envelope, decoder: JSONDecoder) throws -> News? {
      switch envelope.kind {
      case "post": .post(try decoder.decode(Post.self, from: envelope.payload))
      case "left": .left(try decoder.decode([String].self, from: envelope.payload).first ?? "")
      default: nil
      }
    }
  }

  @Test func anEnvelopeIsWhatCodableWrites() throws {
    let envelope = Envelope(kind: "a/\"b", payload: Data(#"{"x":1}"#.utf8))
    let read = try JSONDecoder().decode(Envelope.self, from: Data(envelope.frame.utf8))
    #expect(read == envelope)
    let written = try JSONEncoder().encode(envelope)
    #expect(Envelope(frame: written) == envelope)
    #expect(Envelope(frame: String(decoding: written, as: UTF8.self)) == envelope)
  }

  @Test(arguments: [
    ##"{"kind":"k","payload":{"id":9007199254740993,"t":"ü"}}"##,
    ##"{"payload":{"id":9007199254740993,"t":"ü"},"kind":"k","more":1}"##,
    ##"{"kind":"k","payload":"eyJpZCI6OTAwNzE5OTI1NDc0MDk5MywidCI6IsO8In0="}"##,
  ])
  func aPayloadMayBeAnObject(frame: String) throws {
    let envelope = try #require(Envelope(frame: frame))
    #expect(envelope.kind == "k")
    #expect(
      String(decoding: envelope.payload, as: UTF8.self) == #"{"id":9007199254740993,"t":"ü"}"#)
  }

  @Test(arguments: [
    "", "x", "[]", "{}", #"{"kind":1,"payload":{}}"#, #"{"kind":"k"}"#,
    #"{"kind":"k","payload":"?"}"#, #"{"kind":"k","payload":7}"#,
  ])
  func whatIsNoEnvelopeIsNone(frame: String) {
    #expect(Envelope(frame: frame) == nil)
  }

  @Test func messagesTravelAndStrangersAreCounted() async throws {
    let server = try Server.shared.get()
    let raw = SocketChannel(url: try server.url("/echo"))
    let channel = TypedChannel<News>(raw)
    try await channel.open()
    try await channel.send(.post(Post(author: "ada", text: "größer", serial: 1)))
    try await raw.send("no envelope")
    try await raw.send(#"{"kind":"post","payload":{"author":"ben"}}"#)
    try await channel.send(Envelope(kind: "weather", payload: Data("[1]".utf8)))
    try await raw.send(Data(#"{"kind":"left","payload":["cy"]}"#.utf8))
    var came: [TypedEvent<News>] = []
    for await event in channel.events {
      came.append(event)
      if came.count == 4 { break }
    }
    #expect(
      came == [
        .opened(subprotocol: nil), .message(.post(Post(author: "ada", text: "größer", serial: 1))),
        .other(Envelope(kind: "weather", payload: Data("[1]".utf8))), .message(.left("cy")),
      ])
    #expect(channel.droppedFrames == 2)
    await channel.close()
  }

  @Test func messagesAloneAreASequenceToo() async throws {
    let server = try Server.shared.get()
    let channel = TypedChannel<Post>(ResilientChannel(url: try server.url("/echo")))
    channel.connect()
    let posts = (0..<100).map { Post(author: "a", text: "t", serial: $0) }
    for post in posts { try await channel.send(post) }
    var came: [Post] = []
    for await post in channel.messages {
      came.append(post)
      if came.count == 100 { break }
    }
    #expect(came == posts)
    await channel.close()
  }

  @Test func theExampleTalksWithTheEmbeddedServer() async throws {
    let server = try Running(Programs.parlour, ["serve", "--listen", "127.0.0.1:0"])
    let url = String(
      try server.line(containing: "listening on ", within: 60).dropFirst("listening on ".count))
    let folder = URL(filePath: Programs.parlour).deletingLastPathComponent().path()
    let example = try Running(folder + "sockets-example", [url, "ada"])
    _ = try example.line(containing: "* on line")
    let other = try Running(
      Programs.parlour,
      ["cat", "--subprotocol", "parlour-envelope", "--nick", "ben", "--wait", "60s", url])
    example.write("hello there\n")
    #expect(try other.line(containing: "hello") == "ada: hello there")
    other.write("hi\n")
    #expect(try example.line(containing: "ben") == "ben: hi")
    let result = try example.finish()
    #expect(result.status == 0)
    #expect(result.output.last == "* closed (1000)")
  }

  /// What a person reads of a wait has tenths, and what was said before a loss is not said again.
  @Test func theExampleComesBackWithoutRepeatingItself() async throws {
    let server = try Running(
      Programs.parlour, ["serve", "--listen", "127.0.0.1:0", "--drop-every", "700ms"])
    let url = String(
      try server.line(containing: "listening on ", within: 60).dropFirst("listening on ".count))
    let other = try Running(
      Programs.parlour, ["cat", "--nick", "ben", "--send", "once", "--count", "1", url])
    _ = try other.line(containing: "ben: once")
    let folder = URL(filePath: Programs.parlour).deletingLastPathComponent().path()
    let example = try Running(folder + "sockets-example", [url, "ada"])
    #expect(try example.line(containing: "ben") == "ben: once")
    let waiting = try example.line(containing: "* attempt")
    #expect(waiting.contains(/^\* attempt \d+ in \d\.\d s$/), "\(waiting)")
    _ = try example.line(containing: "* on line")
    let result = try example.finish()
    #expect(!result.output.contains("ben: once"))
  }
}
