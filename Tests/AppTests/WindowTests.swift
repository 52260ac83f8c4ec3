import Foundation
import TestKit
import Testing

/// Several servers and rooms at once, as a person sees them in tmux.
@Suite(.ownThreads, .serialized, .enabled(if: Tmux.isInstalled)) struct WindowTests {
  private static func enter(_ line: String, _ tmux: Tmux) {
    tmux.type(line)
    tmux.press("Enter")
  }

  @Test func twoServersAreTalkedToAtOnce() throws {
    let first = try PeerServer.embedded(["--token", "right"])
    let second = try PeerServer.embedded()
    let tmux = try Tmux(
      "PARLOUR_TOKEN=right \(Programs.parlour) --nick ada \(first.url) \(second.url); echo ended $?; read line",
      name: "windows", width: 110)
    let online = tmux.wait {
      $0.contains("● online") && $0.contains("▸1 ● #lobby") && $0.contains(" 2 ● #lobby")
    }
    #expect(online.held, "\(online.screen)")
    Self.enter("only for the first", tmux)
    #expect(tmux.wait { $0.contains("ada │ only for the first") }.held)
    tmux.press("M-2")
    let other = tmux.wait { $0.contains("▸2 ●") && !$0.contains("only for the first") }
    #expect(other.held, "\(other.screen)")
    // A third on the first server, with a draft that stays behind.
    tmux.type("a draft")
    tmux.press("F5")
    #expect(tmux.wait { $0.contains("▸1") && $0.contains("✎") }.held)
    Self.enter("/join dev", tmux)
    let dev = tmux.wait { $0.contains("▸3 ● #dev") }
    #expect(dev.held, "\(dev.screen)")
    // Others speak in the two windows behind.
    let say = try Running(
      Programs.parlour,
      ["cat", "--nick", "ko", "--send", "hello all", "--history", "0", second.url])
    #expect(try say.finish().status == 0)
    #expect(tmux.wait { $0.contains("+1") }.held)
    tmux.press("M-a")
    let news = tmux.wait { $0.contains("ko │ hello all") && $0.contains("ada> a draft") }
    #expect(news.held, "\(news.screen)")
    tmux.press("M-a")
    #expect(tmux.wait { $0.contains("▸3 ● #dev") }.held)
    // One server goes, the other stays.
    second.running.signal(SIGTERM)
    let lost = tmux.wait { $0.contains("2 ◌ #lobby") || $0.contains("2 ◐ #lobby") }
    #expect(lost.held, "\(lost.screen)")
    #expect(lost.screen.contains("● online"))
    Self.enter("/part", tmux)
    #expect(tmux.wait { !$0.contains("#dev ") && $0.contains("▸2") }.held)
    tmux.resize(width: 80, height: 24)
    let strip = tmux.wait { $0.contains("2 #lobby@127") }
    #expect(strip.held, "\(strip.screen)")
    tmux.press("C-u")
    Self.enter("/quit", tmux)
    #expect(tmux.wait { $0.contains("ended 0") }.held)
  }

  @Test func aServerIsOpenedFromTheChatAndWrongOnesAreTold() throws {
    let first = try PeerServer.embedded()
    let second = try PeerServer.embedded()
    let tmux = try Tmux(
      "PARLOUR_TOKEN= \(Programs.parlour) --nick ada \(first.url); echo ended $?; read line",
      name: "server")
    #expect(tmux.wait { $0.contains("● online") }.held)
    Self.enter("/server nonsense here", tmux)
    #expect(tmux.wait { $0.contains("nonsense") && $0.contains("--") }.held)
    Self.enter("/connect \(second.url)", tmux)
    let opened = tmux.wait { $0.contains("2 #lobby@") && $0.contains("● online") }
    #expect(opened.held, "\(opened.screen)")
    Self.enter("/list", tmux)
    let list = tmux.wait { $0.contains("1 #lobby on 127.0.0.1") && $0.contains("here") }
    #expect(list.held, "\(list.screen)")
    Self.enter("/quit", tmux)
    #expect(tmux.wait { $0.contains("ended 0") }.held)
  }
}
