/// A regular expression that is matched in linear time, whatever it is and whatever it is held against: all its states
/// go over the text side by side (Thompson's construction, as in RE2), and nothing is ever tried twice.
///
/// Known are literals, `.`, `[abc]`, `[^a-z]`, `\d \D \w \W \s \S \b`, `^ $`, groups, `|`, `* + ? {m,n}` and their
/// reluctant forms with a `?`. Of matches that begin at one place the one is taken that a backtracking matcher would
/// find first.
package struct TextPattern: Equatable, Sendable {
  enum Step: Equatable, Sendable {
    case scalar(UInt32)
    case any
    case set(ScalarSet)
    case lineStart, lineEnd, wordEdge
    /// Both ways, the first one rather.
    case split(Int, Int)
    case jump(Int)
    case match
  }

  /// The most steps of a program: counted repeats of counted repeats would grow without end.
  static let mostSteps = 2_000

  private let steps: [Step]
  private let matchesCase: Bool

  /// Nil where the text is no regular expression, or too large a one.
  package init?(_ text: String, matchesCase: Bool) {
    var compiler = PatternCompiler(text, matchesCase: matchesCase)
    guard let steps = compiler.compile() else { return nil }
    self.steps = steps
    self.matchesCase = matchesCase
  }

  /// How many steps there are: work for each scalar of a text is at most in proportion to it.
  package var size: Int { steps.count }

  /// Where it matches, as ranges of indices; empty matches are left out.
  func matches(in text: [UInt32], most: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while found.count < most, start < text.count, let range = first(in: text, from: start) {
      found.append(range)
      start = range.upperBound
    }
    return found
  }

  private struct Threads {
    /// Steps in the order of their rank, each with where its match began.
    var list: [(step: Int, start: Int)] = []
    /// The generation in which a step was entered last.
    var marks: [Int]
    var generation = 0

    init(count: Int) {
      marks = [Int](repeating: -1, count: count)
    }

    mutating func clear() {
      list.removeAll(keepingCapacity: true)
      generation += 1
    }
  }

  private func first(in text: [UInt32], from first: Int) -> Range<Int>? {
    var current = Threads(count: steps.count)
    var next = Threads(count: steps.count)
    var best: Range<Int>?
    for index in first...text.count {
      // A match that begins later counts only where none has begun.
      if best == nil { add(0, start: index, to: &current, text, index) }
      if current.list.isEmpty, best != nil { break }
      next.clear()
      let scalar = index < text.count ? text[index] : nil
      for thread in current.list {
        switch steps[thread.step] {
        case .match:
          if index > thread.start { best = thread.start..<index }
        case .scalar(let wanted):
          if let scalar, fold(scalar) == wanted {
            add(thread.step + 1, start: thread.start, to: &next, text, index + 1)
          }
        case .any:
          if let scalar, scalar != 0x0A {
            add(thread.step + 1, start: thread.start, to: &next, text, index + 1)
          }
        case .set(let set):
          if let scalar, set.contains(scalar, fold(scalar)) {
            add(thread.step + 1, start: thread.start, to: &next, text, index + 1)
          }
        case .lineStart, .lineEnd, .wordEdge, .split, .jump: break
        }
        // Those of lower rank are behind this match.
        if case .match = steps[thread.step], index > thread.start { break }
      }
      swap(&current, &next)
    }
    return best
  }

  /// Follows everything that takes no scalar.
  private func add(
    _ step: Int, start: Int, to threads: inout Threads, _ text: [UInt32], _ index: Int
  ) {
    var pending = [step]
    while let step = pending.popLast() {
      guard threads.marks[step] != threads.generation else { continue }
      threads.marks[step] = threads.generation
      switch steps[step] {
      case .jump(let target): pending.append(target)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .lineStart:
        if index == 0 || text[index - 1] == 0x0A { pending.append(step + 1) }
      case .lineEnd:
        if index == text.count || text[index] == 0x0A { pending.append(step + 1) }
      case .wordEdge:
        let before = index > 0 && ScalarSet.isWord(text[index - 1])
        let behind = index < text.count && ScalarSet.isWord(text[index])
        if before != behind { pending.append(step + 1) }
      case .scalar, .any, .set, .match: threads.list.append((step, start))
      }
    }
  }

  private func fold(_ scalar: UInt32) -> UInt32 {
    matchesCase ? scalar : ScalarSet.folded(scalar)
  }
}

/// What a class of a pattern holds.
struct ScalarSet: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case digit, word, space
  }

  var isInverted = false
  var ranges: [ClosedRange<UInt32>] = []
  var kinds: [Kind] = []
  var otherThan: [Kind] = []

  func contains(_ scalar: UInt32, _ folded: UInt32) -> Bool {
    let isIn =
      ranges.contains { $0.contains(scalar) || $0.contains(folded) }
      || kinds.contains { Self.isOf($0, scalar) } || otherThan.contains { !Self.isOf($0, scalar) }
    return isIn != isInverted
  }

  static func isOf(_ kind: Kind, _ scalar: UInt32) -> Bool {
    switch kind {
    case .digit:
      Unicode.Scalar(scalar)?.properties.numericType == .decimal
    case .word: isWord(scalar)
    case .space:
      Unicode.Scalar(scalar)?.properties.isWhitespace == true
    }
  }

  static func isWord(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: return true
    case ..<0x80: return false
    default:
      guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
      return properties.isAlphabetic || properties.numericType != nil
    }
  }

  static func folded(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return scalar >= 0x41 && scalar <= 0x5A ? scalar | 0x20 : scalar }
    guard let small = Unicode.Scalar(scalar)?.properties.lowercaseMapping.unicodeScalars.first
    else { return scalar }
    return small.value
  }
}
