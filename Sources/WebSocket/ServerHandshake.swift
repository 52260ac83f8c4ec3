/// What a client asked for, read and checked (RFC 6455 section 4.2.1).
package struct ClientRequest: Equatable, Sendable {
  package var method: String
  package var target: String
  package var headers: [Header]
  /// The offered subprotocols in the client's order.
  package var subprotocols: [String]
  /// The offered extensions in the client's order.
  package var extensions: [ExtensionElement] = []
  /// Sec-WebSocket-Key, or nil where this is a plain HTTP request and no upgrade.
  package var key: String?
  /// How many of the bytes handed over last belong to the request.
  package var consumed: Int

  package init(
    method: String, target: String, headers: [Header], subprotocols: [String], key: String?,
    consumed: Int
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.subprotocols = subprotocols
    self.key = key
    self.consumed = consumed
  }
}

/// The server's side of the opening handshake as a value.
package struct ServerHandshake: Sendable {
  package enum Progress: Equatable, Sendable {
    case incomplete
    case request(ClientRequest)
    /// The request is unusable: the answer to write before the connection is closed.
    case malformed(answer: [UInt8])
  }

  /// Why a request cannot be served; becomes the answer.
  private struct Mistake: Error {
    var status: Int
    var reason: String
    var headers: [Header] = []
    var body: String

    static func badRequest(_ body: String) -> Mistake {
      Mistake(status: 400, reason: "Bad Request", body: body)
    }
  }

  private var reader = HeadReader(skipsEmptyLine: true)
  private var outcome: Progress?

  package init() {}

  /// Takes what came from the client. To be called until the answer is not `incomplete`.
  package mutating func receive(_ bytes: RawSpan) -> Progress {
    if let outcome { return outcome }
    do throws(Mistake) {
      var position = 0
      guard
        let head = try bytes.withUnsafeBytes({ buffer throws(Mistake) in
          try readHead(buffer, at: &position)
        })
      else { return .incomplete }
      let progress = Progress.request(try Self.request(from: head, consumed: position))
      outcome = progress
      return progress
    } catch {
      let progress = Progress.malformed(
        answer: Self.answer(
          status: error.status, reason: error.reason, headers: error.headers, body: error.body))
      outcome = progress
      return progress
    }
  }

  private mutating func readHead(
    _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) throws(Mistake) -> Head? {
    do {
      return try reader.receive(bytes, at: &position)
    } catch {
      switch error {
      case .foreign, .malformed:
        throw .badRequest("The request is not well-formed HTTP/1.1.\n")
      case .tooLarge:
        throw Mistake(
          status: 431, reason: "Request Header Fields Too Large",
          body: "The head of the request is larger than this server reads.\n")
      }
    }
  }

  private static func request(from head: Head, consumed: Int) throws(Mistake) -> ClientRequest {
    let parts = head.startLine.split(separator: " ", omittingEmptySubsequences: false).map {
      String($0)
    }
    guard parts.count == 3, parts[0].isToken, !parts[1].isEmpty, StatusLine.isVersion(parts[2])
    else { throw .badRequest("The request line is not well-formed.\n") }
    let (method, target, version) = (parts[0], parts[1], parts[2])
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw Mistake(
        status: 505, reason: "HTTP Version Not Supported", body: "This server speaks HTTP/1.1.\n")
    }
    let hosts = head.headers.values(of: "Host")
    guard hosts.count == 1 || (hosts.isEmpty && version == "HTTP/1.0") else {
      throw .badRequest("The request needs exactly one Host field.\n")
    }
    var request = ClientRequest(
      method: method, target: target, headers: head.headers, subprotocols: [], key: nil,
      consumed: consumed)
    guard head.headers.hasElement("websocket", of: "Upgrade") else { return request }
    guard version == "HTTP/1.1" else {
      throw .badRequest("A WebSocket upgrade needs HTTP/1.1.\n")
    }
    request.key = try key(method: method, headers: head.headers)
    request.subprotocols = head.headers.elements(of: "Sec-WebSocket-Protocol")
    guard request.subprotocols.allSatisfy(\.isToken) else {
      throw .badRequest("Sec-WebSocket-Protocol is not a list of tokens.\n")
    }
    let extensions = head.headers.values(of: ExtensionElement.fieldName)
    guard let extensions = ExtensionElement.list(extensions) else {
      throw .badRequest("Sec-WebSocket-Extensions is not a list of extensions.\n")
    }
    request.extensions = extensions
    return request
  }

  /// The checks on an upgrade; gives its key.
  private static func key(method: String, headers: [Header]) throws(Mistake) -> String {
    guard method == "GET" else {
      throw Mistake(
        status: 405, reason: "Method Not Allowed", headers: [Header("Allow", "GET")],
        body: "A WebSocket upgrade needs the method GET.\n")
    }
    guard headers.hasElement("upgrade", of: "Connection") else {
      throw .badRequest("The request has Upgrade, but no Connection: Upgrade.\n")
    }
    // A body would be taken for frames.
    guard headers.values(of: "Transfer-Encoding").isEmpty,
      headers.elements(of: "Content-Length").allSatisfy({ $0 == "0" })
    else { throw .badRequest("A WebSocket upgrade has no body.\n") }
    guard headers.values(of: "Sec-WebSocket-Version") == ["13"] else {
      throw Mistake(
        status: 426, reason: "Upgrade Required",
        headers: [
          Header("Upgrade", "websocket"), Header("Sec-WebSocket-Version", "13"),
        ],
        body: "This server speaks version 13 of the WebSocket protocol.\n")
    }
    let keys = headers.values(of: "Sec-WebSocket-Key")
    guard keys.count == 1, let key = keys.first, HandshakeKey.isValid(key) else {
      throw .badRequest("Sec-WebSocket-Key is not 16 bytes in base64.\n")
    }
    return key
  }

  /// The 101 answer. `key` is the request's, `compression` what `DeflateParameters(answering:)` made of
  /// its extensions. Fields that the answer writes itself are left out.
  package static func accept(
    key: String, subprotocol: String?, compression: DeflateParameters? = nil, headers: [Header] = []
  ) -> [UInt8] {
    var writer = HeadWriter("HTTP/1.1 101 Switching Protocols")
    writer.field("Upgrade", "websocket")
    writer.field("Connection", "Upgrade")
    writer.field("Sec-WebSocket-Accept", HandshakeKey.accept(key))
    if let subprotocol { writer.field("Sec-WebSocket-Protocol", subprotocol) }
    if let compression {
      writer.field(ExtensionElement.fieldName, compression.answer.description)
    }
    writer.fields(headers, except: HandshakeRequest.ownNames)
    writer.endLine()
    return writer.bytes
  }

  /// Any other answer, with a body of text and Connection: close. The text is plain unless `headers`
  /// have a Content-Type.
  package static func answer(
    status: Int, reason: String, headers: [Header] = [], body: String
  ) -> [UInt8] {
    var writer = HeadWriter("HTTP/1.1 \(status) \(reason)")
    if headers.values(of: "Content-Type").isEmpty {
      writer.field("Content-Type", "text/plain; charset=utf-8")
    }
    writer.field("Content-Length", String(body.utf8.count))
    // An Upgrade field has to be announced in Connection (RFC 9110 section 7.8).
    let isUpgrading = !headers.values(of: "Upgrade").isEmpty
    writer.field("Connection", isUpgrading ? "close, Upgrade" : "close")
    writer.fields(headers, except: ["Content-Length", "Connection", "Transfer-Encoding"])
    writer.endLine()
    return writer.bytes + Array(body.utf8)
  }
}
