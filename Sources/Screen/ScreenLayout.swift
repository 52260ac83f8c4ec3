/// Which rows of the screen belong to what. Places that do not fit are empty or nil.
struct ScreenLayout: Equatable {
  enum Size: Equatable {
    /// Under 20×4: a few signs of the state, and the input.
    case stub
    /// Under 60 columns: nicks on rows of their own.
    case narrow
    case normal
  }

  /// The height from which there is room for a row of keys.
  static let leastWithHints = 16

  var size: Size
  var title: Int?
  var timeline: Range<Int>
  /// While scrolled up on a high screen: a rule, and under it the newest rows, live.
  var tailRule: Int?
  var tail: Range<Int>
  var status: Int?
  var input: Range<Int>
  var hints: Int?

  init(width: Int, height: Int, inputLines: Int, showsHints: Bool, isScrolled: Bool) {
    size = width < 20 || height < 4 ? .stub : width < 60 ? .narrow : .normal
    title = nil
    tailRule = nil
    hints = nil
    guard width > 0, height > 1 else {
      (status, timeline, tail) = (nil, 0..<0, 0..<0)
      input = width > 0 && height == 1 ? 0..<1 : 0..<0
      return
    }
    var top = 0
    var bottom = height
    if size != .stub, height >= Self.leastWithHints, showsHints {
      bottom -= 1
      hints = bottom
    }
    let inputRows = size == .stub ? 1 : min(inputLines, 5, max(1, height / 3))
    input = bottom - inputRows..<bottom
    bottom -= inputRows + 1
    status = bottom
    if size != .stub, height >= 6 {
      title = 0
      top = 1
    }
    tail = bottom..<bottom
    if isScrolled, height >= 16, bottom - top >= 9 {
      tail = bottom - 5..<bottom
      bottom -= 6
      tailRule = bottom
    }
    timeline = top..<bottom
  }
}

extension ScreenLayout {
  /// Above this row the candidates of a completion stand: over the status line only where nothing else is there.
  var listBottom: Int {
    let bottom = status ?? input.lowerBound
    return bottom > 0 ? bottom : input.lowerBound
  }

  init(width: Int, height: Int, view: ViewState, input: InputText? = nil, isScrolled: Bool? = nil) {
    self.init(
      width: width, height: height,
      inputLines: view.takesOneInputRow ? 1 : (input ?? view.shownInput).lines,
      showsHints: view.settings.showsHints, isScrolled: isScrolled ?? (view.anchor != nil))
  }
}

extension ViewState {
  /// What stands in the place of the input: the search, a file's name, an emoji, nothing while a message is chosen.
  package var shownInput: InputText {
    if let search { return InputText(search.editor) }
    if let selection { return selection.entered.map { InputText($0) } ?? InputText("", caret: 0) }
    return InputText(editor)
  }

  /// The rows of a page that lies over the room, its head among them.
  package func pageHeight(width: Int, height: Int) -> Int {
    ScreenLayout(width: width, height: height, view: self).status ?? max(0, height)
  }
}

/// What is typed, and the caret as a number of characters from the start.
package struct InputText: Equatable {
  var text: String
  var caret: Int

  init(_ text: String, caret: Int) {
    self.text = text
    self.caret = caret
  }

  init(_ editor: LineEditor) {
    self.init(editor.text, caret: editor.caret)
  }

  var lines: Int {
    text.utf8.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
  }
}

extension ViewState {
  /// A question or a search stands in the place of the input.
  var takesOneInputRow: Bool { pasteQuestion != nil || historySearch != nil }
}
