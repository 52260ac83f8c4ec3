import Channel
import Net

/// How a connecting command reaches its server: trust in TLS, and addressing.
struct LinkOptions {
  private(set) var tls = TLSOptions()
  private var family = AddressFamily.any
  /// Addresses that stand for the look-up of a host and port (`--resolve`).
  private var resolved: [HostPort: [String]] = [:]

  init(_ arguments: Arguments) throws(CommandFailure) {
    tls.certificateAuthorityFile = arguments.value("cacert")
    tls.certificateFile = arguments.value("cert")
    tls.keyFile = arguments.value("key")
    tls.isInsecure = arguments.has("insecure")
    if let name = arguments.value("server-name") {
      tls.serverName = try Self.host(name, of: "server-name")
    }
    switch arguments.value("tls-min") {
    case nil, "1.2"?: tls.minimumVersion = .tls12
    case "1.3"?: tls.minimumVersion = .tls13
    case let other?: throw .usage("--tls-min \(shown(other)) is neither 1.2 nor 1.3.")
    }
    if tls.keyFile != nil, tls.certificateFile == nil {
      throw .usage("--key needs the certificate that it belongs to: --cert FILE.")
    }
    for text in arguments.values("pin") {
      guard let pin = PublicKeyPin(parsing: text) else {
        throw .usage("--pin \(shown(text)) is no pin: write sha256// and the hash in base64.")
      }
      tls.pins.append(pin)
    }
    switch (arguments.has("ipv4"), arguments.has("ipv6")) {
    case (true, true): throw .usage("--ipv4 and --ipv6 exclude each other.")
    case (true, false): family = .ipv4
    case (false, true): family = .ipv6
    case (false, false): break
    }
    for text in arguments.values("resolve") { try takeResolved(text) }
  }

  /// HOST:PORT:ADDRESS, as curl writes it; an IPv6 address may stand in brackets.
  private mutating func takeResolved(_ text: String) throws(CommandFailure) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, let port = UInt16(parts[1]), !parts[2].isEmpty
    else {
      throw .usage(
        "--resolve \(shown(text)) is not HOST:PORT:ADDRESS, such as chat.example:443:127.0.0.1.")
    }
    let place = HostPort(host: try Self.host(parts[0], of: "resolve"), port: port)
    for part in parts[2].split(separator: ",", omittingEmptySubsequences: false) {
      var address = part
      if address.hasPrefix("["), address.hasSuffix("]") { address = address.dropFirst().dropLast() }
      guard AddressFamily.ofAddress(address) != nil else {
        throw .usage(
          "--resolve \(shown(text)): \(shown(String(part))) is no IP address, such as 127.0.0.1 or ::1."
        )
      }
      resolved[place, default: []].append(String(address))
    }
  }

  /// That --ipv4 or --ipv6 leaves no way to where TCP goes: to be said at once, since no attempt could help.
  func check(_ host: String, _ port: UInt16) throws(CommandFailure) {
    guard family != .any else { return }
    let option = family == .ipv4 ? "--ipv4" : "--ipv6"
    let other = family == .ipv4 ? "IPv6" : "IPv4"
    let given = resolved[HostPort(host: host.lowercased(), port: port)]
    let addresses = given ?? [host]
    let families = addresses.map { AddressFamily.ofAddress($0) }
    guard families.allSatisfy({ $0 != nil && $0 != family }) else { return }
    let subject = addresses.map { shown($0) }.joined(separator: ", ")
    let verb = addresses.count == 1 ? "is an \(other) address" : "are \(other) addresses"
    throw .usage(
      "\(option) does not go with \(subject), which \(verb): leave out \(option)"
        + "\(given == nil ? "" : " or change --resolve").")
  }

  /// A host as endpoints and proxies name it: an address in digits, else a name in ASCII.
  private static func host(
    _ text: some StringProtocol, of option: String
  ) throws(CommandFailure) -> String {
    guard !text.contains(":") else { return text.lowercased() }
    do {
      return try HostName.ascii(text)
    } catch {
      throw .usage("--\(option): \(error.message)")
    }
  }

  /// TLS with an https proxy. What else is said about TLS concerns the server alone.
  var proxyTLS: TLSOptions {
    var options = TLSOptions()
    options.peer = .proxy
    options.certificateAuthorityFile = tls.certificateAuthorityFile
    return options
  }

  func proxy(_ proxy: ProxyEndpoint, tls: TLSContext?, tunnel: any Tunnel) -> LinkProxy {
    var result = LinkProxy(host: proxy.host, port: proxy.port, name: proxy.named, tunnel: tunnel)
    result.tls = tls
    result.addresses = resolved[HostPort(host: proxy.host, port: proxy.port)] ?? []
    result.looksUpServer = proxy.kind == .socks5
    return result
  }

  func target(_ endpoint: Endpoint, tls: TLSContext?, timeLimit: Duration) -> LinkTarget {
    var target = LinkTarget(
      host: endpoint.host, port: endpoint.port, tls: endpoint.isSecure ? tls : nil)
    target.family = family
    let place = HostPort(host: endpoint.host.lowercased(), port: endpoint.port)
    target.addresses = resolved[place] ?? []
    target.timeLimit = timeLimit
    return target
  }
}
