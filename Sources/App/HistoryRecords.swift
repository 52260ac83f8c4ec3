import Room

/// Which records hold texts of messages.
extension Record {
  func isText(of name: String) -> Bool {
    switch self {
    case .message(_, let room), .replaced(_, _, let room), .changed(_, let room): room == name
    case .post, .postEnded, .cursor, .draft, .notice, .input, .readUpTo: false
    }
  }

  /// A message of the transcript, or another form of one.
  var isText: Bool {
    switch self {
    case .message, .replaced, .changed: true
    case .post, .postEnded, .cursor, .draft, .notice, .input, .readUpTo: false
    }
  }
}
