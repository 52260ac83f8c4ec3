import Channel

extension Session {
  init(_ configuration: SessionConfiguration) {
    self.init(
      configuration, makeDialect: { _, _ in preconditionFailure("no dialects yet") },
      dialectOf: { _ in nil })
  }
}
