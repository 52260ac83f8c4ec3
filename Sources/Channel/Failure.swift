/// Why a connection came to nothing or ended other than by an orderly close.
package struct Failure: Equatable, Sendable, Error {
  /// The words of the `failed` event.
  package enum Kind: String, Sendable {
    case tls, dns, tcp, proxy, upgrade, `protocol`, timeout, refused
  }

  package var kind: Kind
  /// The HTTP status where there is one.
  package var status: Int?
  /// One sentence for a person: what happened, with the name concerned, and what to do. Made safe.
  package var message: String
  /// A few words for the status line, such as "no pong 30 s" or "401 token rejected". Made safe.
  package var short: String

  /// No attempt can mend it: it ended the row, whichever attempt it was.
  package var isFinal = false

  /// `short` where the server selected none of the subprotocols, of which one is demanded.
  package static let noSubprotocol = "no subprotocol agreed"
  /// `short` where `wss://` met a port that answers without TLS, and where it ended the connection in the handshake.
  package static let speaksNoTLS = "no TLS there"
  package static let tlsCut = "TLS cut off"
  /// `short` where `ws://` met a port that speaks TLS, and where the connection ended in the answer to the upgrade.
  package static let speaksTLS = "TLS there"
  package static let upgradeCut = "upgrade cut short"

  package init(kind: Kind, status: Int? = nil, message: String, short: String? = nil) {
    self.kind = kind
    self.status = status
    self.message = message
    self.short = short ?? message
  }
}
