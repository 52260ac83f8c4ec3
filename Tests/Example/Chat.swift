import Foundation
import Sockets

/// A post as it travels: {"kind": "post", "payload": …}.
struct Post: SocketMessage {
  static let kind = "post"
  var author: String
  var text: String
}

/// A chat of one room: lines of standard input go out, posts of others are printed. It comes back by itself
/// when the line is lost, and ends with standard input.
@main struct Chat {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[1]) else {
      print("usage: sockets-example URL NAME")
      exit(64)
    }
    let name = CommandLine.arguments[2]
    let line = ResilientChannel(url: url, bearer: ProcessInfo.processInfo.environment["CHAT_TOKEN"])
    line.keepAlive(every: .seconds(30))
    let chat = TypedChannel<Post>(line)
    chat.connect()

    let input = Task.detached {
      while let text = readLine() { try await chat.send(Post(author: name, text: text)) }
      await chat.close()
    }
    for await event in chat.events {
      switch event {
      case .opened: say("* on line")
      case .message(let post): say("\(post.author): \(post.text)")
      case .other(let envelope): say("* a message of the kind \(envelope.kind)")
      case .lost(let error), .failed(let error): say("* \(error.message)")
      case .waiting(let attempt, let delay): say("* attempt \(attempt) in \(delay)")
      case .closed(let code, _): say("* closed (\(code))")
      case .gaveUp(let error): say("* gave up: \(error.message)")
      }
    }
    input.cancel()
  }
  /// At once, also into a pipe.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
