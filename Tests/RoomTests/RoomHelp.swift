import Channel
import Room
import Text
import WebSocket

/// A room with a hand-advanced calendar and nonces "n1", "n2", …
struct Bench {
  var room: RoomModel
  var wall = Timestamp(milliseconds: 1_000_000)
  private var nonces = 0

  init(nick: String = "ada", bounds: Timeline.Bounds = .init()) {
    room = RoomModel(
      room: "lobby", nick: nick, server: "ws://chat.example/", bounds: bounds)
  }

  @discardableResult
  mutating func handle(_ event: RoomEvent) -> [RoomCommand] {
    var count = nonces
    defer { nonces = count }
    return room.handle(event, at: Instant(), wall: wall) {
      count += 1
      return "n\(count)"
    }
  }

  @discardableResult
  mutating func channel(_ event: ChannelEvent) -> [RoomCommand] {
    handle(.channel(event))
  }

  @discardableResult
  mutating func enter(_ text: String) -> [RoomCommand] {
    handle(.submitted(text))
  }

  /// The line comes up as a session reports it.
  @discardableResult
  mutating func goOnline(_ dialect: DialectName = .graphql) -> [RoomCommand] {
    channel(.connecting(attempt: 1))
    channel(
      .opened(subprotocol: nil, dialect: dialect, peer: "192.0.2.1:80", tls: nil))
    channel(
      .stateChanged(
        .online(
          SessionState.Online(
            since: Instant(), subprotocol: nil, dialect: dialect, peer: "192.0.2.1:80"))))
    return channel(.ready)
  }

  mutating func lose(_ failure: Failure = noPong, before: [ChannelEvent] = []) {
    for event in before { channel(event) }
    channel(.failed(failure))
    channel(
      .stateChanged(
        .connecting(
          SessionState.Connecting(
            attempt: 1, phase: .waiting(until: Instant(.seconds(9))), lastFailure: failure,
            lostAt: Instant()))))
  }

  /// What the timeline shows: messages as their text, notices in brackets, errors with "!".
  var shown: [String] {
    room.entries.map { entry in
      switch entry.kind {
      case .message(let message): message.text.raw
      case .notice(let text, let isError): isError ? "[! \(text.raw)]" : "[\(text.raw)]"
      }
    }
  }

  var messages: [String] { shown.filter { !$0.hasPrefix("[") } }
  var notices: [String] { shown.filter { $0.hasPrefix("[") } }
  var waiting: [String] {
    room.outbox.map { item in
      switch item.state {
      case .pending: "pending \(item.post.text)"
      case .sending: "sending \(item.post.text)"
      case .unsure: "unsure \(item.post.text)"
      case .failed(let reason): "failed \(item.post.text): \(reason.raw)"
      }
    }
  }
}

let noPong = Failure(kind: .timeout, message: "No pong came within 30 s.", short: "no pong 30 s")

func message(
  _ id: String, _ text: String, at seconds: Int64? = nil, by author: String = "mira",
  nonce: String? = nil, isMine: Bool = false
) -> ChatMessage {
  ChatMessage(
    id: id, author: UntrustedText(author), text: UntrustedText(text),
    time: seconds.map { Timestamp(milliseconds: $0 * 1000) }, nonce: nonce, isMine: isMine)
}

func post(_ nonce: String, _ text: String) -> RoomCommand {
  .post(Post(nonce: nonce, text: text))
}
