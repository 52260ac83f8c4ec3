import Glibc

/// The lines of a file, read piece by piece; `-` is standard input.
final class LineFile {
  /// Longer lines are refused.
  static let longest = 128 << 20

  private let name: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  /// Up to where no line end stands behind `start`.
  private var searched = 0
  private var hasEnded = false
  /// The number of the line that was read last, from 1.
  private(set) var number = 0

  init(_ path: String) throws(CommandFailure) {
    name = path == "-" ? "standard input" : shown(path)
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .configuration("\(name) cannot be read: \(systemErrorWords()).")
    }
  }

  isolated deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// The next line without its end; nil at the end of the file.
  func next() throws(CommandFailure) -> ArraySlice<UInt8>? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer {
          start = end + 1
          searched = start
        }
        number += 1
        return buffer[start..<end]
      }
      searched = buffer.count
      if hasEnded {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        number += 1
        return buffer[start...]
      }
      guard buffer.count - start <= Self.longest else {
        throw .configuration("\(name):\(number + 1) is longer than \(Self.longest >> 20) MiB.")
      }
      try readMore()
    }
  }

  private func readMore() throws(CommandFailure) {
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
    let size = 256 << 10
    let before = buffer.count
    var count = -1
    buffer.append(contentsOf: repeatElement(0, count: size))
    repeat {
      count = buffer.withUnsafeMutableBytes { bytes in
        let room = UnsafeMutableRawBufferPointer(rebasing: bytes[before...])
        return read(descriptor, room.baseAddress, room.count)
      }
    } while count < 0 && errno == EINTR
    buffer.removeLast(size - max(0, count))
    guard count >= 0 else {
      throw CommandFailure(
        "\(name) cannot be read: \(systemErrorWords()).", exitCode: ExitCode.inputOutput)
    }
    hasEnded = count == 0
  }
}

/// Standard output in large pieces.
struct ExportWriter {
  private var waiting: [UInt8] = []
  /// Why it is the last time, as `errno` has it.
  private(set) var failure: Int32?

  mutating func append(_ text: String) {
    waiting += Array(text.utf8)
    if waiting.count >= 64 << 10 { flush() }
  }

  mutating func flush() {
    if failure == nil, !writeAll(waiting, to: STDOUT_FILENO) { failure = errno }
    waiting.removeAll(keepingCapacity: true)
  }
}
