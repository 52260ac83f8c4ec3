import Glibc

/// The machine refused something that the program cannot do without, as a sentence.
package struct SystemFailure: Error, Equatable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }

  /// `task` completes "this machine could not …".
  init(_ task: String, errorNumber: Int32 = errno) {
    message = "this machine could not \(task): \(words(forErrorNumber: errorNumber))"
  }
}

/// The C library's words for an error number, such as "connection refused".
func words(forErrorNumber number: Int32) -> String {
  guard let text = strerror(number) else { return "error \(number)" }
  let words = String(cString: text)
  return words.prefix(1).lowercased() + words.dropFirst()
}
