import Text

/// Text from the wire for the middle of a sentence: one line, at most 200 characters.
func madeSafe(_ text: String) -> String {
  UntrustedText(text).safe(for: .line, limit: 200)
}
