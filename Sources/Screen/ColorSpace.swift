/// 24 bits of red, green and blue as the eye sees them.
struct RGB: Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ value: UInt32) {
    red = UInt8(truncatingIfNeeded: value >> 16)
    green = UInt8(truncatingIfNeeded: value >> 8)
    blue = UInt8(truncatingIfNeeded: value)
  }

  var value: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// The three parts without the gamma curve of sRGB, 0…1.
  private var linear: (red: Double, green: Double, blue: Double) {
    func straighten(_ part: UInt8) -> Double {
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : gammaPower((value + 0.055) / 1.055)
    }
    return (straighten(red), straighten(green), straighten(blue))
  }

  /// Relative luminance (WCAG 2), 0…1.
  var luminance: Double {
    let (red, green, blue) = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  /// Contrast (WCAG 2), 1…21.
  func contrast(to other: RGB) -> Double {
    let (high, low) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (high + 0.05) / (low + 0.05)
  }

  func mixed(with other: RGB, share: Double) -> RGB {
    func mix(_ one: UInt8, _ two: UInt8) -> UInt32 {
      let value = Double(one) * (1 - share) + Double(two) * share
      return UInt32(max(0, min(255, value.rounded())))
    }
    return RGB(
      mix(red, other.red) << 16 | mix(green, other.green) << 8 | mix(blue, other.blue))
  }

  /// CIELAB under D65.
  var lab: Lab {
    let (red, green, blue) = linear
    func curve(_ value: Double) -> Double {
      value > 0.008856 ? root(of: value, degree: 3) : 7.787 * value + 16.0 / 116
    }
    let x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
    let y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    let z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    return Lab(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }
}

struct Lab: Equatable {
  var lightness: Double
  var a: Double
  var b: Double

  var chroma: Double { (a * a + b * b).squareRoot() }

  /// Degrees, 0 ..< 360.
  var hue: Double {
    guard a != 0 || b != 0 else { return 0 }
    let isSteep = abs(b) > abs(a)
    let slope = arcTangent(isSteep ? a / b : b / a)
    let angle = isSteep ? (b > 0 ? 90 : 270) - slope : (a > 0 ? 0 : 180) + slope
    return angle < 0 ? angle + 360 : angle
  }

  func squaredDistance(to other: Lab) -> Double {
    let (l, da, db) = (lightness - other.lightness, a - other.a, b - other.b)
    return l * l + da * da + db * db
  }
}

// The few functions that colours need, so that this module does without the C library.

/// The root of a number ≥ 0, by Newton's method.
private func root(of value: Double, degree: Int) -> Double {
  guard value > 0 else { return 0 }
  var guess = max(value, 1)
  for _ in 0..<64 {
    let power = (1..<degree).reduce(1.0) { product, _ in product * guess }
    let next = (Double(degree - 1) * guess + value / power) / Double(degree)
    if abs(next - guess) < 1e-12 { break }
    guess = next
  }
  return guess
}

/// The 2.4th power of a number ≥ 0.
private func gammaPower(_ value: Double) -> Double {
  let fifth = root(of: value, degree: 5)
  return value * value * fifth * fifth
}

/// The angle in degrees of a slope within -1…1, to a thousandth of a degree (a polynomial of the kind of number 4.4.49
/// of Abramowitz and Stegun).
private func arcTangent(_ slope: Double) -> Double {
  let square = slope * slope
  let polynomial =
    0.9998660 + square
    * (-0.3302995 + square * (0.1801410 + square * (-0.0851330 + square * 0.0208351)))
  return slope * polynomial * 180 / Double.pi
}

/// The distance of two hues in degrees, 0…180.
func hueDistance(_ one: Double, _ other: Double) -> Double {
  let distance = abs(one - other).truncatingRemainder(dividingBy: 360)
  return min(distance, 360 - distance)
}

/// The colours that terminals have of themselves.
enum TerminalPalette {
  static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black",
    "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
  ]

  /// What xterm shows for the 16; other terminals differ, so that these serve only to compare.
  static let ansi: [RGB] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F,
    0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ].map { RGB($0) }

  /// The colours 16…255: a cube of six levels, then 24 greys. The same on every terminal.
  static let indexed: [RGB] = {
    let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
    var colors: [RGB] = []
    for red in levels {
      for green in levels {
        for blue in levels { colors.append(RGB(red << 16 | green << 8 | blue)) }
      }
    }
    for step in 0..<UInt32(24) { colors.append(RGB((8 + 10 * step) * 0x010101)) }
    return colors
  }()

  /// What is shown for one of 256; the first 16 are xterm's.
  static func color(of index: UInt8) -> RGB {
    index < 16 ? ansi[Int(index)] : indexed[Int(index) - 16]
  }

  private static let indexedLab = indexed.map(\.lab)

  /// The nearest of 16…255: those below belong to the person's own palette.
  static func nearestIndex(to color: RGB) -> UInt8 {
    let wanted = color.lab
    let nearest = indexedLab.indices.min {
      indexedLab[$0].squaredDistance(to: wanted) < indexedLab[$1].squaredDistance(to: wanted)
    }
    return UInt8(16 + (nearest ?? 0))
  }

  /// The one of the 16 with the nearest hue, bright where the colour is light; greys by lightness.
  static func nearestANSI(to color: RGB) -> UInt8 {
    let wanted = color.lab
    if wanted.chroma < 15 {
      switch wanted.lightness {
      case ..<25: return 0
      case ..<60: return 8
      case ..<90: return 7
      default: return 15
      }
    }
    let hues = (1...6).map { (index: UInt8($0), hue: ansi[$0].lab.hue) }
    let nearest = hues.min {
      hueDistance($0.hue, wanted.hue) < hueDistance($1.hue, wanted.hue)
    }
    return (nearest?.index ?? 7) + (wanted.lightness > 60 ? 8 : 0)
  }
}
