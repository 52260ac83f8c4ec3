/// Why the store could not do what was asked of it.
package struct StoreError: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Another program writes to it for longer than is waited: try again.
    case busy
    /// No room on the disk, or a limit on the size of files: try again later.
    case full
    /// The disk does not do what it should.
    case inputOutput
    /// What the file holds is no store, or a broken one.
    case damaged
    /// The tables are not those that the program knows, or do not take what it writes.
    case unfitting
    /// Written by a newer version of the program.
    case newer
    /// The folder or the file cannot be used: permissions, somebody else's, a link.
    case unusable
  }

  package var kind: Kind
  /// A sentence for people.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension StoreError {
  init(full path: String) {
    self.init(.full, "There is no room on the disk for the history \(path): make some.")
  }

  /// Nothing can be written just now, and what is there can be read all the same.
  var isPassing: Bool { kind == .busy || kind == .full }

  /// What is to be written may be tried again later.
  package var mayPass: Bool { isPassing || kind == .inputOutput }
}
