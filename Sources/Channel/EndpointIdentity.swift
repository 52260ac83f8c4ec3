extension Endpoint {
  /// What tells one server from another where things of it are kept: origin and path. Of the query only a `room`,
  /// since it says what is talked about; user, password and tokens never.
  package var identity: String {
    let room = queryItems.first { $0.hasPrefix("room=") }
    return origin + path + (room.map { "?" + $0 } ?? "")
  }
}
