import Channel
import Glibc
import Room
import Store
import Text

/// `parlour history`: what the chat has kept, without a chat.
struct HistoryCommand {
  /// The verbs and what each takes.
  private static let verbs: [(name: String, operand: String?, options: Set<String>)] = [
    ("search", "TEXT", ["room", "from", "since", "until", "limit", "json"]),
    ("export", nil, ["room", "format"]),
    ("import", "FILE", []),
    ("prune", nil, ["older-than"]),
    ("forget", nil, ["server", "room", "all"]),
    ("stats", nil, ["json"]),
  ]

  let arguments: Arguments
  private let verb: String

  init(_ arguments: Arguments) throws(CommandFailure) {
    self.arguments = arguments
    verb = arguments.operands.first ?? ""
    guard let known = Self.verbs.first(where: { $0.name == verb }) else {
      throw .usage(
        "parlour history \(shown(verb)) is none of \(Self.verbs.map(\.name).joined(separator: ", "))."
      )
    }
    let count = arguments.operands.count - 1
    if let operand = known.operand, count == 0 {
      throw .usage("\(operand) is missing: parlour history \(verb) \(operand)")
    }
    // The words of a search need no quotes.
    if verb != "search", count > (known.operand == nil ? 0 : 1) {
      throw .usage("\(shown(arguments.operands.last ?? "")) is one word too many.")
    }
    let wrong = arguments.options.keys.sorted().first { !known.options.contains($0) }
    if let wrong { throw .usage("parlour history \(verb) takes no --\(wrong).") }
  }

  func run() throws(CommandFailure) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // What is wrong with the options is said before the store is opened.
    let output = HistoryOutput(isTerminal: isatty(STDOUT_FILENO) == 1)
    switch verb {
    case "search":
      let query = try query()
      return try search(query, output)
    case "export":
      let format = try format()
      return try export(format, output)
    case "import": return try importFile(arguments.operands[1])
    case "prune":
      let age = try age()
      return try prune(age)
    case "forget": return try forget()
    default: return try stats()
    }
  }

  private var onlyReads: Bool { ["search", "export", "stats"].contains(verb) }

  func store() throws(CommandFailure) -> Store {
    let folder = try stateFolder()
    let store =
      onlyReads ? try openStoreForReading(folder) : try openStore(folder, patience: 10_000)
    for warning in store.warnings { write("parlour: \(warning)\n", to: STDERR_FILENO) }
    return store
  }

  /// Does something with the store; its errors become sentences with an exit code.
  func with<Value>(
    _ store: Store, _ body: (Store) throws(StoreError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(StoreError) {
      return try body(store)
    } catch {
      guard error.kind == .damaged else {
        throw CommandFailure(error.message, exitCode: exitCode(of: error))
      }
      let sentence =
        onlyReads
        ? "\(error.message) sqlite3 \(whole(store.path)) .recover may bring back what it holds; a chat that meets the damage sets"
          + " it aside and begins a new one, and parlour history forget --all deletes it."
        : "\(store.setAside(at: Machine.wall())) Give the command again: it begins a new one."
      throw CommandFailure(sentence, exitCode: exitCode(of: error))
    }
  }

  // MARK: search

  private func query() throws(CommandFailure) -> HistoryQuery {
    var query = HistoryQuery(text: arguments.operands.dropFirst().joined(separator: " "))
    guard query.text.contains(where: { !$0.isWhitespace }) else {
      throw .usage("The text to search for is empty: parlour history search TEXT")
    }
    query.room = arguments.value("room")
    query.author = arguments.value("from")
    query.since = try moment("since")
    query.until = try moment("until")
    query.limit = try ConnectOptions.number("limit", of: arguments, in: 1...100_000) ?? query.limit
    return query
  }

  private func moment(_ option: String) throws(CommandFailure) -> Timestamp? {
    guard let text = arguments.value(option) else { return nil }
    let wall = Machine.wall()
    guard let moment = Room.moment(of: text, now: wall, offset: Machine.zoneOffset) else {
      throw .usage(
        "--\(option) \(shown(text)) is no time: write 2026-11-30, 2026-11-30T08:00:00Z or an age such as 7d."
      )
    }
    return moment
  }

  private func search(_ query: HistoryQuery, _ output: HistoryOutput) throws(CommandFailure)
    -> Int32
  {
    let isJSON = arguments.has("json")
    var failure: Int32?
    try with(try store()) { store throws(StoreError) in
      try store.search(query) { message in
        let line =
          isJSON ? HistoryLine.json(message) : output.line(message, offset: Machine.zoneOffset)
        if !write(line + "\n", to: STDOUT_FILENO) { failure = errno }
        return failure == nil
      }
    }
    return try failure.map(Self.unwritten) ?? ExitCode.done
  }

  // MARK: export and import

  private enum Format: String {
    case text, json, html
  }

  private func format() throws(CommandFailure) -> Format {
    guard let text = arguments.value("format") else { return .json }
    guard let format = Format(rawValue: text) else {
      throw .usage("--format \(shown(text)) is none of text, json and html.")
    }
    return format
  }

  private func export(_ format: Format, _ output: HistoryOutput) throws(CommandFailure) -> Int32 {
    let store = try store()
    var writer = ExportWriter()
    if format == .html { writer.append(HistoryLine.htmlHead) }
    var place: HistoryLine.Place?
    try with(store) { store throws(StoreError) in
      try store.forEachMessage(in: arguments.value("room")) { message in
        let here = HistoryLine.Place(message)
        switch format {
        case .json: writer.append(HistoryLine.json(message) + "\n")
        case .text:
          if here != place {
            writer.append((place == nil ? "" : "\n") + output.heading(here) + "\n")
          }
          writer.append(output.block(message, offset: Machine.zoneOffset) + "\n")
        case .html:
          if here != place { writer.append(HistoryLine.htmlHeading(here, isFirst: place == nil)) }
          writer.append(HistoryLine.html(message))
        }
        place = here
        return writer.failure == nil
      }
    }
    if format == .html { writer.append(HistoryLine.htmlTail(isEmpty: place == nil)) }
    writer.flush()
    return try writer.failure.map(Self.unwritten) ?? ExitCode.done
  }

  /// A reader that is gone, as behind `head`, has what it wanted.
  private static func unwritten(_ failure: Int32) throws(CommandFailure) -> Int32 {
    if failure == EPIPE { return ExitCode.done }
    throw CommandFailure(
      "Standard output cannot be written: \(systemErrorWords(failure)).",
      exitCode: ExitCode.inputOutput)
  }

  static func say(_ text: String) throws(CommandFailure) -> Int32 {
    write(text + "\n", to: STDOUT_FILENO) ? ExitCode.done : try unwritten(errno)
  }

  private func importFile(_ path: String) throws(CommandFailure) -> Int32 {
    let lines = try LineFile(path)
    let store = try store()
    let intake = try with(store) { store throws(StoreError) in try HistoryImport(store) }
    // As the chat calls a server, without a password or a token; asked once for each, since there are few.
    var identities: [String: String] = [:]
    func identity(of server: String) -> String? {
      if let known = identities[server] { return known }
      guard let endpoint = try? Endpoint(parsing: server) else { return nil }
      if identities.count >= 1_000 { identities = [:] }
      identities[server] = endpoint.identity
      return endpoint.identity
    }
    func nextLine() throws(CommandFailure) -> ArraySlice<UInt8>? {
      do throws(CommandFailure) {
        return try lines.next()
      } catch {
        try with(store) { _ throws(StoreError) in try intake.flush() }
        throw error
      }
    }
    while let line = try nextLine() {
      if line.isEmpty { continue }
      guard var message = HistoryLine.read(line), let server = identity(of: message.server) else {
        try with(store) { _ throws(StoreError) in try intake.flush() }
        throw .configuration(
          "\(shown(path)):\(lines.number) is no message of an export: \(counted(intake.added, "message")) before it"
            + " \(intake.added == 1 ? "was" : "were") imported.")
      }
      message.server = server
      try with(store) { _ throws(StoreError) in try intake.add(message) }
    }
    try with(store) { store throws(StoreError) in
      try intake.flush()
      while try store.index(atMost: HistoryImport.indexed) {}
    }
    return try Self.say(
      "\(counted(intake.added, "message")) imported, \(intake.known) \(intake.known == 1 ? "was" : "were") there"
        + " already.")
  }

  // MARK: prune and stats

  private func age() throws(CommandFailure) -> Int64 {
    guard let text = arguments.value("older-than") else {
      throw .usage("Say how old: parlour history prune --older-than 365d")
    }
    guard let age = Retention.milliseconds(ofAge: text) else {
      throw .usage("--older-than \(shown(text)) is no age: write 12h, 30d, 8w or 2y.")
    }
    return age
  }

  private func prune(_ age: Int64) throws(CommandFailure) -> Int32 {
    let moment = Timestamp(milliseconds: Machine.wall().milliseconds - age)
    let store = try store()
    let count = try with(store) { store throws(StoreError) in try store.prune(before: moment) }
    _ = try Self.say("\(counted(count, "message")) deleted.")
    return try checked(store)
  }

  private func stats() throws(CommandFailure) -> Int32 {
    let store = try store()
    let figures = try with(store) { store throws(StoreError) in try store.figures() }
    let text =
      arguments.has("json")
      ? HistoryLine.json(figures, path: store.path)
      : HistoryLine.text(figures, path: store.path, offset: Machine.zoneOffset)
    return try Self.say(text)
  }
}
