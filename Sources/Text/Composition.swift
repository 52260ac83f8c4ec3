import CUTF8Proc
import Glibc

/// The text in normalisation form C (UAX #15), so that a letter and its marks take the fewest code
/// points of a cell; unchanged where utf8proc refuses it.
func composed(_ text: String) -> String {
  var text = text
  return text.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return "" }
    var output: UnsafeMutablePointer<UInt8>?
    let options = utf8proc_option_t(
      UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    let count = utf8proc_map(start, bytes.count, &output, options)
    defer { free(output) }
    guard let output, count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: UnsafeBufferPointer(start: output, count: count), as: UTF8.self)
  }
}
