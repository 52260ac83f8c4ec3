import Channel
import Glibc

/// Finds profiles by their names: the person's own first, then those that come with the program.
enum ProfileFiles {
  /// `word` is the path of a file, or the name of a profile: no slash and no ending.
  static func load(_ word: String) throws(CommandFailure) -> Profile {
    let path = try path(of: word)
    do {
      return try Profile.parse(readTextFile(path), file: path)
    } catch let error as ProfileError {
      throw .configuration(error.message)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .configuration("\(shown(path)) cannot be read.")
    }
  }

  private static var folders: [String] {
    SharedFolders.named("profiles", inSources: "Sources/App/Profiles")
  }

  /// Where the person's own are looked for, as they may type it.
  static var ownFolder: String {
    environment("XDG_CONFIG_HOME").map { $0 + "/parlour/profiles" } ?? "~/.config/parlour/profiles"
  }

  /// All that can be named, in the order of the alphabet.
  static var names: [String] { all.map(\.name) }

  /// All that can be named, each with the file that it stands for.
  static var all: [(name: String, path: String)] {
    var paths: [String: String] = [:]
    for folder in folders {
      let files = Set(SharedFolders.files(in: folder))
      for ending in endings {
        for file in files where file.hasSuffix(ending) && file != ending {
          let name = String(file.dropLast(ending.count))
          if paths[name] == nil { paths[name] = folder + "/" + file }
        }
      }
    }
    return paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static let endings = [".toml", ".json"]

  private static func path(of word: String) throws(CommandFailure) -> String {
    if word.contains("/") || endings.contains(where: word.hasSuffix) { return word }
    for folder in folders {
      for ending in endings where access(folder + "/" + word + ending, R_OK) == 0 {
        return folder + "/" + word + ending
      }
    }
    let names = names
    throw .configuration(
      "There is no profile \(shown(word))."
        + (names.isEmpty
          ? " No profiles were found at all."
          : " There are: \(names.joined(separator: ", ")).")
        + " A file is given with its ending, .toml or .json.")
  }
}
