import Foundation

/// A folder for what a program keeps, gone with the value: no test sees the history of another, or the history or the
/// configuration of the person.
package final class StateFolder {
  /// The value of XDG_STATE_HOME.
  package let path: String

  package init() {
    path = FileManager.default.temporaryDirectory
      .appending(path: "parlour-state-\(UUID().uuidString)").path()
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  package var variables: [String: String] {
    ["XDG_STATE_HOME": path, "XDG_CONFIG_HOME": path + "/config"]
  }
}
