/// Whether a background is light, as far as the terminal tells.
package enum Background {
  /// By the variable COLORFGBG, such as "15;0" or "0;default;15"; nil where it does not say.
  package static func isLight(colorFGBG: String?) -> Bool? {
    guard let last = colorFGBG?.split(separator: ";").last, let index = UInt8(last), index < 16
    else { return nil }
    // White, and the bright ones but for the grey that is their black.
    return index == 7 || index > 8
  }

  /// By the answer to OSC 11, such as "11;rgb:ffff/ffff/ffff"; nil where it is none.
  package static func isLight(answer: some Sequence<UInt8>) -> Bool? {
    let text = String(decoding: Array(answer), as: UTF8.self)
    guard let colon = text.firstIndex(of: ":"),
      ["11;rgb", "11;rgba"].contains(String(text[..<colon]))
    else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/").prefix(3)
    let levels = parts.compactMap { part -> UInt32? in
      guard (1...4).contains(part.utf8.count), let value = UInt32(part, radix: 16) else {
        return nil
      }
      // One to four digits, each as the share of its largest.
      return value * 255 / ((1 << (4 * UInt32(part.utf8.count))) - 1)
    }
    guard levels.count == 3 else { return nil }
    return RGB(levels[0] << 16 | levels[1] << 8 | levels[2]).lab.lightness > 50
  }
}
