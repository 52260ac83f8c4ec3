package import Room

/// What a person may choose about the chat, with the value that each choice has by itself.
///
/// A value without a name or a text form: those stand in `SettingTable`, from which `/set`, the configuration file
/// and completion are made.
package struct Settings: Equatable, Sendable {
  /// A row with the most useful keys under the input.
  package var showsHints = true
  /// *bold*, `code` and the like are drawn as what they mean.
  package var showsMarkup = true
  /// Longer messages are folded.
  package var foldRows = 40
  package var historyKept = Retention.all

  package init() {}
}
