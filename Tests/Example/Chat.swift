import Foundation
import Sockets

struct Join: Codable {
  var room = "lobby"
  var nick: String
  /// The last message that was seen: only what came behind it is wanted.
  var after: String?
}

struct Post: Codable {
  var id: String?
  var room = "lobby"
  var author: String
  var text: String
}

struct History: Codable {
  var messages: [Post]
}

/// What travels in the subprotocol parlour-envelope, each as {"kind": "post", "payload": base64 of JSON}.
enum Talk: SocketMessage {
  /// What we say.
  case join(Join)
  case post(Post)
  /// What the server says.
  case history(History)
  case message(Post)

  var kind: String {
    switch self {
    case .join: "join"
    case .post: "post"
    case .history: "history"
    case .message: "message"
    }
  }

  func write(encoder: JSONEncoder) throws -> Data {
    switch self {
    case .join(let join): try encoder.encode(join)
    case .post(let post), .message(let post): try encoder.encode(post)
    case .history(let history): try encoder.encode(history)
    }
  }

  static func read(_ envelope: Envelope, decoder: JSONDecoder) throws -> Talk? {
    switch envelope.kind {
    case "history": .history(try decoder.decode(History.self, from: envelope.payload))
    case "message": .message(try decoder.decode(Post.self, from: envelope.payload))
    default: nil
    }
  }
}

/// A chat of one room, as `parlour serve` has it: lines of standard input go out, what others say is printed. It comes
/// back by itself when the line is lost, with what was said meanwhile, and ends with standard input.
@main struct Chat {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[1]) else {
      print("usage: sockets-example URL NAME")
      exit(64)
    }
    let name = CommandLine.arguments[2]
    let line = ResilientChannel(
      url: url, subprotocols: ["parlour-envelope"],
      bearer: ProcessInfo.processInfo.environment["CHAT_TOKEN"])
    line.keepAlive(every: .seconds(30))
    let chat = TypedChannel<Talk>(line)
    chat.connect()

    let input = Task.detached {
      while let text = readLine() { try await chat.send(.post(Post(author: name, text: text))) }
      await chat.close()
    }
    var seen: String?
    for await event in chat.events {
      switch event {
      case .opened:
        say("* on line")
        // A line that is gone by now says so by itself.
        try? await chat.send(.join(Join(nick: name, after: seen)))
      case .message(let talk):
        for post in posts(of: talk) {
          seen = post.id
          if post.author != name { say("\(post.author): \(post.text)") }
        }
      // Who is there and who writes; what was sent has arrived.
      case .other(let envelope):
        if ["error", "rejected"].contains(envelope.kind) {
          say("* \(String(decoding: envelope.payload, as: UTF8.self))")
        }
      case .lost(let error), .failed(let error): say("* \(error.message)")
      case .waiting(let attempt, let delay):
        say("* attempt \(attempt) in \((delay / .milliseconds(100)).rounded() / 10) s")
      case .closed(let code, _): say("* closed (\(code))")
      case .gaveUp(let error): say("* gave up: \(error.message)")
      }
    }
    input.cancel()
  }

  static func posts(of talk: Talk) -> [Post] {
    switch talk {
    case .message(let post): [post]
    case .history(let history): history.messages
    case .join, .post: []
    }
  }

  /// At once, also into a pipe.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
