import GraphQL

/// The documents that were asked for lately, parsed and validated: a client sends the same few again and again.
struct DocumentCache {
  /// Stricter than what the parser takes by itself: anybody may send these.
  static let limits = GraphQLLimits(depth: 64, tokens: 10_000, bytes: 256 << 10)
  private static let most = 64
  /// In bytes; longer ones are not kept.
  private static let longest = 8 << 10

  private var documents: [String: GraphQLDocument] = [:]
  /// The oldest first.
  private var order: [String] = []

  mutating func document(_ text: String) throws(GraphQLErrors) -> GraphQLDocument {
    if let known = documents[text] { return known }
    let document = try GraphQLDocument.validated(
      text, against: ChatSchema.schema, limits: Self.limits)
    guard text.utf8.count <= Self.longest else { return document }
    if order.count == Self.most { documents[order.removeFirst()] = nil }
    order.append(text)
    documents[text] = document
    return document
  }
}
