package import Channel
package import Room
package import Screen
package import Text

package enum ProgramInput: Equatable, Sendable {
  /// The program begins: connect.
  case start
  case key(Key)
  /// A whole line was entered: a message or a command, or nothing at all.
  case entered(String)
  /// There is nothing more to come: as `/quit`, which nobody has entered.
  case inputEnded
  case session(SessionInput)
  case resized(width: Int, height: Int)
  /// The theme that was asked for, or the sentence why there is none.
  case themeLoaded(Theme)
  /// The themes there are, to choose from; answers `listThemes`.
  case themesListed([Theme])
  case notice(UntrustedText, isError: Bool)
  /// The person has chosen another name in a window of the same server.
  case renamed(nick: String)
  /// What is known of the room from earlier runs; comes before `start`.
  case recalled(RoomMemory, room: String)
  /// Answers `loadEarlier`: the messages before those that are there, and whether others stand before them.
  case earlier([KeptMessage], hasEarlier: Bool, room: String)
  /// Answers `loadLater`: the messages behind, and whether others stand behind them.
  case later([KeptMessage], hasLater: Bool, room: String)
  /// Answers `loadPage`.
  case page(TranscriptPage, room: String)
  /// Answers `search`.
  case found([FoundMessage], text: String, room: String?)
  /// Goes to a message of this room that a search for those words has found.
  case goTo(FoundMessage, words: String)
  /// Answers `lookUp`.
  case foundNames([FoundName], for: CompletionQuery)
  /// Answers `editExternally`: what became of the text.
  case edited(String)
  /// Whether what is kept reaches the disk. `isNew` says that the store is another one than before.
  case keeping(reachesDisk: Bool, isNew: Bool)
  /// What the connection is that is about to carry the line.
  case lineDetails(LineDetails)
  /// What became of `save`, in a sentence.
  case saved(String, isError: Bool)
}

package enum ProgramEffect: Equatable, Sendable {
  case openLink(LinkID, Endpoint)
  case write(LinkID, [UInt8])
  case finishLink(LinkID)
  case dropLink(LinkID)
  /// For the log, where one is kept.
  case log(ChannelEvent)
  case loadTheme(String)
  case listThemes
  /// What is wrong with the theme's file is asked for.
  case checkTheme(String)
  /// What is to be written into the configuration file: the names that were chosen, and what they are now; the
  /// keys where they were changed.
  case saveSettings(Settings, names: [String], keys: KeyMap?)
  case bell
  case notify(Notice)
  /// A text into a new file; answered by `saved`.
  case save(String, path: String)
  /// Made safe.
  case setTitle(String)
  /// Asks for names that the machine knows, for completion.
  case lookUp(CompletionQuery)
  /// The person's own editor is to be opened on the text.
  case editExternally(String)
  case suspend
  case repaint
  /// To be written to the disk before the effects behind it: all or none of it.
  case keep([Record])
  /// Of the windows: what a `Workspace` does itself.
  case manage(WindowCommand)
  /// The messages before this one are asked for.
  case loadEarlier(KeptMessage, room: String)
  /// The messages behind this one are asked for.
  case loadLater(KeptMessage, room: String)
  /// The transcript of a room around a place is asked for.
  case loadPage(TranscriptPlace, room: String)
  /// Messages with these words are asked for, of one room or of all.
  case search(String, room: String?)
  /// To the terminal's clipboard.
  case copy(String)
  /// A link of the web, for the browser; nothing of it is to reach a shell.
  case browse(String)
  /// What is kept of a room is to be deleted; a notice says what came of it.
  case forget(room: String)
  /// The last effect of all: what stands before it (the Close of an open line) is still to be written.
  case quit(exitCode: Int32)
}
