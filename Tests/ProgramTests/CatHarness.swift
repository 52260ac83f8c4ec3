import Channel
import Program
import Text
import WebSocket

/// `parlour cat` with its session played by hand.
struct CatBench {
  var cat: CatProgram
  var now = Instant()
  var output = ""
  var errors = ""
  var inputs: [SessionInput] = []
  var exit: Int32?
  private var nonces = 0

  init(_ change: (inout CatOptions) -> Void = { _ in }) {
    var options = CatOptions(url: "ws://127.0.0.1:9000/")
    options.wait = .zero
    change(&options)
    cat = CatProgram(options)
    handle(.start)
  }

  mutating func handle(_ input: CatInput) {
    var count = nonces
    let outputs = cat.handle(input, at: now, wall: Timestamp(milliseconds: 0)) {
      count += 1
      return "n\(count)"
    }
    nonces = count
    for output in outputs {
      switch output {
      case .standardOutput(let bytes): self.output += String(decoding: bytes, as: UTF8.self)
      case .standardError(let sentence): errors += sentence
      case .session(let input): inputs.append(input)
      case .exit(let code): exit = code
      }
    }
  }

  mutating func enter(_ text: String) { handle(.standardInput(Array(text.utf8))) }
  mutating func endInput() { handle(.standardInputEnded) }
  mutating func channel(_ events: ChannelEvent...) {
    for event in events { handle(.channel(event)) }
  }

  mutating func goOnline(_ dialect: DialectName = .plain, attempt: Int = 1) {
    channel(
      .connecting(attempt: attempt),
      .opened(subprotocol: nil, dialect: dialect, peer: "127.0.0.1:9000", tls: nil), .ready)
  }

  mutating func stop() {
    channel(.closed(CloseReason(.normal), clean: true), .stateChanged(.offline(.stopped)))
  }

  /// The texts of the posts that were handed to the session, in order.
  var posted: [String] {
    inputs.compactMap { if case .post(let post) = $0 { post.text } else { nil } }
  }

  var isLeaving: Bool { inputs.contains(.disconnect) }
}

func chatMessage(
  _ id: String, _ text: String, by author: String? = "ada", nonce: String? = nil,
  isMine: Bool = false
) -> ChatMessage {
  ChatMessage(
    id: id, author: author.map { UntrustedText($0) }, text: UntrustedText(text), nonce: nonce,
    isMine: isMine)
}
