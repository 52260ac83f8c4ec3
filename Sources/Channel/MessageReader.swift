import JSON
import Text

/// Finds the parts of a message in the results of a GraphQL server, by the paths of its profile.
struct MessageReader: Sendable {
  /// A message and the room that it says it belongs to.
  struct Reading: Equatable {
    var message: ChatMessage
    var room: String?
    /// The server writes its ids as numbers.
    var hasNumericID = false
  }

  /// Longer ids and nonces are not kept; a cursor of this length is not sent back.
  static let longestID = 512
  static let longestCursor = 4096

  private let id: PathFinder?
  private let cursor: PathFinder?
  private let author: PathFinder?
  private let text: PathFinder
  private let time: PathFinder?
  private let room: PathFinder?
  private let nonce: PathFinder?
  private let seq: PathFinder?
  private let marks: MarksReader?
  let format: Profile.TimeFormat
  /// Each path of the profile with its key.
  let paths: [(name: String, path: Profile.Path)]

  init(_ profile: Profile) {
    let paths = profile.message
    id = paths.id.map { PathFinder($0) }
    cursor = paths.cursor.map { PathFinder($0) }
    author = paths.author.map { PathFinder($0) }
    text = PathFinder(paths.text)
    time = paths.time.map { PathFinder($0) }
    room = paths.room.map { PathFinder($0) }
    nonce = paths.nonce.map { PathFinder($0) }
    seq = paths.seq.map { PathFinder($0) }
    format = profile.time
    marks = MarksReader(paths)
    let optional: [(String, Profile.Path?)] = [
      ("id", paths.id), ("cursor", paths.cursor), ("author", paths.author), ("text", paths.text),
      ("time", paths.time), ("room", paths.room), ("seq", paths.seq), ("nonce", paths.nonce),
      ("edited", paths.edited), ("deleted", paths.deleted), ("reactions", paths.reactions),
      ("reply", paths.reply), ("revision", paths.revision),
    ]
    self.paths = optional.compactMap { name, path in path.map { (name, $0) } }
  }

  /// What an `items` path leads to: single messages, lists of them, or both.
  static func items(at path: PathFinder, in data: JSON) -> [JSON] {
    path.all(in: data).flatMap { found in
      if case .array(let elements) = found { elements.filter { !$0.isNull } } else { [found] }
    }
  }

  /// Nil where the item has no text.
  func read(_ item: JSON) -> Reading? {
    let marks = marks?.read(item, self) ?? MessageMarks()
    // Of what was deleted there need be nothing left but its id.
    let found = self.text.first(in: item).flatMap(Self.text(of:))
    guard let text = marks.isDeleted ? "" : found else { return nil }
    let author = author?.first(in: item).flatMap(Self.text(of:))
    let time = time?.first(in: item).flatMap { timestamp($0) }
    let id = self.id?.first(in: item)
    var message = ChatMessage(
      id: identifier(id)
        ?? Self.hash(author: author, time: time, text: text),
      author: author.map { UntrustedText($0) }, text: UntrustedText(text), time: time,
      nonce: identifier(nonce?.first(in: item)))
    message.cursor = cursor?.first(in: item).flatMap(Self.cursor(of:))
    message.seq = seq?.first(in: item).flatMap(Self.number(of:))
    if self.marks != nil { message.marks = marks }
    var reading = Reading(message: message, room: room?.first(in: item).flatMap(Self.text(of:)))
    if case .integer = id { reading.hasNumericID = true }
    return reading
  }

  /// The id of a message of which nothing else is known: by itself, or where the profile has it.
  func readID(_ item: JSON) -> String? {
    identifier(item.members == nil ? item : id?.first(in: item))
  }

  func identifier(_ value: JSON?) -> String? {
    guard let text = value.flatMap(Self.text(of:)), !text.isEmpty,
      text.utf8.count <= Self.longestID
    else { return nil }
    return text
  }

  static func text(of value: JSON) -> String? {
    switch value {
    case .string(let text), .bigInteger(let text): text
    case .integer(let number): String(number)
    case .double(let number): number.description
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// Servers write 64-bit integers as texts too.
  static func number(of value: JSON) -> Int64? {
    switch value {
    case .integer(let number): number
    case .string(let text): Int64(text)
    case .null, .bool, .double, .bigInteger, .array, .object: nil
    }
  }

  private static func cursor(of value: JSON) -> JSON? {
    switch value {
    case .string(let text), .bigInteger(let text):
      text.isEmpty || text.utf8.count > longestCursor ? nil : value
    case .integer, .double: value
    case .null, .bool, .array, .object: nil
    }
  }

  func timestamp(_ value: JSON) -> Timestamp? {
    switch format {
    case .iso8601: value.string.flatMap { Timestamp(iso8601: $0) }
    case .unix: Self.milliseconds(value, factor: 1000).flatMap(Timestamp.init(writable:))
    case .unixMilliseconds:
      Self.milliseconds(value, factor: 1).flatMap(Timestamp.init(writable:))
    }
  }

  /// Numbers, and texts that hold one, as servers write 64-bit integers.
  private static func milliseconds(_ value: JSON, factor: Int64) -> Int64? {
    switch value {
    case .integer(let number):
      let (product, overflow) = number.multipliedReportingOverflow(by: factor)
      return overflow ? nil : product
    case .double(let number):
      let product = (number * Double(factor)).rounded()
      // 2^53: beyond, a Double is no exact millisecond any more (the year 287 396).
      return abs(product) <= 9_007_199_254_740_992 ? Int64(product) : nil
    case .string(let text):
      if let number = Int64(text) { return milliseconds(.integer(number), factor: factor) }
      return Double(text).flatMap { milliseconds(.double($0), factor: factor) }
    case .null, .bool, .bigInteger, .array, .object: return nil
    }
  }

  /// FNV-1a, the same in every run: stands for the id where a server gives none.
  static func isMadeUp(_ id: String) -> Bool { id.hasPrefix("hash-") }

  static func hash(author: String?, time: Timestamp?, text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let parts = [author ?? "", time.map { String($0.milliseconds) } ?? "", text]
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      // No byte of UTF-8: the border between two parts.
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return "hash-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
