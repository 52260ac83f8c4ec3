import Room
import Screen

/// Completion of paths where one is asked for: the name of a file that a message or what `/frames` shows is saved in.
extension Program {
  /// The path that is being typed, and the candidates for it; nil where none is asked for.
  var filePrompt: (editor: LineEditor, completion: Screen.Completion?)? {
    get {
      if case .frames(let frames) = view.overlay {
        return frames.prompt == .save ? (frames.editor, frames.completion) : nil
      }
      return view.selection.flatMap { selection in
        selection.fileName.map { ($0, selection.completion) }
      }
    }
    set {
      guard let newValue else { return }
      if case .frames(var frames) = view.overlay {
        (frames.editor, frames.completion) = newValue
        view.overlay = .frames(frames)
      } else if view.selection?.fileName != nil {
        view.selection?.fileName = newValue.editor
        view.selection?.completion = newValue.completion
      }
    }
  }

  /// False where the key is to do what it does in the prompt. The keys are those of completion in the input.
  mutating func pressInFilePrompt(_ key: Key, _ turn: inout Turn) -> Bool {
    guard let prompt = filePrompt else { return false }
    let isForward = view.keys.binds(key, to: .complete) || key == .tab
    let isBackward = view.keys.binds(key, to: .completeBackward) || key == .backTab
    if prompt.completion == nil {
      guard isForward || isBackward else { return false }
      askForFiles(prompt.editor, backward: isBackward, &turn)
      return true
    }
    switch key {
    case _ where isForward, .down: stepFile(by: 1)
    case _ where isBackward, .up: stepFile(by: -1)
    case .enter, .right: filePrompt?.completion = nil
    case .escape, .control("g"):
      if let completion = prompt.completion { filePrompt = (completion.original, nil) }
    default:
      filePrompt?.completion = nil
      return false
    }
    return true
  }

  private mutating func stepFile(by distance: Int) {
    guard var completion = filePrompt?.completion else { return }
    completion.step(by: distance)
    filePrompt = (completion.completed, completion)
  }

  private mutating func askForFiles(_ editor: LineEditor, backward: Bool, _ turn: inout Turn) {
    let typed = String(Array(editor.text).prefix(editor.caret))
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    completionRequest = CompletionRequest(
      query: .folder(folder), typed: typed, start: 0, isBackward: backward, editor: editor,
      isPrompt: true)
    turn.effects.append(.lookUp(.folder(folder)))
  }

  /// What the folder holds. A path stands there as it is: nothing is put into quotes.
  mutating func takeFiles(_ names: [FoundName], for request: CompletionRequest) {
    guard let prompt = filePrompt, prompt.editor == request.editor,
      case .folder(let folder) = request.query
    else { return }
    let candidates = matching(names, in: folder, path: request.typed) { $1 }
    guard
      let completion = Screen.Completion(
        candidates, in: prompt.editor, range: 0..<prompt.editor.caret,
        backward: request.isBackward)
    else { return }
    filePrompt = (completion.completed, candidates.count > 1 ? completion : nil)
  }
}
