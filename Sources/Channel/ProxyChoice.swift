/// That the proxy which was asked for cannot be used, as a sentence with the option or variable that named it.
package struct ProxyError: Error, Equatable, Sendable {
  package var message: String
  /// The environment named it, not the command line.
  package var isOfEnvironment: Bool
}

/// Where proxies are named: the command line and the environment.
package struct ProxySettings {
  /// `--proxy`; an empty one switches proxies off.
  package var option: String?
  /// `--no-proxy`; even an empty one takes the place of the environment's.
  package var exceptions: String?
  /// The value of a variable of the environment.
  package var environment: (String) -> String?

  package init(
    option: String? = nil, exceptions: String? = nil,
    environment: @escaping (String) -> String?
  ) {
    self.option = option
    self.exceptions = exceptions
    self.environment = environment
  }

  /// The proxy that connections to the endpoint go through; nil: none. As with curl, exceptions go before
  /// everything else, also those of the environment before `--proxy`.
  package func proxy(for endpoint: Endpoint) throws(ProxyError) -> ProxyEndpoint? {
    let exceptions = exceptions ?? variable("no_proxy") ?? variable("NO_PROXY") ?? ""
    if NoProxyList(exceptions).contains(endpoint.host, port: endpoint.port) { return nil }
    if let option {
      guard !option.isEmpty else { return nil }
      return try Self.read(option, source: "--proxy", isOfEnvironment: false)
    }
    for name in Self.variables(isSecure: endpoint.isSecure) {
      if let text = variable(name) {
        return try Self.read(text, source: name, isOfEnvironment: true)
      }
    }
    return nil
  }

  /// In the order of curl. `HTTP_PROXY` is not among them: a web server sets it for its CGI programs from the
  /// Proxy field of whoever asks.
  private static func variables(isSecure: Bool) -> [String] {
    let own =
      isSecure
      ? ["wss_proxy", "WSS_PROXY", "https_proxy", "HTTPS_PROXY"]
      : ["ws_proxy", "WS_PROXY", "http_proxy"]
    return own + ["all_proxy", "ALL_PROXY"]
  }

  /// One that is empty counts as one that is not there.
  private func variable(_ name: String) -> String? {
    guard let text = environment(name), !text.isEmpty else { return nil }
    return text
  }

  private static func read(
    _ text: String, source: String, isOfEnvironment: Bool
  ) throws(ProxyError) -> ProxyEndpoint {
    do {
      return try ProxyEndpoint(parsing: text, source: source)
    } catch {
      let place = isOfEnvironment ? "The environment's \(source)" : source
      throw ProxyError(
        message: "\(place) cannot be used: \(error.clause)", isOfEnvironment: isOfEnvironment)
    }
  }
}
