/// What a person may choose about the chat, with the value that each choice has by itself.
///
/// A value without a name or a text form: those stand in `SettingTable`, from which `/set`, the configuration file
/// and completion are made.
package struct Settings: Equatable, Sendable {
  /// A row with the most useful keys under the input.
  package var showsHints = true
  /// A list of the windows at the left of a wide screen.
  package var showsRooms = true
  /// A list of who is in the room at the right of a wide screen.
  package var showsMembers = true

  package init() {}
}
