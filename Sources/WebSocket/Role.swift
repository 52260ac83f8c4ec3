/// Which end of the line a machine plays: only a client masks what it sends (RFC 6455 section 5.1).
package enum Role: Sendable {
  case client, server
}
