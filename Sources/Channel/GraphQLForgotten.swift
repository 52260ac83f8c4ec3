import JSON
import Text

/// A server that began anew, or that keeps only its newest messages, does not know the one that we go on from.
extension GraphQLDialect {
  /// Whether a refusal names the cursor that was asked from: then it is that message that the server does not know.
  func namesCursor(_ refusal: UntrustedText) -> Bool {
    guard context.profile.liveResumes || historyTakesCursor,
      let cursor = progress[context.room]?.cursor
    else { return false }
    let name: String
    switch cursor {
    case .string(let text), .bigInteger(let text): name = text
    case .integer(let number): name = String(number)
    case .null, .bool, .double, .array, .object: return false
    }
    func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    // A name in pieces, such as Base64 with its “=”, and one that was cut: the first piece does.
    guard let piece = name.split(whereSeparator: { !isPart($0) }).first?.prefix(20) else {
      return false
    }
    let words = refusal.raw.prefix(1024).split { !isPart($0) }
    return words.contains { $0 == piece || (piece.count == 20 && $0.hasPrefix(piece)) }
  }

  /// Said once a line: the subscription and the history are both refused for it.
  mutating func forgottenNotice() -> [DialectOutput] {
    guard line?.isForgotten == false else { return [] }
    line?.isForgotten = true
    return [
      .notice(
        UntrustedText(
          "The server does not know the last message seen here any more (it may have begun anew); the talk goes on."
        ))
    ]
  }
}
