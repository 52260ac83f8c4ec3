import Channel
import Testing

@Suite struct EndpointIdentityTests {
  @Test(arguments: [
    ("ws://chat.example", "ws://chat.example/"),
    ("wss://Chat.Example:443/ws", "wss://chat.example/ws"),
    ("ws://chat.example:8080/ws?access_token=s3cret", "ws://chat.example:8080/ws"),
    ("ws://ada:pass@chat.example/ws?key=s3cret&nick=ada", "ws://chat.example/ws"),
    ("ws://chat.example/?nick=ada&room=kitchen&token=s3cret", "ws://chat.example/?room=kitchen"),
  ])
  func aServerIsKnownByWhatIsNoSecret(url: String, expected: String) throws {
    #expect(try Endpoint(parsing: url).identity == expected)
  }
}
