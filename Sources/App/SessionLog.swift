import Channel
import Glibc
import Net

/// What `--log` and `--log-level` ask for.
struct LogOptions {
  let path: String
  let level: LogLevel

  /// Nil where no log is wanted.
  init?(_ arguments: Arguments) throws(CommandFailure) {
    let level = try ConnectOptions.choice("log-level", of: arguments, LogLevel.self)
    guard let path = arguments.value("log") else {
      guard level == nil else { throw .usage("--log-level needs a log to be for: --log FILE.") }
      return nil
    }
    guard !path.isEmpty else { throw .usage("--log needs the name of a file.") }
    if path == "-", arguments.command == "chat" {
      throw .usage("--log - would write over the chat, which has the terminal: name a file.")
    }
    self.path = path
    self.level = level ?? .notice
  }
}

/// The log of one session: takes what happened, hides what is secret, and writes it with the time.
final class SessionLog {
  private let level: LogLevel
  private let file: LogFile
  private let url: String
  private let dialect: DialectName
  private var secrets: LogSecrets
  private var wires: [LinkID: WireLog] = [:]
  private var keyFile: LogFile?

  init(_ options: LogOptions, _ session: SessionConfiguration) throws(CommandFailure) {
    level = options.level
    file = try LogFile(options.path)
    url = session.endpoint.shown
    dialect = session.dialect
    secrets = LogSecrets(session)
  }

  /// Gets the sentence about the first line that could not be written.
  var complain: (String) -> Void {
    get { file.complain }
    set { file.complain = newValue }
  }

  /// From now on this token is hidden too.
  func hide(_ token: Bearer) {
    secrets.add(token)
  }

  func note(_ level: LogLevel, _ words: @autoclosure () -> String) {
    guard level <= self.level else { return }
    write([LogLine(level, words())])
  }

  func heard(_ event: ChannelEvent) {
    if let line = event.logLine(to: url) { write([line]) }
  }

  func sent(_ bytes: [UInt8], to link: LinkID) {
    guard level >= .debug else { return }
    write(wires[link, default: newWire()].sent(bytes, at: Machine.now()))
  }

  func received(_ bytes: RawSpan, from link: LinkID) {
    guard level >= .debug else { return }
    write(wires[link, default: newWire()].received(bytes, at: Machine.now()))
  }

  func happened(_ event: LinkEvent, on link: Link, _ id: LinkID) {
    guard level >= .debug else { return }
    switch event {
    case .lookingUp: note(.debug, "looking up the name")
    case .connecting(let addresses): note(.debug, "trying \(addresses.joined(separator: ", "))")
    case .tunnelling(let peer):
      note(.debug, "TCP to the proxy \(peer) stands, asking it for the server")
    case .securing(let peer): note(.debug, "TCP to \(peer) stands, agreeing on TLS")
    case .opened(let peer, nil): note(.debug, "TCP to \(peer) stands")
    case .opened(let peer, .some):
      guard let details = link.tlsDetails else { return }
      note(
        .debug,
        "\(details.version) with \(peer), \(details.cipher), "
          + (details.isResumed ? "the session of before was resumed" : "a full handshake"))
    case .readable, .drained: break
    case .ended(let end): ended(end, id)
    }
  }

  func ended(_ end: LinkEnd, _ id: LinkID) {
    forget(id)
    switch end {
    case .closed: note(.debug, "the connection ended in order")
    case .truncated: note(.debug, "the connection was cut without close_notify")
    case .failed(let failure): note(.debug, "the connection failed: \(failure.message)")
    case .tunnelFailed: note(.debug, "the proxy opened no way to the server")
    }
  }

  func forget(_ id: LinkID) {
    wires[id] = nil
  }

  /// Where a log of all frames is wanted, the secrets of TLS may go where SSLKEYLOGFILE says: without them what
  /// other programs recorded of the line cannot be read.
  func logKeys(of context: TLSContext) {
    guard let path = environment("SSLKEYLOGFILE"), level >= .frames else { return }
    do {
      let file = try LogFile(path)
      file.complain = { [weak self] sentence in self?.note(.error, sentence) }
      keyFile = file
      context.keyLog = { line in file.append(line + "\n") }
      note(
        .notice,
        "the keys of TLS are written to \(path): whoever has them can read what is recorded of the line"
      )
    } catch {
      note(.error, "SSLKEYLOGFILE: \(error.message)")
    }
  }

  private func newWire() -> WireLog {
    WireLog(level, dialect: dialect, hiding: secrets)
  }

  private func write(_ lines: [LogLine]) {
    let time = Machine.wall()
    var text = ""
    for line in lines where line.level <= level {
      text += LogLine(line.level, secrets.hiding(line.words)).text(at: time)
    }
    if !text.isEmpty { file.append(text) }
  }
}
