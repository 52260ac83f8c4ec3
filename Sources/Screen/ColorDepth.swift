/// How much colour to show. In this order: the option or configuration (`never`, `16`, `256`, `24bit`; `auto`
/// or nil goes on), NO_COLOR where it is not empty, whether there is a terminal at all, COLORTERM, and the
/// number of colours in terminfo.
package func chooseDepth(
  option: String?, noColor: String?, isTerminal: Bool, colorTerm: String?, terminfoColors: Int
) -> Theme.Depth {
  switch option {
  case "never": return .none
  case "16": return .ansi16
  case "256": return .indexed256
  case "24bit": return .full
  default: break
  }
  if let noColor, !noColor.isEmpty { return .none }
  guard isTerminal else { return .none }
  if colorTerm == "truecolor" || colorTerm == "24bit" { return .full }
  switch terminfoColors {
  case Theme.Depth.full.rawValue...: return .full
  case 256...: return .indexed256
  case 8...: return .ansi16
  default: return .none
  }
}
