import Channel
import WebSocket

/// The subscription of `parlour bench gql`: the dialect of `parlour subscribe`, with its results counted in the
/// place of printing them.
struct BenchSubscription {
  private var dialect: any Dialect
  private(set) var results = 0
  private(set) var bytes = 0
  /// What is to be sent.
  private(set) var outgoing: [String] = []
  /// The subscription was asked for with the last message.
  private(set) var hasBegun = false
  private(set) var failure: String?

  init(_ task: GraphQLTask) {
    var context = DialectContext(room: "bench", nick: "bench")
    context.operation = task
    dialect = makeDialect(.graphql, context)
  }

  mutating func open() {
    note(dialect.opened(at: Machine.now()))
  }

  /// The instant is of no account behind the introduction: nothing waits there.
  mutating func receive(_ text: RawSpan, at now: Instant = Instant()) {
    note(dialect.receive(.text, text, at: now))
  }

  private mutating func note(_ outputs: [DialectOutput]) {
    outgoing = []
    hasBegun = false
    for output in outputs {
      switch output {
      case .send(let text): outgoing.append(text)
      case .operation(.started): hasBegun = true
      case .operation(.result(let result)):
        results += 1
        bytes += result.text.count
      case .operation(.failed): failure = "the subscription was refused"
      case .operation(.completed): failure = "the subscription ended"
      case .operation(.broken), .fail: failure = "it broke the protocol"
      default: break
      }
    }
  }
}
