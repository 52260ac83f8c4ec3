import Foundation
import Glibc

/// A child process of a test with its standard streams: the built program, or a peer that we did not write.
///
/// Reading waits in poll(2) for output, never for time to pass; every wait has a limit.
package final class Running {
  package struct Problem: Error, CustomStringConvertible {
    package var description: String
  }

  package struct Result {
    package var status: Int32
    package var output: [String]
    package var errors: [String]
  }

  private let process = Process()
  private let state = StateFolder()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  private var lines: [String] = []
  private var hasEnded = [false, false]
  private var waitingInput: ArraySlice<UInt8> = []
  private var endsInput = false
  /// Up to where `outputBytes` holds no line end.
  private var searched = 0

  package init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment
    variables["PARLOUR_TOKEN"] = nil
    variables.merge(state.variables) { $1 }
    // What is reached by a proxy here is not the servers of the tests.
    for name in ["ws", "wss", "http", "https", "all", "no"] {
      variables[name + "_proxy"] = nil
      variables[name.uppercased() + "_PROXY"] = nil
    }
    variables["PYTHONUNBUFFERED"] = "1"
    variables.merge(environment) { $1 }
    process.environment = variables
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    // A child that is gone is seen by its end, not by a signal here.
    Glibc.signal(SIGPIPE, SIG_IGN)
    try process.run()
    let descriptor = input.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  package var isRunning: Bool { process.isRunning }

  /// The most memory that the child ever had, in bytes (`VmHWM` of proc(5)); nil once it has ended.
  package var peakMemory: Int? {
    let path = "/proc/\(process.processIdentifier)/status"
    guard let status = try? String(contentsOfFile: path, encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = Int(line.filter(\.isNumber))
    else { return nil }
    return kibibytes << 10
  }

  package func signal(_ number: Int32) {
    if process.isRunning { kill(process.processIdentifier, number) }
  }

  /// What the child does not take at once leaves while its output is waited for.
  package func write(_ text: String) {
    waitingInput += Array(text.utf8)
    flushInput()
  }

  package func endInput() {
    endsInput = true
    flushInput()
  }

  private func flushInput() {
    while !waitingInput.isEmpty {
      let count = waitingInput.withUnsafeBytes {
        Glibc.write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EAGAIN { return }
      waitingInput = count < 0 ? [] : waitingInput.dropFirst(count)
    }
    if endsInput { try? input.fileHandleForWriting.close() }
    endsInput = false
  }

  /// Reads what is there, waiting at most `limit`; false once both streams have ended or time is over.
  private func pump(until end: Date) -> Bool {
    let left = end.timeIntervalSinceNow
    guard left > 0 else { return false }
    var pollers = [output, errors].enumerated().map { index, pipe in
      // poll(2) passes over negative descriptors: a stream that has ended.
      pollfd(
        fd: hasEnded[index] ? -1 : pipe.fileHandleForReading.fileDescriptor,
        events: Int16(POLLIN), revents: 0)
    }
    if !waitingInput.isEmpty {
      let descriptor = input.fileHandleForWriting.fileDescriptor
      pollers.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
    }
    guard poll(&pollers, UInt(pollers.count), Int32(left * 1000) + 1) > 0 else { return false }
    flushInput()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for (index, poller) in pollers.prefix(2).enumerated() where poller.revents != 0 {
      let count = read(poller.fd, &buffer, buffer.count)
      if count <= 0 {
        hasEnded[index] = true
      } else if index == 0 {
        outputBytes += buffer[..<count]
      } else {
        errorBytes += buffer[..<count]
      }
    }
    while let end = outputBytes[searched...].firstIndex(of: 10) {
      lines.append(String(decoding: outputBytes[..<end], as: UTF8.self))
      outputBytes.removeSubrange(...end)
      searched = 0
    }
    searched = outputBytes.count
    return hasEnded != [true, true]
  }

  /// The next line of standard output that holds `part`; those before it are passed over.
  package func line(containing part: String, within seconds: Double = 30) throws -> String {
    let end = Date(timeIntervalSinceNow: seconds)
    var isOpen = true
    while true {
      if let index = lines.firstIndex(where: { $0.contains(part) }) {
        defer { lines.removeSubrange(...index) }
        return lines[index]
      }
      guard isOpen else {
        throw Problem(
          description: "no line with \(part); instead \(lines), standard error: "
            + String(decoding: errorBytes, as: UTF8.self))
      }
      isOpen = pump(until: end)
    }
  }

  /// Takes what comes next, or nothing where that takes longer than 20 ms.
  package func takeWhatComes() {
    _ = pump(until: Date(timeIntervalSinceNow: 0.02))
  }

  /// Ends the input and reads to the end; kills the process where that takes longer than `seconds`.
  package func finish(within seconds: Double = 30, endingInput: Bool = true) throws -> Result {
    if endingInput { endInput() }
    let end = Date(timeIntervalSinceNow: seconds)
    while pump(until: end) {}
    if end.timeIntervalSinceNow <= 0 {
      signal(SIGKILL)
      throw Problem(
        description: "still running after \(seconds) s: \(lines), standard error: "
          + String(decoding: errorBytes, as: UTF8.self))
    }
    process.waitUntilExit()
    if !outputBytes.isEmpty { lines.append(String(decoding: outputBytes, as: UTF8.self)) }
    let errorText = String(decoding: errorBytes, as: UTF8.self)
    return Result(
      status: process.terminationStatus, output: lines,
      errors: errorText.split(separator: "\n").map(String.init))
  }
}

/// Where the programs of the tests are.
package enum Programs {
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path()

  /// The built `parlour`, beside the test bundle.
  package static let parlour: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") }
    let folder = bundle.map { URL(filePath: $0).deletingLastPathComponent().path() }
    return (folder ?? root + "/.build/debug/") + "parlour"
  }()

  /// The virtual environment of the peers, which `make test` sets up.
  package static let python = root + "/.build/venv/bin/python"

  package static func peer(_ name: String) -> String { root + "/Tests/Peers/" + name }
}
