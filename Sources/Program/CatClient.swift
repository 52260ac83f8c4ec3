package import Channel
import Text
package import WebSocket

package enum CatEffect: Equatable, Sendable {
  case openLink(LinkID, Endpoint)
  case write(LinkID, [UInt8])
  case finishLink(LinkID)
  case dropLink(LinkID)
  /// For the log, where one is kept.
  case log(ChannelEvent)
  /// Whole lines with their ends.
  case standardOutput([UInt8])
  /// A sentence as one line with its end, made safe.
  case standardError(String)
  /// The last effect of all.
  case exit(Int32)
}

extension CatEffect {
  /// What carries an action of the session out; an event is for the log.
  init(_ action: SessionAction) {
    switch action {
    case .openLink(let link, let endpoint): self = .openLink(link, endpoint)
    case .write(let link, let bytes): self = .write(link, bytes)
    case .finishLink(let link): self = .finishLink(link)
    case .dropLink(let link): self = .dropLink(link)
    case .event(let event): self = .log(event)
    }
  }
}

package enum CatClientInput: Equatable, Sendable {
  /// The first input of all: connect.
  case start
  /// Bytes of standard input, cut anywhere; only while `wantsInput`.
  case standardInput([UInt8])
  case standardInputEnded
  /// The person pressed Ctrl-C.
  case interrupted
  /// From the links, and `timeReached`.
  case session(SessionInput)
  /// What a link is at, before the session hears of it.
  case link(LinkNews)
}

/// A step of a link on its way to the server.
package enum LinkNews: Equatable, Sendable {
  /// The name is being looked up. Not said for an address in digits.
  case lookingUp
  case connecting([String])
  case tunnelling(peer: String)
  case securing(peer: String)
  case opened(peer: String, tls: String?)
}

/// A client without a screen, whole but for its machine.
package protocol HeadlessClient {
  /// Whether standard input is to be read now.
  var wantsInput: Bool { get }
  /// A fresh token is to be handed in; see `Session.wantsToken`.
  var wantsToken: Bool { get }
  /// When `.session(.timeReached)` is to be handed in.
  var deadline: Instant? { get }
  /// How many of the bytes that were received last are to be received again; see `Session.untaken`.
  var untaken: Int { get }

  mutating func handle(
    _ input: CatClientInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect]
  mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect]
}

extension HeadlessClient {
  package var wantsInput: Bool { false }
}

/// `parlour cat` whole: `CatProgram` with its session, and no machine.
package struct CatClient: HeadlessClient {
  private var session: Session
  private var cat: CatProgram
  private let isLogged: Bool

  /// Options that the session decides are taken from its configuration: URL, attempts, largest message.
  package init(_ configuration: SessionConfiguration, _ options: CatOptions) {
    var options = options
    options.url = configuration.endpoint.shown
    options.attemptLimit = configuration.reconnects ? configuration.maxAttempts : 1
    options.maxMessage = configuration.maxMessage
    options.looksUpPosts = configuration.context.profile.looksUpPosts
    isLogged = configuration.isLogged
    session = Session(configuration)
    cat = CatProgram(options)
  }

  package var wantsInput: Bool { cat.wantsInput }
  package var wantsToken: Bool { session.wantsToken }
  package var untaken: Int { session.untaken }

  package var deadline: Instant? {
    guard let due = session.deadline else { return cat.deadline }
    return min(due, cat.deadline ?? due)
  }

  package mutating func handle(
    _ input: CatClientInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    session.note(calendar: wall, at: now)
    var turn = CatTurn(now: now, wall: wall)
    switch input {
    case .start: tell(.start, &turn, &entropy)
    case .standardInput(let bytes): tell(.standardInput(bytes), &turn, &entropy)
    case .standardInputEnded: tell(.standardInputEnded, &turn, &entropy)
    case .interrupted:
      tell(.interrupted, &turn, &entropy)
      perform(&turn, &entropy)
      if case .offline = session.state { turn.effects.append(.exit(ExitStatus.interrupted)) }
    case .link: break
    case .session(let input):
      turn.actions = session.handle(input, at: now, entropy: &entropy)
      if input == .timeReached { tell(.timeReached, &turn, &entropy) }
    }
    return finish(&turn, &entropy)
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    session.note(calendar: wall, at: now)
    var turn = CatTurn(now: now, wall: wall)
    turn.actions = session.receive(bytes, from: link, at: now, entropy: &entropy)
    return finish(&turn, &entropy)
  }

  private mutating func finish(_ turn: inout CatTurn, _ entropy: inout Entropy) -> [CatEffect] {
    perform(&turn, &entropy)
    if cat.isHeld, case .online = session.state {
      tell(.lineHolds, &turn, &entropy)
      perform(&turn, &entropy)
    }
    return turn.effects
  }

  /// Works off the session's actions in their order; new ones come behind those that are there, so that
  /// nothing is posted on a line whose end has been reported already.
  private mutating func perform(_ turn: inout CatTurn, _ entropy: inout Entropy) {
    var index = 0
    while index < turn.actions.count {
      let action = turn.actions[index]
      index += 1
      guard case .event(let event) = action else {
        turn.effects.append(CatEffect(action))
        continue
      }
      if isLogged { turn.effects.append(CatEffect(action)) }
      tell(.channel(event), &turn, &entropy)
    }
    turn.actions = []
  }

  private mutating func tell(
    _ input: CatInput, _ turn: inout CatTurn, _ entropy: inout Entropy
  ) {
    let outputs = cat.handle(input, at: turn.now, wall: turn.wall) { makeNonce(&entropy) }
    for output in outputs {
      switch output {
      case .standardOutput(let bytes): turn.effects.append(.standardOutput(bytes))
      case .standardError(let sentence): turn.effects.append(.standardError(sentence))
      case .exit(let code): turn.effects.append(.exit(code))
      case .session(let input):
        turn.actions += session.handle(input, at: turn.now, entropy: &entropy)
      }
    }
  }
}

private struct CatTurn {
  let now: Instant
  let wall: Timestamp
  var actions: [SessionAction] = []
  var effects: [CatEffect] = []

  init(now: Instant, wall: Timestamp) {
    self.now = now
    self.wall = wall
  }
}
