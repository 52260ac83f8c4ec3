import Glibc

/// Reads a whole file of text. Throws a sentence that names the file; never reads more than `limit`.
func readTextFile(_ path: String, limit: Int = 1 << 20) throws(CommandFailure) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw .configuration("\(shown(path)) cannot be read: \(systemErrorWords()).")
  }
  defer { close(descriptor) }
  guard let bytes = readAll(descriptor, limit: limit) else {
    throw .configuration("\(shown(path)) cannot be read: \(systemErrorWords()).")
  }
  guard bytes.count <= limit else {
    throw .configuration("\(shown(path)) is larger than \(limit / 1024) KiB: is it the right file?")
  }
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw .configuration("\(shown(path)) is not UTF-8 text.")
  }
  return text
}

/// What a descriptor holds up to its end; one byte more than `limit` says that there was more.
func readAll(_ descriptor: Int32, limit: Int) -> [UInt8]? {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 16_384)
  while bytes.count <= limit {
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count == 0 { return bytes }
    if count < 0 {
      if errno == EINTR { continue }
      return nil
    }
    bytes += buffer[..<count]
  }
  return bytes
}

/// The words of a system error, else of the last one.
func systemErrorWords(_ number: Int32 = errno) -> String {
  guard let words = strerror(number) else { return "unknown error" }
  return String(cString: words)
}

/// A variable of the environment, where it is set and not empty.
func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}
