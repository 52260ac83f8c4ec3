import Foundation
import TestKit
import Testing

/// Edits and deletions by the built program, on the embedded server and on one that we did not write.
@Suite struct ChangePeerTests {
  @Test(arguments: ["graphql", "envelope"])
  func theEmbeddedServerTellsWhatChanges(dialect: String) throws {
    let server = try PeerServer.embedded()
    let reader = try CatRun([
      "--dialect", dialect, "--nick", "reader", "--wait", "60s", server.url,
    ])
    _ = try reader.event("opened")
    let chat = try Running(
      Programs.parlour,
      ["--plain", "--no-history", "--dialect", dialect, "--nick", "ann", server.url])
    _ = try chat.line(containing: "* connected to ")
    chat.write("helo\n")
    _ = try chat.line(containing: "ann: helo")
    let id = try #require(try reader.event("message")["id"] as? String)
    chat.write("/edit hello\n")
    _ = try chat.line(containing: "* ann edited a message: hello")
    let edit = try reader.event("notice")
    #expect(edit["id"] as? String == id && edit["text"] as? String == "hello")
    #expect(edit["edited"] as? Bool == true)
    chat.write("/react :tada:\n")
    _ = try chat.line(containing: "* 🎉 1 (you) by ann to ann: hello")
    #expect(try reader.event("notice")["reactions"] != nil)
    chat.write("/reply no\n")
    _ = try chat.line(containing: "Nobody else has said anything")
    chat.write("/delete\n/delete yes\n")
    _ = try chat.line(containing: "* ann deleted a message")
    let deletion = try reader.event("notice")
    #expect(deletion["deleted"] as? Bool == true && deletion["text"] as? String == "")
    // Who comes later is told how it is now.
    let later = try CatRun(["--dialect", dialect, "--nick", "late", "--count", "1", server.url])
    let message = try later.event("message")
    #expect(message["id"] as? String == id && message["deleted"] as? Bool == true)
  }

  /// A program that was killed right behind a deletion leaves the rest of it to the next one.
  @Test func aDeletedTextIsGoneFromTheFilesAfterTheNextRun() throws {
    let server = try PeerServer.embedded()
    let state = StateFolder()
    func chat() throws -> Running {
      let chat = try Running(
        Programs.parlour, ["--plain", "--dialect", "envelope", "--nick", "ann", server.url],
        environment: state.variables)
      _ = try chat.line(containing: "* connected to ")
      return chat
    }
    let first = try chat()
    first.write("qzxwvk first\n")
    _ = try first.line(containing: "ann: qzxwvk first")
    first.write("/edit qzxwvk second\n")
    _ = try first.line(containing: "edited a message: qzxwvk second")
    first.write("/delete\n/delete yes\n")
    _ = try first.line(containing: "* ann deleted a message")
    first.signal(SIGKILL)
    _ = try first.finish()
    let second = try chat()
    second.write("/quit\n")
    #expect(try second.finish().status == 0)
    let folder = state.path + "/parlour"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasPrefix("history") {
      let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
      #expect(data.range(of: Data("qzxwvk".utf8)) == nil, "\(name)")
    }
  }

  private static let changing = """
    {"profile":1,"name":"changing","subprotocols":["graphql-transport-ws"],
     "auth":{"init":{"authToken":"{token}"}},
     "history":{"document":"query($room: String!, $last: Int!, $after: ID) { messages(room: $room, last: $last, after: $after) { id room author text sentAt clientId editedAt deletedAt } }",
       "variables":{"room":"{room}","last":"{count=50}","after":"{cursor?}"},"items":"messages","order":"oldest-first"},
     "post":{"document":"mutation($room: String!, $author: String!, $text: String!, $key: String) { postMessage(room: $room, author: $author, text: $text, clientId: $key) { id room author text sentAt clientId } }",
       "variables":{"room":"{room}","author":"{nick}","text":"{text}","key":"{nonce}"},"items":"postMessage","repeat":"safe"},
     "edit":{"document":"mutation($id: ID!, $text: String!) { editMessage(messageId: $id, text: $text) { id room author text sentAt editedAt } }",
       "variables":{"id":"{id}","text":"{text}"},"items":"editMessage"},
     "delete":{"document":"mutation($id: ID!) { deleteMessage(messageId: $id) }","variables":{"id":"{id}"}},
     "changes":{"document":"subscription($room: String!) { messageChanged(room: $room) { id room author text sentAt editedAt deletedAt } }",
       "variables":{"room":"{room}"},"items":"messageChanged"},
     "live":{"document":"subscription($room: String!, $after: ID) { messageAdded(room: $room, after: $after) { id room author text sentAt clientId editedAt deletedAt } }",
       "variables":{"room":"{room}","after":"{cursor?}"},"items":"messageAdded","mode":"event","resumes":true},
     "message":{"id":"id","cursor":"id","author":"author","text":"text","time":"sentAt","room":"room","nonce":"clientId","edited":"editedAt","deleted":"deletedAt"},
     "time":"iso8601"}
    """

  @Test func strawberryEditsAndDeletesThroughAProfile() throws {
    let server = try PeerServer.start("strawberry_chat.py", ["--port", "0", "--auth", "none"])
    let file = NSTemporaryDirectory() + "parlour-changing-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Self.changing.write(toFile: file, atomically: true, encoding: .utf8)
    let options = ["--profile", file, "--room", "general", "--first-delay", "100ms"]
    let reader = try CatRun(options + ["--nick", "reader", "--wait", "60s", server.url])
    _ = try reader.event("opened")
    let chat = try Running(
      Programs.parlour, ["--plain", "--no-history", "--nick", "ann"] + options + [server.url])
    _ = try chat.line(containing: "* connected to ")
    chat.write("helo\n")
    _ = try chat.line(containing: "ann: helo")
    _ = try reader.event("message")
    chat.write("/edit hello\n")
    _ = try chat.line(containing: "* ann edited a message: hello")
    #expect(try reader.event("notice")["text"] as? String == "hello")
    chat.write("/react 👍\n")
    _ = try chat.line(containing: "the profile in use does not say how")
    chat.write("/delete\n/delete yes\n")
    _ = try chat.line(containing: "* ann deleted a message")
    #expect(try reader.event("notice")["deleted"] as? Bool == true)
  }

  @Test func aGuessFindsEditAndDelete() throws {
    let server = try PeerServer.start("strawberry_chat.py", ["--port", "0", "--auth", "none"])
    let guess = try Running(
      Programs.parlour, ["profile", "guess", "--room", "general", server.url]
    ).finish()
    #expect(guess.status == 0, "\(guess.errors)")
    let draft = guess.output.joined()
    for part in [
      "[edit]", "[delete]", "editMessage(", "deleteMessage(", "\"{id}\"", "[changes]",
    ] {
      #expect(draft.contains(part), "\(part) is not in \(draft)")
    }
    #expect(draft.contains("messageAdded"))
  }
}
