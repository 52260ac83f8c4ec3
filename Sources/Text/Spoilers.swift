/// What hides behind ||bars|| in safe text is not to be read before the person asks for it.

/// Whether something in the text hides.
package func hasSpoiler(_ safe: String) -> Bool { !spoilers(in: safe).isEmpty }

/// The text with words in the place of each part that hides; `words` is told how many characters that has, the bars
/// left out. Linear in the text.
package func hidingSpoilers(of safe: String, behind words: (_ characters: Int) -> String) -> String
{
  let ranges = spoilers(in: safe)
  guard !ranges.isEmpty else { return safe }
  let bytes = Array(safe.utf8)
  var result = ""
  var start = 0
  for range in ranges where range.lowerBound >= start {
    result += String(decoding: bytes[start..<range.lowerBound], as: UTF8.self)
    let hidden = bytes[range.lowerBound + 2..<range.upperBound - 2]
    result += words(String(decoding: hidden, as: UTF8.self).count)
    start = range.upperBound
  }
  return result + String(decoding: bytes[start...], as: UTF8.self)
}

/// UTF-8 offsets, in order, the bars among them.
private func spoilers(in safe: String) -> [Range<Int>] {
  guard holdsBars(safe) else { return [] }
  return markup(of: safe, links: links(in: safe)).filter { $0.kind == .spoiler }.map(\.range)
}

private func holdsBars(_ text: String) -> Bool {
  var previous: UInt8 = 0
  for byte in text.utf8 {
    if byte == 0x7C, previous == 0x7C { return true }
    previous = byte
  }
  return false
}
