import Channel
import Net

/// Lets a link speak with a proxy, in the words of `Channel`.
nonisolated final class ProxyTunnel: Tunnel {
  private let proxy: ProxyEndpoint
  private var dialogue: ProxyDialogue?
  /// Why the proxy did not open the way, once it did not.
  private(set) var verdict: Verdict?

  init(_ proxy: ProxyEndpoint) {
    self.proxy = proxy
  }

  func begin(to place: HostPort) -> TunnelStep {
    let wall = Timestamp(milliseconds: MachineClock.wallMilliseconds())
    let (dialogue, step) = ProxyDialogue.begin(
      with: proxy, to: place.host, port: place.port, wall: wall)
    self.dialogue = dialogue
    return take(step)
  }

  func receive(_ bytes: RawSpan) -> TunnelStep {
    guard let step = dialogue?.receive(bytes) else { return .failed(triesNextAddress: false) }
    return take(step)
  }

  func ended() -> TunnelStep {
    guard let step = dialogue?.ended() else { return .failed(triesNextAddress: false) }
    return take(step)
  }

  private func take(_ step: ProxyDialogue.Step) -> TunnelStep {
    switch step {
    case .waiting(let bytes): return .waiting(send: bytes)
    case .refusing: return .refusing
    case .open(let consumed): return .open(consumed: consumed)
    case .failed(let verdict, let isOfAddress):
      self.verdict = verdict
      return .failed(triesNextAddress: isOfAddress)
    }
  }
}
