import WebSocket

/// What was to be offered before a server declined some of it.
struct ConfiguredSubprotocols: Sendable {
  var names: [String]
  var isRequired: Bool
}

extension Session {
  /// A server that closes with 4406 selected a subprotocol that it does not speak after all: the others of the same
  /// dialect are offered next, and one of them has to be selected. Nil where none is left.
  mutating func offeringOthers(after reason: CloseReason, of open: OpenLine) -> Verdict? {
    guard reason.code.rawValue == 4406, let refused = open.subprotocol else { return nil }
    let others = configuration.subprotocols.filter {
      $0 != refused && (dialectOf($0) ?? configuration.dialect) == open.dialect
    }
    guard let next = others.first else { return nil }
    if configuredSubprotocols == nil {
      configuredSubprotocols = ConfiguredSubprotocols(
        names: configuration.subprotocols, isRequired: configuration.requiresSubprotocol)
    }
    configuration.subprotocols = others
    configuration.requiresSubprotocol = true
    let name = configuration.endpoint.hostField
    return Verdict(
      .retry(after: nil),
      Failure(
        kind: .protocol,
        message: "\(name) selected \(refused) and does not speak it (close code 4406); \(next) is"
          + " offered next.", short: "no \(refused)"))
  }

  /// Another row of attempts offers everything again.
  mutating func forgetDeclined() {
    hasRetriedOnce = false
    guard let configured = configuredSubprotocols else { return }
    configuration.subprotocols = configured.names
    configuration.requiresSubprotocol = configured.isRequired
    configuredSubprotocols = nil
  }
}
