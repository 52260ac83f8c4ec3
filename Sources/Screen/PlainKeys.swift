/// The keys of a line that is only written forwards: those that move the caret into it have no place there.
package enum PlainKeys {
  package static func isOf(_ key: Key) -> Bool {
    switch key {
    case .character, .paste, .enter, .altEnter, .tab, .backTab, .backspace, .altBackspace, .up,
      .down:
      true
    case .control(let letter): "cdhjnpuwyz_".contains(letter)
    // The windows, and redo.
    case .alt(let letter): "_a0123456789".contains(letter)
    case .function(5), .function(6): true
    default:
      false
    }
  }
}
