/// The responses to one event, by the outline of the subscriptions that they answer: a hundred listeners with
/// one selection have it executed and written once.
struct EventResponses {
  private var responses: [String: [UInt8]] = [:]

  mutating func bytes(for outline: String?, make: () -> [UInt8]) -> [UInt8] {
    guard let outline else { return make() }
    if let known = responses[outline] { return known }
    let bytes = make()
    responses[outline] = bytes
    return bytes
  }
}
