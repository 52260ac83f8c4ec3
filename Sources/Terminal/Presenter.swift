import CNcurses
import Glibc
package import Screen

/// Shows grids by ncurses. Output only: the bytes of the input descriptor are the caller's, for `KeyDecoder`.
/// There is one presenter in a process at a time. Neither descriptor may be non-blocking, since ncurses loses
/// what it cannot write at once.
///
/// No signal is taken: SIGWINCH, SIGTSTP, SIGINT and SIGTERM stay as the caller set them, Ctrl-C and Ctrl-Z come
/// as bytes.
package final class Presenter {
  private enum State {
    case shown, suspended, left
  }

  package let kind: TerminalKind
  package let encoding: TextEncoding
  /// The size of the screen in cells, as `resize` set it last.
  package private(set) var width = 0
  package private(set) var height = 0
  /// How many cells were handed to ncurses so far: what a test of economy counts.
  package internal(set) var cellsWritten = 0

  let output: Int32
  var pairs: ColorPairs
  /// What is on the screen, row by row; nil after anything that may have disturbed it.
  var shownCells: [Cell]?
  /// Links are told to the terminal, where it may know what to do with them.
  package var tellsLinks = false
  /// Marks keep text that is written from right to left apart, where the terminal takes no offence at them.
  package var isolatesText = false
  /// What `overwriting` has on the screen, and the bytes of renditions that it made.
  var shownLinks: [GridLink] = []
  /// The marks in the cells on the screen.
  var shownMarks = DirectionMarks()
  var rowsWithPictures: Set<Int> = []
  var renditions: [Style: [UInt8]] = [:]
  private var mouseIsOn = false
  private var terminal: pc_terminal
  private var state = State.shown
  private var title: String?
  /// The title could not be written when it was set.
  private var titleIsDue = false
  /// The terminal shows an update as a whole where it is told to.
  package private(set) var isSynchronized: Bool

  /// Takes the terminal over: raw input, alternate screen, bracketed paste, focus reports. `TerminalGuard` is
  /// armed first, so that it is given back whatever happens. The locale must have been adopted before.
  package init(
    kind: TerminalKind, encoding: TextEncoding, depth: Theme.Depth, input: Int32 = 0,
    output: Int32 = 1
  ) throws(TerminalError) {
    self.kind = kind
    self.encoding = encoding
    self.output = output
    isSynchronized = kind.isSynchronized
    TerminalGuard.arm(input: input, output: output, rescue: TerminalModes.rescue(kind))
    var terminal = pc_terminal()
    let direct = depth == .full && kind.colors >= 8 ? DirectColor.entry(of: kind) : nil
    let opened = keepingSignals {
      DirectColor.offering(direct) { pc_open(&terminal, kind.type, output, input) }
    }
    guard opened == OK else {
      TerminalGuard.disarm()
      throw TerminalError(
        message:
          "The screen could not be opened on the terminal \"\(kind.type)\"; use `parlour cat`.")
    }
    self.terminal = terminal
    raw()
    noecho()
    nonl()
    takeOutputAsItIs(of: input)
    // Or ncurses would look at the input and put off drawing while keys wait there.
    typeahead(-1)
    leaveok(pc_window(), false)
    scrollok(pc_window(), false)
    if kind.colors >= 8 {
      start_color()
      use_default_colors()
    }
    pairs = ColorPairs(
      depth: depth, colors: kind.colors >= 8 ? Int(pc_colors()) : 0, pairs: Int(pc_color_pairs()))
    let size = self.size()
    resize(width: size.width, height: size.height)
    enter(keepingTitle: true)
    if kind.takesQueries, !isSynchronized {
      writeAll(TerminalModes.synchronizationQuery, to: output)
    }
  }

  /// What the terminal answered, whenever it does.
  package func take(_ report: ModeReport) {
    if report.mode == TerminalModes.synchronizationMode, report.isKnown { isSynchronized = true }
  }

  /// Whether both ends are a terminal at all; if not, the sentence to say.
  package static func requireTerminal(input: Int32, output: Int32) throws(TerminalError) {
    guard isatty(input) == 1, isatty(output) == 1 else {
      throw TerminalError(
        message: "Standard \(isatty(input) == 1 ? "output" : "input") is not a terminal, "
          + "so there is no screen to chat on; use --plain, or `parlour cat` in scripts.")
    }
  }

  /// The size as the terminal says, 1…1000 in both directions; 80×24 where it does not know.
  package func size() -> (width: Int, height: Int) {
    var size = winsize()
    let known = ioctl(output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    let (width, height) = known ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    return (min(width, 1_000), min(height, 1_000))
  }

  /// Makes the screen of ncurses that large; the next `present` draws all of it.
  package func resize(width: Int, height: Int) {
    guard state != .left else { return }
    self.width = min(max(1, width), 1_000)
    self.height = min(max(1, height), 1_000)
    resizeterm(Int32(self.height), Int32(self.width))
    werase(pc_window())
    forgetShown()
  }

  /// What is on the screen is not known any more, or will be erased.
  private func forgetShown() {
    shownCells = nil
    shownLinks = []
    shownMarks = DirectionMarks()
    rowsWithPictures = []
  }

  /// The next `present` sends everything anew (Ctrl-L).
  package func repaint() {
    guard state == .shown else { return }
    pc_clear_next()
    werase(pc_window())
    forgetShown()
  }

  /// Shows the grid: only cells that differ from the grid before are handed to ncurses. Does nothing while
  /// suspended. A grid of another size than the screen is cut or filled up with blanks.
  package func present(_ grid: Grid) {
    guard state == .shown else { return }
    if titleIsDue { writeTitle() }
    let before = cellsWritten
    let changed = write(grid)
    // A typed letter needs no brackets around it.
    let isWhole = isSynchronized && cellsWritten - before > 2 * width
    var bytes = isWhole ? TerminalModes.beginUpdate : []
    gatherUpdate(into: &bytes, cursor: grid.cursor)
    bytes += overwriting(grid, changed: changed)
    if isWhole { bytes += TerminalModes.endUpdate }
    if !bytes.isEmpty { writeAll(bytes, to: output) }
  }

  /// Shows a part of the screen, the rest of which stays as it is. False where that cannot be done by itself: all is to be
  /// presented then.
  package func present(_ piece: GridPiece) -> Bool {
    guard state == .shown, write(piece) else { return false }
    if titleIsDue { writeTitle() }
    var bytes: [UInt8] = []
    gatherUpdate(into: &bytes, cursor: piece.cursor)
    if !bytes.isEmpty { writeAll(bytes, to: output) }
    return true
  }

  /// Appends what ncurses sends for the update, so that the terminal gets all of a frame in one write.
  private func gatherUpdate(into bytes: inout [UInt8], cursor: Grid.Position?) {
    pc_begin_gathering(&terminal)
    park(cursor)
    wnoutrefresh(pc_window())
    doupdate()
    let count = pc_end_gathering(&terminal)
    guard count > 0 else {
      // ncurses wrote by itself, and what was to come before that comes too late.
      if count < 0 { bytes = [] }
      return
    }
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count))
    let taken = bytes.withUnsafeMutableBytes { buffer in
      pc_take_gathered(&terminal, buffer.baseAddress.map { $0 + start }, count)
    }
    bytes.removeLast(count - max(0, min(count, taken)))
  }

  /// Reports of the mouse's buttons and its wheel; without them the terminal selects text with it.
  package func takeMouse(_ isWanted: Bool) {
    guard state == .shown, isWanted != mouseIsOn, kind.isLikeXterm, isWritable else { return }
    mouseIsOn = isWanted
    writeAll(TerminalModes.mouse(isWanted), to: output)
  }

  /// Sets the terminal's title, where it has one. The text is made safe once more.
  package func setTitle(_ newTitle: String) {
    guard state == .shown, newTitle != title else { return }
    title = newTitle
    if isWritable { writeTitle() } else { titleIsDue = true }
  }

  private func writeTitle() {
    titleIsDue = false
    if let title { writeAll(TerminalModes.title(title, kind), to: output) }
  }

  /// Whether the terminal takes output now. One that nobody reads (a stalled ssh, a stopped multiplexer) would
  /// hold up the thread in its next write, and with it the answers that keep the line.
  package var isWritable: Bool {
    var entry = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    // An end that hung up is no reason to wait: writing to it fails at once.
    return poll(&entry, 1, 0) != 0
  }

  /// Puts text into the terminal's clipboard (OSC 52), where it takes that: nobody answers whether it did. Longer
  /// texts are cut, as terminals drop sequences without end.
  package func copy(_ text: String) {
    guard state == .shown, isWritable else { return }
    writeAll(TerminalModes.clipboard(text, kind), to: output)
  }

  /// Writes a sequence that shows nothing on the screen itself.
  package func tell(_ sequence: [UInt8]) {
    guard state == .shown, kind.isLikeXterm, !sequence.isEmpty, isWritable else { return }
    writeAll(sequence, to: output)
  }

  package func ring() {
    guard state == .shown, isWritable else { return }
    writeAll([0x07], to: output)
  }

  /// Gives the terminal back for as long as the process is stopped; nothing is written until `resume`.
  package func suspend() {
    guard state == .shown else { return }
    giveBack()
    state = .suspended
  }

  /// Takes the terminal again and reads its size, which may have changed meanwhile: `width` and `height` are
  /// right afterwards, and the next `present` draws everything. Right after a SIGCONT without `suspend` too.
  package func resume() {
    guard state != .left else { return }
    let wasSuspended = state == .suspended
    if wasSuspended {
      TerminalGuard.rearm()
      state = .shown
    }
    let size = self.size()
    resize(width: size.width, height: size.height)
    enter(keepingTitle: wasSuspended)
  }

  /// Gives the terminal back for good. May be called again.
  package func leave() {
    if state == .shown { giveBack() }
    if state != .left { pc_close(&terminal) }
    state = .left
  }

  /// The title is kept only where it is somebody else's: the signal that follows a `resume` comes here again.
  private func enter(keepingTitle: Bool) {
    keepingSignals {
      reset_prog_mode()
      pc_clear_next()
      wnoutrefresh(pc_window())
      doupdate()
    }
    writeAll(TerminalModes.opening(kind), to: output)
    if mouseIsOn { writeAll(TerminalModes.mouse(true), to: output) }
    if keepingTitle { writeAll(TerminalModes.keepingTitle(kind), to: output) }
    writeTitle()
  }

  private func giveBack() {
    if mouseIsOn { writeAll(TerminalModes.mouse(false), to: output) }
    writeAll(TerminalModes.closing(kind), to: output)
    keepingSignals { _ = endwin() }
    TerminalGuard.disarm()
  }
}
