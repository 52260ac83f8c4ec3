import JSON
import Text

/// What was reported, so that every message is reported once in the life of a session, and which posts are
/// our own. Bounded: the newest 20 000 ids and 4096 nonces.
struct MessageLedger: Sendable {
  private struct Sighting {
    var traits: MessageTraits
    /// How many messages had this id before: see `alias`.
    var generation: Int
    /// A hash of what may change of it.
    var form: Int
  }

  static let mostIDs = 20_000
  static let mostNonces = 4096

  var nick: String
  /// By a hash of room and id instead of the text, as an id may be as long as a peer likes. Swift's hashes
  /// are seeded at random, so that nobody can make two ids collide.
  private var sightings: [Int: Sighting] = [:]
  private var keys = Ring<Int>(capacity: MessageLedger.mostIDs)
  private var nonces: Set<String> = []
  /// The ids of our own messages by their nonces.
  private var answered: [String: String] = [:]
  private var nonceOrder = Ring<String>(capacity: MessageLedger.mostNonces)

  init(nick: String) {
    self.nick = nick
  }

  /// A post of ours with this nonce is on its way.
  mutating func own(_ nonce: String) {
    guard nonces.insert(nonce).inserted else { return }
    if let old = nonceOrder.append(nonce) {
      nonces.remove(old)
      answered[old] = nil
    }
  }

  /// The answer to a post of ours gave it that id; a server may give its message another one.
  mutating func answer(_ nonce: String, id: String) {
    if nonces.contains(nonce), answered[nonce] == nil { answered[nonce] = id }
  }

  /// The message under the id by which it is known here, with `isMine`; `isNew` where it was not seen, and `isChanged`
  /// where it was, in another form.
  ///
  /// With `isAnew`, one without an id of its own is new in any case.
  mutating func enter(
    _ message: ChatMessage, room: String, isAnew: Bool = false
  ) -> (message: ChatMessage, isNew: Bool, isChanged: Bool) {
    var message = message
    if let nonce = message.nonce, let id = answered[nonce] { message.id = id }
    if message.nonce.map(nonces.contains) == true || message.author?.raw == nick {
      message.isMine = true
    }
    let key = Self.key(message.id, room)
    let traits = MessageTraits(message)
    let form = Self.form(message, traits)
    guard let old = sightings[key] else {
      sightings[key] = Sighting(traits: traits, generation: 0, form: form)
      if let forgotten = keys.append(key) { sightings[forgotten] = nil }
      return (message, true, false)
    }
    let isReused =
      old.traits.differ(from: traits) || (isAnew && MessageReader.isMadeUp(message.id))
    var sighting = old
    sighting.form = form
    if isReused {
      sighting = Sighting(traits: traits, generation: old.generation &+ 1, form: form)
    } else if old.traits.nonce == nil, let nonce = message.nonce {
      sighting.traits.nonce = nonce
    }
    sightings[key] = sighting
    if sighting.generation > 0 { message.id += "~\(sighting.generation &+ 1)" }
    return (message, isReused, !isReused && form != old.form)
  }

  /// Whether a message of the server has another form than the one that was seen last, which is remembered.
  mutating func isChanged(_ message: ChatMessage, room: String) -> Bool {
    let form = Self.form(message, MessageTraits(message))
    let key = Self.key(message.id, room)
    guard let old = sightings[key]?.form else { return true }
    sightings[key]?.form = form
    return form != old
  }

  private static func form(_ message: ChatMessage, _ traits: MessageTraits) -> Int {
    var hasher = Hasher()
    hasher.combine(message.isDeleted)
    guard !message.isDeleted else { return hasher.finalize() }
    hasher.combine(traits.text)
    guard message.hasMarks else { return hasher.finalize() }
    let marks = message.marks
    hasher.combine(marks.isEdited)
    hasher.combine(marks.editedAt?.milliseconds)
    hasher.combine(marks.replyTo)
    hasher.combine(marks.revision)
    for reaction in marks.reactions {
      hasher.combine(reaction.emoji.raw)
      hasher.combine(reaction.count)
      hasher.combine(reaction.isMine)
      for name in reaction.names { hasher.combine(name.raw) }
    }
    return hasher.finalize()
  }

  /// With `isMine`, for a message that is older than those that are remembered.
  func marked(_ message: ChatMessage) -> ChatMessage {
    var message = message
    if message.nonce.map(nonces.contains) == true || message.author?.raw == nick {
      message.isMine = true
    }
    return message
  }

  /// The message was seen in an earlier run, under the id by which it was known there.
  mutating func recall(_ message: ChatMessage, room: String) {
    let (id, generation) = Self.parts(of: message.id)
    let key = Self.key(id, room)
    let traits = MessageTraits(message)
    let sighting = Sighting(
      traits: traits, generation: generation, form: Self.form(message, traits))
    if sightings.updateValue(sighting, forKey: key) == nil, let forgotten = keys.append(key) {
      sightings[forgotten] = nil
    }
  }

  /// The id under which a message of the server is known here; nil where it was not seen.
  func alias(of id: String, room: String) -> String? {
    sightings[Self.key(id, room)].map {
      $0.generation > 0 ? "\(id)~\($0.generation &+ 1)" : id
    }
  }

  /// The server's id of a message that is known here under this one.
  func original(of alias: String, room: String) -> String {
    let (id, generation) = Self.parts(of: alias)
    guard generation > 0, sightings[Self.key(alias, room)] == nil else { return alias }
    return id
  }

  private static func parts(of alias: String) -> (id: String, generation: Int) {
    guard let mark = alias.lastIndex(of: "~"), let number = Int(alias[alias.index(after: mark)...]),
      number > 1
    else { return (alias, 0) }
    return (String(alias[..<mark]), number - 1)
  }

  func hasSeen(_ message: ChatMessage, room: String) -> Bool {
    sightings[Self.key(message.id, room)].map { !$0.traits.differ(from: MessageTraits(message)) }
      ?? false
  }

  private static func key(_ id: String, _ room: String) -> Int {
    var hasher = Hasher()
    hasher.combine(room)
    hasher.combine(id)
    return hasher.finalize()
  }
}

/// The newest elements; appending to a full one gives back the oldest.
struct Ring<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var oldest = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  mutating func append(_ element: Element) -> Element? {
    guard elements.count == capacity else {
      elements.append(element)
      return nil
    }
    let old = elements[oldest]
    elements[oldest] = element
    oldest = (oldest + 1) % capacity
    return old
  }
}

/// Messages that came while an answer about earlier ones is outstanding: they are reported after it, to
/// keep the order of the room. Bounded in number and bytes.
struct HeldMessages: Sendable {
  static let mostMessages = 10_000
  static let mostBytes = 16 << 20

  /// What came at once.
  struct Batch: Sendable {
    enum Kind: Equatable, Sendable {
      case said
      /// The room's latest messages; `isWhole` where each of them could be read.
      case snapshot(isWhole: Bool)
    }

    var kind: Kind
    var messages: [ChatMessage]
  }

  private(set) var batches: [Batch] = []
  private var count = 0
  private var bytes = 0

  var messages: [ChatMessage] { batches.flatMap(\.messages) }

  /// False where the bound is reached: nothing is held any longer.
  mutating func append(_ more: [ChatMessage], _ kind: Batch.Kind = .said) -> Bool {
    batches.append(Batch(kind: kind, messages: more))
    count += max(1, more.count)
    bytes += more.reduce(0) { $0 + Self.size(of: $1) }
    return count < Self.mostMessages && bytes < Self.mostBytes
  }

  private static func size(of message: ChatMessage) -> Int {
    256 + message.text.raw.utf8.count + message.id.utf8.count
      + (message.author?.raw.utf8.count ?? 0) + (message.nonce?.utf8.count ?? 0)
      + (message.cursor?.string?.utf8.count ?? 0)
  }
}

/// Says a kind of mishap the first time and then each time its count has doubled, so that a flood of them
/// is no flood of notices.
struct MishapCounter: Sendable {
  private(set) var count = 0

  /// Whether this one is to be told.
  mutating func happened() -> Bool {
    guard count < .max else { return false }
    count += 1
    return count & (count - 1) == 0
  }
}
