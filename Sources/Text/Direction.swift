import CUTF8Proc

/// The way in which a script is written, as the bidirectional algorithm (UAX #9) knows it.
package enum WritingDirection: Equatable, Sendable {
  case leftToRight, rightToLeft
}

/// Marks that keep what stands between them apart from its surroundings (UAX #9, section 2.7): a terminal that turns
/// Arabic and Hebrew round leaves everything outside in its place.
package enum Isolate {
  /// Goes by the first letter that has a direction.
  package static let byFirstLetter: Unicode.Scalar = "\u{2068}"
  package static let leftToRight: Unicode.Scalar = "\u{2066}"
  package static let rightToLeft: Unicode.Scalar = "\u{2067}"
  package static let end: Unicode.Scalar = "\u{2069}"
}

/// Whether anything in the text is written from right to left.
package func holdsRightToLeft(_ text: String) -> Bool {
  // The first such letter is U+0590, whose first byte is this.
  guard text.utf8.contains(where: { $0 >= 0xD6 }) else { return false }
  return text.unicodeScalars.contains { direction(of: $0) == .rightToLeft }
}

/// The direction of the first letter that has one (rules P2 and P3); nil where none has.
package func firstDirection(of text: String) -> WritingDirection? {
  text.unicodeScalars.lazy.compactMap { isDigit($0) ? nil : direction(of: $0) }.first
}

/// Safe text that may stand between others in a line that is only written: kept apart where it holds anything that is
/// written from right to left.
package func isolated(_ safe: String) -> String {
  guard holdsRightToLeft(safe) else { return safe }
  return "\(Isolate.byFirstLetter)\(safe)\(Isolate.end)"
}

/// The parts of a row that are written from right to left, with what stands between their letters, as ranges of its
/// clusters. Blanks and signs around them are left to the row.
package func rightToLeftRuns(of clusters: [Cluster]) -> [Range<Int>] {
  var runs: [Range<Int>] = []
  var open: Range<Int>?
  for (index, cluster) in clusters.enumerated() {
    guard let scalar = cluster.text.unicodeScalars.first else { continue }
    switch direction(of: scalar) {
    case .rightToLeft: open = (open?.lowerBound ?? index)..<index + 1
    case .leftToRight:
      if let run = open { runs.append(run) }
      open = nil
    case nil:
      // A number that a name ends with belongs to it.
      if let run = open, run.upperBound == index, isDigit(scalar) {
        open = run.lowerBound..<index + 1
      }
    }
  }
  if let run = open { runs.append(run) }
  return runs
}

private func isDigit(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.generalCategory == .decimalNumber
}

private func direction(of scalar: Unicode.Scalar) -> WritingDirection? {
  if scalar.isASCII { return scalar.properties.isAlphabetic ? .leftToRight : nil }
  guard let property = utf8proc_get_property(Int32(bitPattern: scalar.value)) else { return nil }
  switch utf8proc_bidi_class_t(UInt32(property.pointee.bidi_class)) {
  case UTF8PROC_BIDI_CLASS_R, UTF8PROC_BIDI_CLASS_AL, UTF8PROC_BIDI_CLASS_AN: return .rightToLeft
  case UTF8PROC_BIDI_CLASS_L: return .leftToRight
  default: return nil
  }
}
