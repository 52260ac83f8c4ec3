import CUTF8Proc

/// The text in normalisation form C (UAX #15), so that a letter and its marks take the fewest code
/// points of a cell; unchanged where utf8proc refuses it.
func composed(_ text: String) -> String {
  let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
  var text = text
  let composed: String? = text.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return nil }
    let count = utf8proc_decompose(start, bytes.count, nil, 0, options)
    guard count > 0 else { return nil }
    // A place more than there are code points: `utf8proc_reencode` puts a NUL behind its UTF-8, which it
    // writes into the same memory.
    var points = [Int32](repeating: 0, count: count + 1)
    guard utf8proc_decompose(start, bytes.count, &points, count, options) == count else {
      return nil
    }
    let length = utf8proc_reencode(&points, count, options)
    guard length > 0 else { return nil }
    return points.withUnsafeBytes { String(decoding: $0.prefix(length), as: UTF8.self) }
  }
  return composed ?? text
}
