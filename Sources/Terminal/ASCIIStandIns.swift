/// What the signs of the screen are drawn as where the locale has no more than ASCII: bars and states are told apart
/// still, and text of others becomes a question mark.
func asciiStandIn(for scalar: Unicode.Scalar) -> CellPiece {
  guard let letter = standIns[scalar] else { return .questionMark }
  return CellPiece(scalars: [UInt32(letter)], columns: 1)
}

private let standIns: [Unicode.Scalar: UInt8] = {
  // From the state of the line over rules to bars, each with its letter below.
  let signs = "●○◌◐◓◑◒✕✓│─═┄▌▏▕·…‹›«»“”↑↓←→▁▂▃▄▅▆▇█▓▒░□▸✎"
  let letters = "*o.oOoOxv|-=-|||..<><>\"\"^v<>_.:-=+*##%:?>~"
  var table: [Unicode.Scalar: UInt8] = [:]
  for (sign, letter) in zip(signs.unicodeScalars, letters.utf8) { table[sign] = letter }
  return table
}()
