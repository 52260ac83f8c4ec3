import WebSocket

/// One connection, from the first byte of its request to its end.
struct Connection {
  /// Until the request is read.
  var handshake: ServerHandshake? = ServerHandshake()
  /// After the upgrade.
  var machine: WebSocketMachine?
  var dialect: (any ServerDialect)?
  /// Came when the server was full: its request is answered with a refusal.
  var isSurplus: Bool
  /// The answer to the request, to be written before all frames.
  var answer: [UInt8] = []
  /// The socket is to be closed once everything was written.
  var isFinished = false
  /// We sent Close: nothing the client says counts any more.
  var isClosing = false
  var rooms: [String] = []

  private var handshakeBy: Duration?
  var dropAt: Duration?
  var closeBy: Duration?

  /// How long the request may take to arrive, and the answer to our Close.
  private static let handshakeTime = Duration.seconds(10)
  static let closeTime = Duration.seconds(5)

  init(isSurplus: Bool, at now: Duration) {
    self.isSurplus = isSurplus
    handshakeBy = now + Self.handshakeTime
  }

  /// When the connection is to be cut.
  var cutAt: Duration? {
    [handshake == nil ? nil : handshakeBy, dropAt, closeBy].compactMap { $0 }.min()
  }

  var deadline: Duration? {
    [cutAt, isClosing ? nil : dialect?.deadline].compactMap { $0 }.min()
  }
}
