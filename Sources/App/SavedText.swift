import Glibc

/// Writes text into a new file that only the person can read; one that is there is never touched. What came of it, in a
/// sentence.
func save(_ text: String, in path: String) -> HistoryKeeper.Word {
  func failed() -> HistoryKeeper.Word {
    let hint = errno == EEXIST ? ": choose another name" : ""
    return HistoryKeeper.Word(
      text: "\(shown(path)) was not written: \(systemErrorWords())\(hint).", isError: true)
  }
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return failed() }
  guard write(text, to: descriptor) else {
    let word = failed()
    close(descriptor)
    unlink(path)
    return word
  }
  close(descriptor)
  return HistoryKeeper.Word(
    text: "\(text.utf8.count) bytes were written to \(shown(path)).", isError: false)
}
