import Channel
import Foundation
import TestKit
import Testing

@testable import App

/// Servers by their names, while a chat runs.
@MainActor @Suite struct ServerNameTests {
  private static func configuration(_ text: String) throws -> Configuration {
    try ConfigurationReader.read(text, file: "~/config.toml", folder: "/nowhere", home: "/nowhere")
  }

  private static func message(_ servers: ChatServers, _ word: String) -> String {
    do {
      _ = try servers.options(of: word, beside: [])
      return ""
    } catch {
      return error.message
    }
  }

  @Test func aNameThatIsNotThereIsAnsweredWithThoseThatAreAndHowToAddOne() throws {
    let arguments = try Arguments.parse(["ws://a.example/"])
    let some = ChatServers(
      arguments,
      try Self.configuration(
        """
        [servers.work]
        url = "wss://work.example/ws"
        [servers.home]
        url = "wss://home.example/ws"
        """))
    #expect(
      Self.message(some, "nosuch")
        == "There is no server “nosuch”: ~/config.toml names home, work. Add it there as [servers.nosuch] with "
        + "url = \"wss://…\", or give its URL, as in wss://chat.example/ws.")
    #expect(Self.message(some, "wrk").contains("Did you mean work?"))
    #expect(
      Self.message(ChatServers(arguments, try Self.configuration("")), "nosuch")
        .hasPrefix("There is no server “nosuch”: ~/config.toml names none. Add it there"))
    #expect(
      Self.message(ChatServers(arguments, Configuration(file: "")), "nosuch")
        == "There is no server “nosuch” here: give its URL, as in wss://chat.example/ws.")
    // A host without its scheme is told to be one.
    #expect(Self.message(some, "chat.example").contains("ws"))
    #expect(!Self.message(some, "chat.example").contains("[servers."))
  }

  @Test func aServerThatWasAddedWhileTheChatRunsIsFound() throws {
    final class File { var text = "" }
    let file = File()
    let servers = ChatServers(
      try Arguments.parse(["ws://a.example/"]), try Self.configuration(""),
      reload: { () throws(CommandFailure) in
        try ConfigurationReader.read(
          file.text, file: "~/config.toml", folder: "/nowhere", home: "/nowhere")
      })
    #expect(Self.message(servers, "new").contains("names none") && servers.names().isEmpty)
    file.text = "[servers.new]\nurl = \"wss://new.example/ws\"\nroom = \"dev\"\n"
    let options = try servers.options(of: "new", beside: [])
    #expect(options.session.endpoint.host == "new.example")
    #expect(options.session.context.room == "dev")
    #expect(servers.names() == ["new"])
    // What is wrong with the file by now is said; a URL needs none of it.
    file.text = "[servers.new"
    #expect(Self.message(servers, "new").contains("config.toml:1"))
    #expect(Self.message(servers, "ws://b.example/") == "")
  }
}
