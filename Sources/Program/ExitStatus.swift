package import Channel
import WebSocket

/// The exit codes of the program, those of sysexits.h.
package enum ExitStatus {
  package static let done: Int32 = 0
  /// A message, or what was to be sent, is not what the dialect demands.
  package static let badData: Int32 = 65
  /// Unreachable, TLS refused, or gave up.
  package static let unavailable: Int32 = 69
  /// The peer broke the protocol, a wrong answer to the upgrade among it.
  package static let peerBroke: Int32 = 76
  /// Refused: authentication.
  package static let refused: Int32 = 77
  package static let interrupted: Int32 = 130

  package static func of(_ kind: Failure.Kind) -> Int32 {
    switch kind {
    case .tls, .dns, .tcp, .proxy, .timeout: unavailable
    case .upgrade, .protocol: peerBroke
    case .refused: refused
    }
  }

  /// For the state in which a session ended. `attemptLimit` tells giving up after many attempts, which is
  /// 69 whatever the last one failed of, from the one failure that no attempt can mend.
  package static func of(_ end: SessionState.Offline, attemptLimit: Int) -> Int32 {
    switch end {
    case .idle, .stopped: done
    case .closed(let reason): of(reason.code)
    case .refused: refused
    case .gaveUp(let attempts, let failure):
      attemptLimit > 1 && attempts >= attemptLimit && !failure.isFinal
        ? unavailable : of(failure)
    }
  }

  /// A server that answers that it cannot just now is not one that breaks the protocol.
  private static func of(_ failure: Failure) -> Int32 {
    switch failure.status {
    case 408?, 425?, 429?, (500...599)?: unavailable
    // Nor is one that is gone before it has answered.
    default: failure.short == Failure.upgradeCut ? unavailable : of(failure.kind)
    }
  }

  private static func of(_ code: CloseCode) -> Int32 {
    switch code {
    case .normal, .goingAway, .noStatus: done
    case .protocolError, .unsupportedData, .invalidData, .tooBig, .mandatoryExtension: peerBroke
    case .policyViolation: refused
    default: unavailable
    }
  }
}
