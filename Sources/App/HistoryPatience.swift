import Channel
import Room
import Store

/// Where another program that writes to the store is waited for longer than a key would be, and what is said where that
/// did not help.
extension HistoryKeeper {
  /// What was typed and is lost with the end of the program, in a sentence; nil where nothing is.
  func lossAtTheEnd() -> String? {
    var posts: Set<String> = []
    for record in waiting.flatMap(\.records) {
      switch record {
      case .post(let item, _): posts.insert(item.post.nonce)
      case .postEnded(let nonce, _): posts.remove(nonce)
      default: break
      }
    }
    guard !waiting.isEmpty else { return nil }
    let what =
      switch posts.count {
      case 0: "What came last could"
      case 1: "1 message that was not sent could"
      default: "\(posts.count) messages that were not sent could"
      }
    return "\(what) not be kept. \(lastError)"
  }

  /// Something that cannot be had later is read.
  func patiently<Value>(_ body: () -> Value) -> Value {
    store?.wait(atMost: Self.longPatience)
    defer { store?.wait(atMost: Self.patience) }
    return body()
  }
}
