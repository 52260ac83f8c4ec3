import Text

/// What the peer did wrong, told once and no more often than a person can read.
extension GraphQLDialect {
  /// Told the first time and whenever the count of its kind on this line has doubled.
  mutating func notice(_ text: String, kind: String) -> [DialectOutput] {
    mishaps[kind, default: MishapCounter()].happened() ? [.notice(UntrustedText(text))] : []
  }
}
