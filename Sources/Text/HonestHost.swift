/// Safe text in which hosts of links that mix alphabets, or that are written in letters which look like Latin ones, stand
/// in their ASCII form (xn--…): nobody is to take them for another host. For showing only.
package func withHonestHosts(_ safe: String) -> String {
  guard safe.utf8.contains(0x3A), !safe.utf8.allSatisfy({ $0 < 0x80 }) else { return safe }
  var result = ""
  var end = 0
  let bytes = Array(safe.utf8)
  for link in links(in: safe) {
    guard let honest = honestLink(link.text) else { continue }
    result += String(decoding: bytes[end..<link.range.lowerBound], as: UTF8.self) + honest
    end = link.range.upperBound
  }
  return end == 0 ? safe : result + String(decoding: bytes[end...], as: UTF8.self)
}

/// The link with its host in ASCII; nil where the host is no cause for doubt.
package func honestLink(_ link: String) -> String? {
  asciiHost(of: link) { $0.contains(where: isDoubtful) }
}

/// The link with its host in ASCII, whatever it was; the rest as it stands.
package func asciiLink(_ link: String) -> String { asciiHost(of: link) { _ in true } ?? link }

/// Nil where the host is in ASCII, or is to stay as it is.
private func asciiHost(of link: String, where isChanged: ([Substring]) -> Bool) -> String? {
  guard let scheme = link.firstRange(of: "://") else { return nil }
  let rest = link[scheme.upperBound...]
  let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
  let authority = rest[..<hostEnd]
  let start =
    authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
  let host = authority[start...]
  guard host.unicodeScalars.contains(where: { $0.value >= 0x80 }) else { return nil }
  let labels = host.split(separator: ".", omittingEmptySubsequences: false)
  guard isChanged(labels) else { return nil }
  let honest = labels.map { label in
    label.utf8.allSatisfy { $0 < 0x80 }
      ? String(label) : "xn--" + (punycode(String(label).lowercased()) ?? "?")
  }
  return String(link[..<start]) + honest.joined(separator: ".") + String(rest[hostEnd...])
}

private enum Script: Hashable {
  case latin, greek, cyrillic, armenian, cherokee, hebrew, arabic, eastAsian, other
}

private func script(of scalar: Unicode.Scalar) -> Script? {
  switch scalar.value {
  case 0x30...0x39, 0x2D, 0x3A: return nil
  case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: return .latin
  case 0x370...0x3FF, 0x1F00...0x1FFF: return .greek
  case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: return .cyrillic
  case 0x530...0x58F: return .armenian
  case 0x13A0...0x13FF, 0xAB70...0xABBF: return .cherokee
  case 0x590...0x5FF: return .hebrew
  case 0x600...0x77F: return .arabic
  case 0x1100...0x11FF, 0x3005...0x3007, 0x3040...0x318F, 0x31F0...0x31FF, 0x3400...0x9FFF,
    0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
    return .eastAsian
  default: return scalar.properties.isAlphabetic ? .other : nil
  }
}

/// Letters of other alphabets that look like Latin ones.
private let lookalikes: Set<Unicode.Scalar> = [
  "а", "с", "ԁ", "е", "һ", "і", "ј", "ӏ", "к", "м", "о", "р", "ѕ", "т", "ѵ", "ԝ", "х", "у", "ү",
  "ο",
  "α", "ν", "ι", "κ", "ρ", "υ", "τ", "ϲ", "օ", "ո", "ս", "հ", "ց",
]

private func isDoubtful(_ label: Substring) -> Bool {
  var scripts: Set<Script> = []
  var looksLatin = true
  for scalar in label.unicodeScalars {
    guard let script = script(of: scalar) else {
      // Signs of other writings that no name of a host needs.
      if scalar.value >= 0x80, !scalar.properties.isIDContinue { return true }
      continue
    }
    scripts.insert(script)
    if script != .latin, !lookalikes.contains(scalar) { looksLatin = false }
  }
  // Japanese, Chinese and Korean names have Latin letters in them.
  if scripts.contains(.eastAsian) { return !scripts.subtracting([.eastAsian, .latin]).isEmpty }
  if scripts.count > 1 { return true }
  return !scripts.isEmpty && scripts != [.latin] && looksLatin
}

/// RFC 3492; nil for a label that is longer than any name of a host.
func punycode(_ label: String) -> String? {
  let points = label.unicodeScalars.map { Int($0.value) }
  guard points.count <= 63 else { return nil }
  var output = points.filter { $0 < 0x80 }
  let basic = output.count
  if basic > 0 { output.append(0x2D) }
  var (point, delta, bias, handled) = (128, 0, 72, basic)
  while handled < points.count {
    guard let next = points.filter({ $0 >= point }).min() else { return nil }
    delta += (next - point) * (handled + 1)
    point = next
    for other in points {
      if other < point { delta += 1 }
      guard other == point else { continue }
      var quotient = delta
      var base = 36
      while true {
        let threshold = base <= bias ? 1 : base >= bias + 26 ? 26 : base - bias
        guard quotient >= threshold else { break }
        output.append(digit(threshold + (quotient - threshold) % (36 - threshold)))
        quotient = (quotient - threshold) / (36 - threshold)
        base += 36
      }
      output.append(digit(quotient))
      bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
      delta = 0
      handled += 1
    }
    delta += 1
    point += 1
  }
  return String(decoding: output.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
}

private func digit(_ value: Int) -> Int { value < 26 ? 0x61 + value : 0x30 + value - 26 }

private func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
  var delta = isFirst ? delta / 700 : delta / 2
  delta += delta / points
  var base = 0
  while delta > 455 {
    delta /= 35
    base += 36
  }
  return base + 36 * delta / (delta + 38)
}
