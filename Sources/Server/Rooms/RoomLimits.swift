/// Why a room, a nick or a message was not taken: a sentence for the person behind the client.
struct Complaint: Error, Equatable, Sendable {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

/// Bounds on what clients may have the server keep.
enum RoomLimits {
  /// In Unicode scalar values.
  static let name = 64
  /// In bytes of UTF-8.
  static let text = 64 << 10
  static let clientId = 256
  static let rooms = 1000
  /// Bytes of messages kept in one room and in all; the oldest ones go.
  static let bytesOfRoom = 16 << 20
  static let bytes = 256 << 20
  /// Of a reaction, in bytes of UTF-8: an emoji of a family of four has 25.
  static let emoji = 64
  /// Different reactions to one message, and people behind one of them.
  static let reactions = 20
  static let reactors = 500
  /// The most messages that one question for history is answered with.
  static let answer = 1000

  static func check(room: String) throws(Complaint) {
    try check(room, "room name")
  }

  static func check(nick: String) throws(Complaint) {
    try check(nick, "nick")
  }

  private static func check(_ value: String, _ what: String) throws(Complaint) {
    guard !value.isEmpty else {
      throw Complaint("The \(what) is empty: choose one of 1 to \(name) characters.")
    }
    guard value.unicodeScalars.count <= name else {
      throw Complaint(
        "The \(what) \"\(value.shortened(to: 20))\" is longer than \(name) characters: choose a shorter one."
      )
    }
    guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw Complaint("The \(what) holds control characters: choose one without them.")
    }
  }

  static func check(text value: String) throws(Complaint) {
    guard value.utf8.count <= text else {
      throw Complaint(
        "The message is \(value.utf8.count) bytes long and at most \(text) are taken: send it in parts."
      )
    }
  }

  static func check(emoji value: String) throws(Complaint) {
    guard !value.isEmpty, value.utf8.count <= emoji,
      !value.unicodeScalars.contains(where: {
        $0.properties.isWhitespace || $0.properties.generalCategory == .control
      })
    else {
      throw Complaint(
        "“\(value.shortened(to: 20))” is no reaction: give one emoji, or a word of at most \(emoji) bytes."
      )
    }
  }

  static func check(clientId value: String) throws(Complaint) {
    guard value.utf8.count <= clientId else {
      throw Complaint(
        "The client's id of the message is longer than \(clientId) bytes: make a shorter one.")
    }
  }
}

extension String {
  /// At most `count` characters, for texts of others inside a message.
  func shortened(to count: Int = 40) -> String {
    unicodeScalars.count <= count
      ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count))) + "…"
  }
}
