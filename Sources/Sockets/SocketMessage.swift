public import FoundationEssentials

/// A message of a ``TypedChannel``: a value that `Codable` can write, and the kind by which the other side
/// knows what it is.
///
/// A structure has one kind:
///
/// ```swift
/// struct Post: SocketMessage {
///   static let kind = "post"
///   var author: String
///   var text: String
/// }
/// ```
///
/// An enumeration of messages has a kind for each case; it implements ``kind-swift.property`` and
/// ``read(_:decoder:)``, and ``write(encoder:)`` where the payload is not the whole value.
public protocol SocketMessage: Codable, Sendable {
  /// The kind of messages of this type; the type's name unless said otherwise.
  static var kind: String { get }
  /// The kind of this message; the type's unless said otherwise.
  var kind: String { get }
  /// The payload in JSON.
  func write(encoder: JSONEncoder) throws -> Data
  /// The message of an envelope; nil where its kind is none of this type, an error where it is and the payload
  /// does not fit.
  static func read(_ envelope: Envelope, decoder: JSONDecoder) throws -> Self?
}

extension SocketMessage {
  public static var kind: String { String(describing: Self.self) }

  public var kind: String { Self.kind }

  public func write(encoder: JSONEncoder) throws -> Data {
    try encoder.encode(self)
  }

  public static func read(_ envelope: Envelope, decoder: JSONDecoder) throws -> Self? {
    guard envelope.kind == Self.kind else { return nil }
    return try decoder.decode(Self.self, from: envelope.payload)
  }
}
