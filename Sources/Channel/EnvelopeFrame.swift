import JSON
import WebSocket

/// One message of the envelope: `{"kind": String, "payload": base64 of JSON}`, the way Swift's `Codable` writes
/// a structure with a `Data` in it. A payload that is a JSON object is understood too.
struct EnvelopeFrame: Equatable, Sendable {
  var kind: String
  /// Always an object.
  var payload: JSON

  init(_ kind: String, _ payload: JSON) {
    self.kind = kind
    self.payload = payload
  }

  /// Nil for anything that is no envelope.
  init?(_ bytes: RawSpan) {
    guard let outer = try? JSON.parse(bytes), let kind = outer["kind"]?.string else { return nil }
    switch outer["payload"] {
    case .some(.object(let members)):
      self.init(kind, .object(members))
    case .some(.string(let encoded)):
      guard let decoded = Base64.decoded(encoded),
        let inner = try? JSON.parse(decoded.span.bytes), inner.members != nil
      else { return nil }
      self.init(kind, inner)
    case nil, .null, .bool, .integer, .double, .bigInteger, .array:
      return nil
    }
  }

  var text: String {
    var bytes: [UInt8] = []
    payload.write(to: &bytes)
    return JSON.object([
      .init("kind", .string(kind)), .init("payload", .string(Base64.encoded(bytes))),
    ]).text
  }
}
