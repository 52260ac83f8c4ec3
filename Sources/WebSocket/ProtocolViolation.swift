/// What the peer did wrong; each has one close code.
package enum ProtocolViolation: Error, Equatable, Sendable {
  case reservedBits
  case unknownOpcode(UInt8)
  case fragmentedControl
  case oversizedControl
  case nonMinimalLength
  case lengthOverflow
  case maskedByServer
  case unmaskedByClient
  case unexpectedContinuation
  case interruptedMessage
  case invalidUTF8
  /// A compressed message that is broken or cut short.
  case invalidCompression
  case invalidCloseFrame
  case messageTooBig(limit: Int)
  case tooManyFragments(limit: Int)

  package var closeCode: CloseCode {
    switch self {
    case .invalidUTF8, .invalidCompression: .invalidData
    case .messageTooBig: .tooBig
    case .tooManyFragments: .policyViolation
    default: .protocolError
    }
  }
}
