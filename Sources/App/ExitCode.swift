/// The exit codes of the program, after sysexits.h.
package nonisolated enum ExitCode {
  package static let done: Int32 = 0
  package static let usage: Int32 = 64
  package static let badData: Int32 = 65
  package static let unavailable: Int32 = 69
  package static let inputOutput: Int32 = 74
  package static let peerBrokeProtocol: Int32 = 76
  package static let refused: Int32 = 77
  package static let configuration: Int32 = 78
  package static let interrupted: Int32 = 130
}

/// Why a command cannot go on: a sentence for standard error, and the exit code.
package nonisolated struct CommandFailure: Error, Equatable, Sendable {
  package var message: String
  package var exitCode: Int32

  package init(_ message: String, exitCode: Int32) {
    self.message = message
    self.exitCode = exitCode
  }

  static func usage(_ message: String) -> CommandFailure {
    CommandFailure(message, exitCode: ExitCode.usage)
  }

  static func configuration(_ message: String) -> CommandFailure {
    CommandFailure(message, exitCode: ExitCode.configuration)
  }
}
