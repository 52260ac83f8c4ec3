import WebSocket

/// What upgraded connections say, and who hears it.
extension ChatServer {
  mutating func receiveFrames(
    _ bytes: RawSpan, from id: ConnectionID, at now: Duration, wall: Int64,
    _ entropy: inout Entropy
  ) {
    var position = 0
    repeat {
      let rest = bytes.extracting(position...)
      guard let taken = connections[id]?.machine?.receive(rest, entropy: &entropy) else { return }
      position += taken
      touch(id)
      takeEvents(of: id, rest, at: now, wall: wall, &entropy)
    } while position < bytes.byteCount
  }

  private mutating func takeEvents(
    of id: ConnectionID, _ bytes: RawSpan, at now: Duration, wall: Int64,
    _ entropy: inout Entropy
  ) {
    guard let events = connections[id]?.machine?.events else { return }
    for event in events {
      switch event {
      case .message(let kind, let payload):
        guard connections[id]?.isClosing == false,
          let message = connections[id]?.machine?.withBytes(
            of: payload, in: bytes, { bytes in bytes.withUnsafeBytes { Array($0) } })
        else { continue }
        let effects = connections[id]?.dialect?.receive(
          kind, message.span.bytes, &state, wall: wall)
        apply(effects ?? [], of: id, at: now, &entropy)
      case .ping, .pong:
        continue
      case .closed, .failed:
        leaveAll(id, at: now, &entropy)
        connections[id]?.isClosing = true
        connections[id]?.isFinished = true
      }
    }
  }

  mutating func apply(
    _ effects: [DialectEffect], of id: ConnectionID, at now: Duration, _ entropy: inout Entropy
  ) {
    for effect in effects {
      switch effect {
      case .send(let kind, let bytes):
        connections[id]?.machine?.send(kind, bytes.span.bytes, entropy: &entropy)
        touch(id)
      case .close(let reason):
        beginClose(id, reason, at: now, &entropy)
      case .enter(let room):
        connections[id]?.rooms.append(room)
        audience[room, default: []].append(id)
        announceMembers(of: room, because: id, isComing: true, at: now, &entropy)
      case .renamed:
        for room in connections[id]?.rooms ?? [] {
          announceMembers(of: room, because: id, at: now, &entropy)
        }
      case .leave(let room):
        leave(room, id, at: now, &entropy)
      case .posted(let message, let heardBySelf):
        announce(
          .message(message), in: message.room, except: heardBySelf ? nil : id, at: now, &entropy)
      case .changed(let message, let heardBySelf):
        announce(
          .changed(message), in: message.room, except: heardBySelf ? nil : id, at: now, &entropy)
      case .relayed(let bytes, let room):
        announce(.bytes(bytes), in: room, except: id, at: now, &entropy)
      case .typing(let nick, let room):
        announce(.typing(room: room, nick: nick), in: room, except: id, at: now, &entropy)
      }
    }
  }

  mutating func beginClose(
    _ id: ConnectionID, _ reason: CloseReason, at now: Duration, _ entropy: inout Entropy
  ) {
    guard connections[id]?.isClosing == false else { return }
    connections[id]?.machine?.close(reason, entropy: &entropy)
    connections[id]?.isClosing = true
    connections[id]?.closeBy = now + Connection.closeTime
    leaveAll(id, at: now, &entropy)
    touch(id)
  }

  // MARK: Rooms

  mutating func announce(
    _ notice: RoomNotice, in room: String, except speaker: ConnectionID?, at now: Duration,
    _ entropy: inout Entropy
  ) {
    var responses = EventResponses()
    for listener in audience[room] ?? [] where listener != speaker {
      if let effects = connections[listener]?.dialect?.hear(notice, &responses) {
        apply(effects, of: listener, at: now, &entropy)
      }
    }
  }

  /// Leaves all rooms: the line is gone, or about to be.
  mutating func leaveAll(_ id: ConnectionID, at now: Duration, _ entropy: inout Entropy) {
    for room in connections[id]?.rooms ?? [] {
      leave(room, id, at: now, &entropy)
    }
  }

  private mutating func leave(
    _ room: String, _ id: ConnectionID, at now: Duration, _ entropy: inout Entropy
  ) {
    connections[id]?.rooms.removeAll { $0 == room }
    audience[room]?.removeAll { $0 == id }
    if audience[room]?.isEmpty ?? false { audience[room] = nil }
    announceMembers(of: room, because: id, at: now, &entropy)
  }

  /// Tells the roster to all where it is another one, and to the one who came in any case.
  private mutating func announceMembers(
    of room: String, because id: ConnectionID, isComing: Bool = false, at now: Duration,
    _ entropy: inout Entropy
  ) {
    let known = state.rosters[room]
    // Nameless connections that come and go make no roster.
    guard known != nil || connections[id]?.dialect?.nick != nil else { return }
    var names = state.residents[room] ?? []
    for listener in audience[room] ?? [] where names.count < Self.longestRoster {
      if let nick = connections[listener]?.dialect?.nick, !names.contains(nick) {
        names.append(nick)
      }
    }
    state.rosters[room] = names.isEmpty ? nil : names
    let notice = RoomNotice.members(room: room, names)
    if names != known ?? [] {
      announce(notice, in: room, except: nil, at: now, &entropy)
    } else if isComing, !names.isEmpty {
      var responses = EventResponses()
      let effects = connections[id]?.dialect?.hear(notice, &responses) ?? []
      apply(effects, of: id, at: now, &entropy)
    }
  }

  /// Names in a roster: it goes to everybody with every change, so its length counts squared.
  private static let longestRoster = 200
}
