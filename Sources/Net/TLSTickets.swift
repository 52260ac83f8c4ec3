import COpenSSL

/// The sessions that servers gave out for the next connection, in memory only.
///
/// A ticket of TLS 1.3 is offered once, since one that is seen twice lets an onlooker tell that both connections
/// are of the same client (RFC 8446 appendix C.4); a session of TLS 1.2 is offered until the server refuses it.
/// All sessions are of one context, and so of the same trust, pins and client certificate.
final class TLSTickets {
  /// Whom a session was agreed on with: host and port, and the name that was asked for and checked.
  struct Key: Hashable {
    let target: HostPort
    let name: String
  }

  static let mostOfOneServer = 4
  static let mostServers = 16

  /// The newest last.
  private var sessions: [Key: [OpaquePointer]] = [:]

  deinit {
    for session in sessions.values.joined() { SSL_SESSION_free(session) }
  }

  /// Takes over a session.
  func keep(_ session: OpaquePointer, for key: Key) {
    if sessions[key] == nil, sessions.count >= Self.mostServers {
      for other in Array(sessions.keys) { forget(other) }
    }
    var known = sessions[key] ?? []
    // TLS 1.2 has one session at a time, which this one takes the place of.
    while known.count >= (Self.isOfOneUse(session) ? Self.mostOfOneServer : 1) {
      SSL_SESSION_free(known.removeFirst())
    }
    known.append(session)
    sessions[key] = known
  }

  /// The newest session that can still be offered, with a reference that is the caller's to free.
  func take(for key: Key) -> OpaquePointer? {
    while let session = sessions[key]?.popLast() {
      guard SSL_SESSION_is_resumable(session) == 1 else {
        SSL_SESSION_free(session)
        continue
      }
      if !Self.isOfOneUse(session) {
        SSL_SESSION_up_ref(session)
        sessions[key]?.append(session)
      }
      return session
    }
    return nil
  }

  /// Lets go of everything for a server that did not take what it was offered.
  func forget(_ key: Key) {
    for session in sessions.removeValue(forKey: key) ?? [] { SSL_SESSION_free(session) }
  }

  func count(for key: Key) -> Int { sessions[key]?.count ?? 0 }

  private static func isOfOneUse(_ session: OpaquePointer) -> Bool {
    SSL_SESSION_get_protocol_version(session) >= TLS1_3_VERSION
  }
}
