/// What a person may choose about the chat, with the value that each choice has by itself.
///
/// A value without a name or a text form: those stand in `SettingTable`, from which `/set`, the configuration file
/// and completion are made.
package struct Settings: Equatable, Sendable {
  /// A row with the most useful keys under the input.
  package var showsHints = true
  /// A paste of more lines than that is asked about; 0 asks about none.
  package var pasteLines = 5

  package init() {}
}
