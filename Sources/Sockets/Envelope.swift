public import FoundationEssentials
import JSON
import WebSocket

/// What a message of a ``TypedChannel`` travels in: a text frame `{"kind": …, "payload": …}`, the payload being
/// JSON in base64, the way `Codable` writes `Data`.
///
/// Where an envelope is read, a payload that is a JSON object or array itself is understood too.
public struct Envelope: Codable, Equatable, Sendable {
  public var kind: String
  /// JSON in UTF-8.
  public var payload: Data

  public init(kind: String, payload: Data) {
    self.kind = kind
    self.payload = payload
  }

  /// Reads a frame; nil for anything that is no envelope.
  public init?(frame: String) {
    self.init(frame.utf8Span.span.bytes)
  }

  /// Reads the payload of a binary frame that holds the same text.
  public init?(frame: Data) {
    self.init(frame.bytes)
  }

  private init?(_ frame: RawSpan) {
    guard let outer = try? JSON.parse(frame), let kind = outer["kind"]?.string else { return nil }
    switch outer["payload"] {
    case .string(let text)?:
      guard let bytes = Base64.decoded(text) else { return nil }
      self.init(kind: kind, payload: Data(bytes))
    case .object(let members)?: self.init(kind: kind, .object(members))
    case .array(let elements)?: self.init(kind: kind, .array(elements))
    case nil, .null?, .bool?, .integer?, .double?, .bigInteger?: return nil
    }
  }

  private init(kind: String, _ payload: JSON) {
    var bytes: [UInt8] = []
    payload.write(to: &bytes)
    self.init(kind: kind, payload: Data(bytes))
  }

  /// The text of the frame.
  public var frame: String {
    JSON.object([
      .init("kind", .string(kind)), .init("payload", .string(Base64.encoded(Array(payload)))),
    ]).text
  }
}
