/// The changes of a text as what stood where, so that they can be taken back and made again.
struct UndoLog: Equatable, Sendable {
  struct Step: Equatable, Sendable {
    /// Counted in characters, as is everything here.
    var start: Int
    var old: [Character]
    var new: [Character]
    var caretBefore: Int
    var caretAfter: Int
  }

  static let limit = 1_000
  /// All steps together hold at most this many characters, but the newest is always kept.
  static let sizeLimit = 2_200_000

  private var done: [Step] = []
  private var takenBack: [Step] = []
  private var size = 0

  /// Keeps a change that was just made. `joining`: it goes on from the change before, and both are taken
  /// back as one if they touch.
  mutating func add(_ step: Step, joining: Bool) {
    takenBack = []
    size += step.old.count + step.new.count
    if joining, let before = done.last, step.start >= before.start,
      step.start + step.old.count <= before.start + before.new.count
    {
      let place = step.start - before.start
      // In place: the arrays of a long step are not copied for each character.
      done[done.count - 1].new.replaceSubrange(place..<place + step.old.count, with: step.new)
      done[done.count - 1].caretAfter = step.caretAfter
      size -= step.old.count * 2
    } else {
      done.append(step)
    }
    var tooMany = 0
    while done.count - tooMany > 1, done.count - tooMany > Self.limit || size > Self.sizeLimit {
      size -= done[tooMany].old.count + done[tooMany].new.count
      tooMany += 1
    }
    done.removeFirst(tooMany)
  }

  var canTakeBack: Bool { !done.isEmpty }

  mutating func takeBack() -> Step? {
    guard let step = done.popLast() else { return nil }
    size -= step.old.count + step.new.count
    takenBack.append(step)
    return step
  }

  mutating func repeatTakenBack() -> Step? {
    guard let step = takenBack.popLast() else { return nil }
    size += step.old.count + step.new.count
    done.append(step)
    return step
  }
}
