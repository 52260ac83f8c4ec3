import CNcurses

/// What one cell of ncurses holds: a spacing scalar and at most four marks.
struct CellPiece: Equatable {
  var scalars: [UInt32]
  var columns: Int

  static let blank = CellPiece(scalars: [0x20], columns: 1)
  /// White square: stands for what libc does not know or what has no room.
  static let standIn = CellPiece(scalars: [0x25A1], columns: 1)
  static let questionMark = CellPiece(scalars: [0x3F], columns: 1)
}

/// Splits a cluster into the cells that show it, exactly `columns` wide by libc's own widths: ncurses goes by
/// those, and a cluster of two spacing scalars (a flag) takes two cells. Controls never get through.
func cellPieces(of text: String, columns: Int, encoding: TextEncoding) -> [CellPiece] {
  var pieces: [CellPiece] = []
  var used = 0
  for scalar in text.unicodeScalars {
    if isForbidden(scalar) { continue }
    var piece: CellPiece
    switch scalar.isASCII || encoding != .ascii ? Int(pc_width(scalar.value)) : -2 {
    case -2: piece = asciiStandIn(for: scalar)
    case -1: piece = .standIn
    case 0:
      guard let last = pieces.indices.last else {
        piece = CellPiece(scalars: [0x20, scalar.value], columns: 1)
        break
      }
      // A joiner at the end of a wide glyph would join it to the neighbour cell.
      let joins = scalar.value == 0x200D && pieces[last].columns == 2
      if !joins, pieces[last].scalars.count < 5 { pieces[last].scalars.append(scalar.value) }
      continue
    case let width: piece = CellPiece(scalars: [scalar.value], columns: width)
    }
    if used + piece.columns > columns {
      if pieces.isEmpty, columns > 0 {
        piece = .standIn
      } else {
        break
      }
    }
    pieces.append(piece)
    used += piece.columns
  }
  while used < columns {
    pieces.append(.blank)
    used += 1
  }
  return pieces
}

/// Controls and bidi controls, which ncurses would obey or pass on, and variation selectors, which make
/// terminals count columns differently from ncurses. The grid should hold none; this is the last door.
private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
    0xFE0E, 0xFE0F:
    true
  default: false
  }
}
