import Glibc
import Program
import Store

/// Opens the store of the person, under a name of its own for this run.
func openStore(_ folder: String, patience: Int32 = 250) throws(CommandFailure) -> Store {
  do throws(StoreError) {
    return try openedStore(folder, patience: patience)
  } catch {
    throw CommandFailure(error.message, exitCode: exitCode(of: error))
  }
}

/// The same for whoever goes by the kind of the error.
func openedStore(_ folder: String, patience: Int32 = 250) throws(StoreError) -> Store {
  // Told by the write as well.
  signal(SIGXFSZ, SIG_IGN)
  var entropy = Machine.entropy()
  return try Store(
    folder: folder, run: makeNonce(&entropy), at: Machine.wall(), patience: patience)
}

/// The same for a command that only reads: what cannot be written, for want of room or of a permission, can be read.
func openStoreForReading(_ folder: String) throws(CommandFailure) -> Store {
  do throws(CommandFailure) {
    return try openStore(folder, patience: 10_000)
  } catch {
    if let store = try? Store(reading: folder) { return store }
    throw error
  }
}

func exitCode(of error: StoreError) -> Int32 {
  switch error.kind {
  case .busy: ExitCode.unavailable
  case .full, .inputOutput: ExitCode.inputOutput
  case .damaged, .unfitting, .newer, .unusable: ExitCode.configuration
  }
}
