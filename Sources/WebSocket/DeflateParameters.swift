/// permessage-deflate as a client offers it, or as both sides agreed on it (RFC 7692 section 7.1).
package struct DeflateParameters: Equatable, Sendable {
  /// The server begins every message with an empty window.
  package var serverNoContextTakeover = false
  /// The client does.
  package var clientNoContextTakeover = false
  /// The server refers to at most 2 to the power of so many bytes back: 8 to 15; nil is 15, not mentioned.
  package var serverMaxWindowBits: Int?
  /// The same for the client. In an offer nil is a client that cannot be told, and 15 one without a wish
  /// of its own.
  package var clientMaxWindowBits: Int?

  package init(
    serverNoContextTakeover: Bool = false, clientNoContextTakeover: Bool = false,
    serverMaxWindowBits: Int? = nil, clientMaxWindowBits: Int? = nil
  ) {
    self.serverNoContextTakeover = serverNoContextTakeover
    self.clientNoContextTakeover = clientNoContextTakeover
    self.serverMaxWindowBits = serverMaxWindowBits
    self.clientMaxWindowBits = clientMaxWindowBits
  }

  /// What a client offers without need for anything else; some gateways break when an offer holds
  /// numbers.
  package static let usualOffer = DeflateParameters(clientMaxWindowBits: 15)

  /// Whether what this side writes begins every message with an empty window.
  package func hasNoContextTakeover(writing role: Role) -> Bool {
    switch role {
    case .client: clientNoContextTakeover
    case .server: serverNoContextTakeover
    }
  }

  /// The window of what this side writes.
  package func windowBits(writing role: Role) -> Int {
    switch role {
    case .client: clientMaxWindowBits ?? 15
    case .server: serverMaxWindowBits ?? 15
    }
  }

  /// The server's side: accepts the first offer whose parameters are all understood, with all that it
  /// asks for; nil where there is none.
  package init?(answering offers: [ExtensionElement]) {
    for offer in offers where offer.isDeflate {
      guard var parameters = DeflateParameters(offer, isOffer: true) else { continue }
      // What the client says it can do asks for nothing.
      parameters.clientMaxWindowBits = nil
      self = parameters
      return
    }
    return nil
  }

  /// The client's side: what the server's answer makes of this offer; nil where it does not go with it.
  func agreed(by element: ExtensionElement) -> DeflateParameters? {
    guard var agreed = DeflateParameters(element, isOffer: false) else { return nil }
    // What was asked of the server it has to grant; what was promised holds without an echo.
    if serverNoContextTakeover, !agreed.serverNoContextTakeover { return nil }
    if let asked = serverMaxWindowBits {
      guard let granted = agreed.serverMaxWindowBits, granted <= asked else { return nil }
    }
    if agreed.clientMaxWindowBits != nil, clientMaxWindowBits == nil { return nil }
    agreed.clientNoContextTakeover = agreed.clientNoContextTakeover || clientNoContextTakeover
    agreed.clientMaxWindowBits = [agreed.clientMaxWindowBits, clientMaxWindowBits]
      .compactMap { $0 }.min()
    return agreed
  }

  var offer: ExtensionElement {
    var element = parametersForBoth
    if let bits = clientMaxWindowBits {
      // Without a value it says that the server may choose.
      element.parameters.append(
        ExtensionElement.Parameter(Name.clientMaxWindowBits, bits == 15 ? nil : String(bits)))
    }
    return element
  }

  var answer: ExtensionElement {
    var element = parametersForBoth
    if let bits = clientMaxWindowBits {
      element.parameters.append(ExtensionElement.Parameter(Name.clientMaxWindowBits, String(bits)))
    }
    return element
  }

  // MARK: - The wire

  private enum Name {
    static let serverNoContextTakeover = "server_no_context_takeover"
    static let clientNoContextTakeover = "client_no_context_takeover"
    static let serverMaxWindowBits = "server_max_window_bits"
    static let clientMaxWindowBits = "client_max_window_bits"
  }

  /// Reads the parameters; nil where one is unknown, stands twice, or has a value that it cannot have
  /// (RFC 7692 section 7.1).
  private init?(_ element: ExtensionElement, isOffer: Bool) {
    var seen: Set<String> = []
    for parameter in element.parameters {
      let name = String(decoding: parameter.name.utf8.map(\.lowercasedASCII), as: UTF8.self)
      guard seen.insert(name).inserted else { return nil }
      let bits = parameter.value.flatMap(Self.windowBits)
      if parameter.value != nil, bits == nil { return nil }
      switch name {
      case Name.serverNoContextTakeover where parameter.value == nil:
        serverNoContextTakeover = true
      case Name.clientNoContextTakeover where parameter.value == nil:
        clientNoContextTakeover = true
      case Name.serverMaxWindowBits where bits != nil:
        serverMaxWindowBits = bits
      case Name.clientMaxWindowBits where bits != nil || isOffer:
        clientMaxWindowBits = bits ?? 15
      default:
        return nil
      }
    }
  }

  /// 8 to 15 without leading zeros.
  private static func windowBits(_ text: String) -> Int? {
    guard text.utf8.allSatisfy(\.isDigit), text.utf8.first != UInt8(ascii: "0"),
      let bits = Int(text), 8...15 ~= bits
    else { return nil }
    return bits
  }

  private var parametersForBoth: ExtensionElement {
    var element = ExtensionElement(ExtensionElement.deflateName)
    if serverNoContextTakeover {
      element.parameters.append(ExtensionElement.Parameter(Name.serverNoContextTakeover))
    }
    if clientNoContextTakeover {
      element.parameters.append(ExtensionElement.Parameter(Name.clientNoContextTakeover))
    }
    if let bits = serverMaxWindowBits {
      element.parameters.append(ExtensionElement.Parameter(Name.serverMaxWindowBits, String(bits)))
    }
    return element
  }
}

extension ExtensionElement {
  static let deflateName = "permessage-deflate"

  var isDeflate: Bool { name.equalsIgnoringCase(Self.deflateName) }
}
