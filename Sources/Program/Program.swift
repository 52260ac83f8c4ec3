package import Channel
package import Screen
package import Text
package import WebSocket

package enum ProgramInput: Equatable, Sendable {
  /// The program begins: connect.
  case start
  case key(Key)
  case session(SessionInput)
  case resized(width: Int, height: Int)
  /// The theme that was asked for, or the sentence why there is none.
  case themeLoaded(Theme)
  case notice(UntrustedText, isError: Bool)
}

package enum ProgramEffect: Equatable, Sendable {
  case openLink(LinkID, Endpoint)
  case write(LinkID, [UInt8])
  case finishLink(LinkID)
  case dropLink(LinkID)
  case loadTheme(String)
  case listThemes
  case bell
  /// Made safe.
  case setTitle(String)
  case suspend
  case repaint
  case quit(exitCode: Int32)
}

/// The whole chat client without its machine: every input in, every effect out as a value.
package struct Program {
  package init(_ configuration: SessionConfiguration, theme: Theme, width: Int, height: Int) {
    fatalError("interface only")
  }

  /// When `.session(.timeReached)` is to be handed in, or the screen to be drawn again (a countdown).
  package var deadline: Instant? {
    fatalError("interface only")
  }

  package mutating func handle(
    _ input: ProgramInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [ProgramEffect] {
    fatalError("interface only")
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [ProgramEffect] {
    fatalError("interface only")
  }

  package func grid(clock: Clock) -> Grid {
    fatalError("interface only")
  }
}
