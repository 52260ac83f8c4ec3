package import Channel
package import WebSocket

/// A `SubscribeClient` whose results are kept instead of printed.
package struct CollectingClient: HeadlessClient {
  private var inner: SubscribeClient
  /// Each result as it came, without the end of its line.
  package private(set) var results: [[UInt8]] = []

  /// The server chose a subprotocol that was offered, took the introduction, or answered with a result.
  package var spokeGraphQL: Bool { inner.spokeGraphQL || !results.isEmpty }

  package init(_ configuration: SessionConfiguration, isOverHTTP: Bool = false) {
    var options = SubscribeOptions()
    options.isOverHTTP = isOverHTTP
    inner = SubscribeClient(configuration, options)
  }

  package var wantsInput: Bool { inner.wantsInput }
  package var wantsToken: Bool { inner.wantsToken }
  package var deadline: Instant? { inner.deadline }
  package var untaken: Int { inner.untaken }

  package mutating func handle(
    _ input: CatClientInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    keepResults(inner.handle(input, at: now, wall: wall, entropy: &entropy))
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    keepResults(inner.receive(bytes, from: link, at: now, wall: wall, entropy: &entropy))
  }

  private mutating func keepResults(_ effects: [CatEffect]) -> [CatEffect] {
    effects.filter { effect in
      guard case .standardOutput(let line) = effect else { return true }
      results.append(Array(line.dropLast()))
      return false
    }
  }
}
