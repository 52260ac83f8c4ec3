/// Builds the heads that the handshake writes. Whatever could end a line early is kept out here, even
/// though callers check it before: a line break in a value would smuggle in a header of its own.
struct HeadWriter {
  private(set) var bytes: [UInt8] = []

  init(_ startLine: String) {
    bytes.append(contentsOf: startLine.utf8.filter { !$0.isForbiddenInHead })
    endLine()
  }

  mutating func field(_ name: String, _ value: String) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: [UInt8(ascii: ":"), 0x20])
    bytes.append(contentsOf: value.utf8.filter { !$0.isForbiddenInHead })
    endLine()
  }

  /// The caller's own fields; those that the writer writes itself or cannot write are left out.
  mutating func fields(_ headers: [Header], except own: Set<String>) {
    for header in headers
    where header.name.isToken && header.value.isFieldValue
      && !own.contains(where: header.name.equalsIgnoringCase)
    {
      field(header.name, header.value)
    }
  }

  mutating func endLine() {
    bytes.append(contentsOf: [0x0D, 0x0A])
  }
}

extension HandshakeRequest {
  /// Fields that the handshake writes itself, or that speak of a body, which it has not.
  static let ownNames: Set<String> = [
    "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
    "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Sec-WebSocket-Accept",
    "Content-Length", "Transfer-Encoding",
  ]

  /// The request (RFC 6455 section 4.1), names in the letter case of the RFC.
  func bytes(key: String) -> [UInt8] {
    var writer = HeadWriter("GET \(Self.requestTarget(target)) HTTP/1.1")
    writer.field("Host", host)
    writer.field("Upgrade", "websocket")
    writer.field("Connection", "Upgrade")
    writer.field("Sec-WebSocket-Key", key)
    writer.field("Sec-WebSocket-Version", "13")
    // RFC 6455 section 4.1: no name stands twice.
    var known: Set<String> = []
    let offered = subprotocols.filter { $0.isToken && known.insert($0).inserted }
    if !offered.isEmpty {
      writer.field("Sec-WebSocket-Protocol", offered.joined(separator: ", "))
    }
    if let compression {
      writer.field(ExtensionElement.fieldName, compression.offer.description)
    }
    writer.fields(headers, except: Self.ownNames)
    writer.endLine()
    return writer.bytes
  }

  /// Path and query as they can stand in the request line: no fragment, nothing but visible ASCII.
  static func requestTarget(_ target: String) -> String {
    var line = target.hasPrefix("/") ? "" : "/"
    for byte in target.utf8.prefix(while: { $0 != UInt8(ascii: "#") }) {
      if 0x21...0x7E ~= byte {
        line.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        line += byte < 0x10 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return line
  }
}

extension ClientHandshake {
  /// What is wrong with fields that somebody wants to add to the request, as a sentence for that
  /// person; nil where all can be sent. Values are not repeated: they may be secret.
  package static func problem(with headers: [Header]) -> String? {
    for header in headers {
      if header.name.isEmpty {
        return "A header has no name; write it as \"Name: value\"."
      }
      let name = header.name.debugDescription
      if !header.name.isToken {
        return "The header name \(name) has a character that HTTP does not allow there;"
          + " use letters, digits and hyphens."
      }
      if HandshakeRequest.ownNames.contains(where: header.name.equalsIgnoringCase) {
        return "The header \(name) is written by the handshake itself; leave it out."
      }
      if !header.value.isFieldValue {
        return "The value of the header \(name) has a line break or another control character;"
          + " take it out."
      }
    }
    return nil
  }

  /// The same for subprotocols to offer (RFC 6455 section 4.1: tokens, each only once).
  package static func problem(withSubprotocols subprotocols: [String]) -> String? {
    var known: Set<String> = []
    for subprotocol in subprotocols {
      let name = subprotocol.debugDescription
      if !subprotocol.isToken {
        return "The subprotocol \(name) has a character that HTTP does not allow there;"
          + " use letters, digits, dots and hyphens."
      }
      if !known.insert(subprotocol).inserted {
        return "The subprotocol \(name) is offered twice; offer it once."
      }
    }
    return nil
  }
}
