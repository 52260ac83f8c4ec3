/// Bounds on a document, so that a hostile one neither exhausts the stack nor fills the memory: a parsed
/// document takes many times the memory of its text.
package struct GraphQLLimits: Equatable, Sendable {
  /// How deep selection sets, lists, objects and types may nest, fragments included.
  package var depth: Int
  package var tokens: Int
  /// In bytes of UTF-8.
  package var bytes: Int

  package init(depth: Int = 200, tokens: Int = 100_000, bytes: Int = 1 << 20) {
    self.depth = depth
    self.tokens = tokens
    self.bytes = bytes
  }
}
