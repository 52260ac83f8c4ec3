/// Turns the text of a regular expression into the steps of a `TextPattern`.
struct PatternCompiler {
  private typealias Step = TextPattern.Step

  private let text: [Unicode.Scalar]
  private let matchesCase: Bool
  private var index = 0
  private var depth = 0

  init(_ text: String, matchesCase: Bool) {
    self.text = Array(text.unicodeScalars.prefix(TextFinder.longest))
    self.matchesCase = matchesCase
  }

  /// Nil where something is wrong with it.
  mutating func compile() -> [TextPattern.Step]? {
    guard let steps = alternatives(), index == text.count, steps.count < TextPattern.mostSteps
    else { return nil }
    return steps + [.match]
  }

  /// Steps name others by their distance until they are put together: here by absolute index within the piece,
  /// shifted when a piece is put behind another.
  private static func joined(_ pieces: [[Step]]) -> [Step] {
    var steps: [Step] = []
    for piece in pieces {
      let base = steps.count
      for step in piece {
        switch step {
        case .split(let first, let second): steps.append(.split(first + base, second + base))
        case .jump(let target): steps.append(.jump(target + base))
        case .scalar, .any, .set, .lineStart, .lineEnd, .wordEdge, .match: steps.append(step)
        }
      }
    }
    return steps
  }

  private mutating func alternatives() -> [Step]? {
    guard var steps = sequence() else { return nil }
    while next() == "|" {
      index += 1
      guard let other = sequence() else { return nil }
      // split L1, L2; L1: one, jump end; L2: other
      let one = steps
      steps = Self.joined([
        [.split(1, one.count + 2)], one, [.jump(other.count + 1)], other,
      ])
      guard steps.count < TextPattern.mostSteps else { return nil }
    }
    return steps
  }

  private mutating func sequence() -> [Step]? {
    var pieces: [[Step]] = []
    var count = 0
    while let scalar = next(), scalar != "|", scalar != ")" {
      guard let atom = atom(), let piece = repeated(atom) else { return nil }
      count += piece.count
      guard count < TextPattern.mostSteps else { return nil }
      pieces.append(piece)
    }
    return Self.joined(pieces)
  }

  private mutating func repeated(_ atom: [Step]) -> [Step]? {
    guard let scalar = next() else { return atom }
    var bounds: (least: Int, most: Int?)
    switch scalar {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      guard let counted = counts() else { return atom }
      bounds = counted
      index -= 1
    default: return atom
    }
    index += 1
    let isReluctant = next() == "?"
    if isReluctant { index += 1 }
    if let most = bounds.most, most < bounds.least { return nil }
    let times = max(bounds.least, bounds.most ?? 1)
    guard atom.count * max(1, times) < TextPattern.mostSteps else { return nil }
    func split(_ taken: Int, _ left: Int) -> Step {
      isReluctant ? .split(left, taken) : .split(taken, left)
    }
    var pieces = Array(repeating: atom, count: bounds.least)
    if let most = bounds.most {
      let optional = [split(1, atom.count + 1)] + Self.shifted(atom, by: 1)
      pieces += Array(repeating: optional, count: most - bounds.least)
    } else {
      // L: split in, out; in: atom, jump L; out:
      pieces.append(
        [split(1, atom.count + 2)] + Self.shifted(atom, by: 1) + [.jump(0)])
    }
    return Self.joined(pieces)
  }

  private static func shifted(_ steps: [Step], by count: Int) -> [Step] {
    Array(joined([Array(repeating: .any, count: count), steps]).dropFirst(count))
  }

  /// `{m}`, `{m,}` or `{m,n}` at the index, which is then behind it; nil, and the index as before, for anything else.
  private mutating func counts() -> (least: Int, most: Int?)? {
    guard let end = text[index...].firstIndex(of: "}") else { return nil }
    let inside = String(String.UnicodeScalarView(text[index + 1..<end]))
    let parts = inside.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, let least = Int(parts[0]), (0...1_000).contains(least) else {
      return nil
    }
    index = end + 1
    guard parts.count == 2 else { return (least, least) }
    guard !parts[1].isEmpty else { return (least, nil) }
    guard let most = Int(parts[1]), (0...1_000).contains(most) else { return (least, -1) }
    return (least, most)
  }

  private mutating func atom() -> [Step]? {
    guard let scalar = next() else { return nil }
    index += 1
    switch scalar {
    case "(":
      depth += 1
      defer { depth -= 1 }
      guard depth <= 32 else { return nil }
      if index + 1 < text.count, text[index] == "?", text[index + 1] == ":" { index += 2 }
      guard let inner = alternatives(), next() == ")" else { return nil }
      index += 1
      return inner
    case "[": return bracket().map { [.set($0)] }
    case ".": return [.any]
    case "^": return [.lineStart]
    case "$": return [.lineEnd]
    case "*", "+", "?", ")": return nil
    case "\\":
      guard let escaped = next() else { return nil }
      index += 1
      if escaped == "b" { return [.wordEdge] }
      if let set = Self.set(named: escaped) { return [.set(set)] }
      return [.scalar(fold(Self.literal(escaped)))]
    default: return [.scalar(fold(scalar.value))]
    }
  }

  private mutating func bracket() -> ScalarSet? {
    var set = ScalarSet()
    if next() == "^" {
      set.isInverted = true
      index += 1
    }
    var isFirst = true
    while let scalar = next() {
      index += 1
      if scalar == "]", !isFirst { return set }
      isFirst = false
      var low = scalar.value
      if scalar == "\\" {
        guard let escaped = next() else { return nil }
        index += 1
        if let named = Self.set(named: escaped) {
          set.kinds += named.kinds
          set.otherThan += named.otherThan
          continue
        }
        low = Self.literal(escaped)
      }
      guard next() == "-", index + 1 < text.count, text[index + 1] != "]" else {
        set.ranges.append(low...low)
        if !matchesCase { set.ranges.append(fold(low)...fold(low)) }
        continue
      }
      var high = text[index + 1].value
      index += 2
      if high == 0x5C {
        guard let escaped = next() else { return nil }
        index += 1
        high = Self.literal(escaped)
      }
      guard low <= high else { return nil }
      set.ranges.append(low...high)
      if !matchesCase, fold(low) <= fold(high) { set.ranges.append(fold(low)...fold(high)) }
    }
    return nil
  }

  private static func set(named letter: Unicode.Scalar) -> ScalarSet? {
    switch letter {
    case "d": ScalarSet(kinds: [.digit])
    case "D": ScalarSet(otherThan: [.digit])
    case "w": ScalarSet(kinds: [.word])
    case "W": ScalarSet(otherThan: [.word])
    case "s": ScalarSet(kinds: [.space])
    case "S": ScalarSet(otherThan: [.space])
    default: nil
    }
  }

  private static func literal(_ escaped: Unicode.Scalar) -> UInt32 {
    switch escaped {
    case "n": 0x0A
    case "t": 0x09
    default: escaped.value
    }
  }

  private func fold(_ scalar: UInt32) -> UInt32 {
    matchesCase ? scalar : ScalarSet.folded(scalar)
  }

  private func next() -> Unicode.Scalar? { index < text.count ? text[index] : nil }
}
