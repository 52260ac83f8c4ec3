package import WebSocket

extension CloseCode {
  /// What the code says, for a person: the meanings of RFC 6455 section 7.4.1 and of the IANA registry,
  /// and of the codes that chat and GraphQL servers use for refusals.
  package var words: String {
    switch rawValue {
    case 1000: "done"
    case 1001: "it is going away"
    case 1002: "it saw a protocol error"
    case 1003: "it does not take this kind of data"
    case 1005: "no reason given"
    case 1006: "cut without a close"
    case 1007: "it could not read a text"
    case 1008: "policy violation"
    case 1009: "a message was too big for it"
    case 1010: "it demands an extension"
    case 1011: "internal error"
    case 1012: "it restarts"
    case 1013: "it is busy, try again later"
    case 1014: "bad gateway"
    case 3000, 4401: "not authorised"
    case 3003, 4403: "forbidden"
    case 3008: "time-out"
    // Those of graphql-transport-ws.
    case 4400: "it could not read a message"
    case 4406: "it accepts none of the subprotocols"
    case 4408: "it waited too long for the introduction"
    case 4409: "an operation's id was used twice"
    case 4429: "the introduction came twice"
    case 4499: "the line was frozen"
    case 4500: "internal error"
    case 4504: "the acknowledgement did not come"
    case 3000...3999: "a reason of its framework's own"
    case 4000...4999: "a reason of its own"
    default: "an unknown reason"
    }
  }
}
