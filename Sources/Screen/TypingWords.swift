import Room
import Text

extension Typists {
  /// Such as "ko and mira are typing…", the shorter ones behind; empty where nobody is.
  var words: [String] {
    let nicks = names.map { cut($0.safe(for: .nick), to: 20) }
    switch nicks.count {
    case 0: return []
    case 1: return ["\(nicks[0]) is typing…", "typing…", "…"]
    case 2: return ["\(nicks[0]) and \(nicks[1]) are typing…", "2 are typing…", "…"]
    default:
      let rest = nicks.count - 2
      let others = rest == 1 ? "1 other" : "\(rest) others"
      return [
        "\(nicks[0]), \(nicks[1]) and \(others) are typing…", "\(nicks.count) are typing…", "…",
      ]
    }
  }
}
