package import Channel

package struct CatOptions: Sendable {
  package enum Format: String, Sendable {
    case text, json
  }

  package var format: Format = .text
  /// Lines are sent as binary messages.
  package var isBinary = false
  /// `--send`: goes out before the lines of standard input.
  package var send: [String] = []
  /// Leave after that many messages.
  package var count: Int?
  /// How long to stay after standard input ended and everything went out; nil stays for ever.
  package var wait: Duration?
  /// Standard output is a terminal: what is written there is made safe.
  package var isTerminal = false
  /// Longer lines are refused, in bytes.
  package var maxMessage = 16 << 20
  /// As it may be shown.
  package var url: String
  /// Attempts in a row before giving up; 1 without reconnecting.
  package var attemptLimit = 10
  /// Posts that were lost sight of are found in the history, or sent again.
  package var looksUpPosts = false

  package init(url: String) {
    self.url = url
  }
}

package enum CatInput: Equatable, Sendable {
  /// The first input of all: connect.
  case start
  /// Bytes of standard input, cut anywhere.
  case standardInput([UInt8])
  case standardInputEnded
  case channel(ChannelEvent)
  case timeReached
  /// A signal ends the program.
  case interrupted
  /// Every event was handed in, and the session is on line: posts that came back may go out again.
  case lineHolds
}

package enum CatOutput: Equatable, Sendable {
  /// Whole lines with their ends.
  case standardOutput([UInt8])
  /// A sentence as one line with its end, made safe.
  case standardError(String)
  case session(SessionInput)
  /// The last output of all.
  case exit(Int32)
}
