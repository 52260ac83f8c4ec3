/// The inputs that wait for their turn.
struct TurnQueue<Input> {
  fileprivate var waiting: [Input] = []
  fileprivate var isBusy = false
}

/// Somebody who hands inputs to a value and does what it says. What an effect leads to (a link that opens at
/// once) waits until the effects before it are done.
protocol EffectLoop: AnyObject {
  associatedtype Input
  associatedtype Effect

  var turns: TurnQueue<Input> { get set }
  func effects(of input: Input) -> [Effect]
  func perform(_ effect: Effect)
  /// Everything that was handed over is done.
  func turnsEnded()
}

extension EffectLoop {
  func feed(_ input: Input) {
    turns.waiting.append(input)
    perform([])
  }

  /// Does what the value said, and then what that led to.
  func perform(_ effects: [Effect]) {
    guard !turns.isBusy else {
      for effect in effects { perform(effect) }
      return
    }
    turns.isBusy = true
    for effect in effects { perform(effect) }
    var next = 0
    while next < turns.waiting.count {
      for effect in self.effects(of: turns.waiting[next]) { perform(effect) }
      next += 1
    }
    turns.waiting.removeAll(keepingCapacity: true)
    turns.isBusy = false
    turnsEnded()
  }
}
