/// A close code (RFC 6455 section 7.4 and the IANA registry).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let normal = CloseCode(rawValue: 1000)
  package static let goingAway = CloseCode(rawValue: 1001)
  package static let protocolError = CloseCode(rawValue: 1002)
  package static let unsupportedData = CloseCode(rawValue: 1003)
  /// Never sent: what is reported when a Close frame held no code.
  package static let noStatus = CloseCode(rawValue: 1005)
  /// Never sent: what is reported when the line ended without a Close frame.
  package static let abnormal = CloseCode(rawValue: 1006)
  package static let invalidData = CloseCode(rawValue: 1007)
  package static let policyViolation = CloseCode(rawValue: 1008)
  package static let tooBig = CloseCode(rawValue: 1009)
  package static let mandatoryExtension = CloseCode(rawValue: 1010)
  package static let internalError = CloseCode(rawValue: 1011)
  package static let serviceRestart = CloseCode(rawValue: 1012)
  package static let tryAgainLater = CloseCode(rawValue: 1013)
  package static let badGateway = CloseCode(rawValue: 1014)

  /// Whether a peer may put this code into a Close frame (RFC 6455 sections 7.4.1 and 7.4.2).
  package var mayBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// What a Close frame says: a code and at most 123 bytes of UTF-8 (RFC 6455 section 5.5.1).
package struct CloseReason: Equatable, Sendable {
  package var code: CloseCode
  /// From the wire: make it safe before it is shown.
  package var text: String

  package init(_ code: CloseCode, _ text: String = "") {
    self.code = code
    self.text = text
  }
}
