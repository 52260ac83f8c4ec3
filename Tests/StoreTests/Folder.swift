import Channel
import Foundation
import Glibc
import JSON
import Room
import Store
import Synchronization
import Text

/// A folder of its own. It goes with the process: SQLite knows files by their inodes, and one that is given out again
/// while a connection to the file before is open would be taken for that file.
final class Folder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "parlour-store-\(UUID().uuidString)").path()
    Folder.cleanUp
    Folder.all.withLock { $0.append(path) }
  }

  private static let all = Mutex<[String]>([])
  private static let owner = Mutex<pid_t>(0)
  private static let cleanUp: Void = {
    owner.withLock { $0 = getpid() }
    atexit {
      // A test forks children that exit with the handlers of this process: the folders are not theirs.
      guard Folder.owner.withLock({ $0 }) == getpid() else { return }
      for path in Folder.all.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }()

  var file: String { path + "/history.sqlite" }

  func open(
    run: String = UUID().uuidString, patience: Int32 = 2_000, system: String? = nil
  ) throws -> Store {
    try Store(
      folder: path, run: run, at: Timestamp(milliseconds: 1_767_225_600_000), patience: patience,
      system: system)
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

let server = "ws://chat.example/ws"

func kept(
  _ number: Int, _ text: String? = nil, id: String? = nil, author: String = "ada",
  time: Int64? = nil,
  nonce: String? = nil, isMine: Bool = false
) -> KeptMessage {
  let moment = Timestamp(milliseconds: time ?? 1_767_225_600_000 + Int64(number) * 1_000)
  let message = ChatMessage(
    id: id ?? "m\(number)", author: UntrustedText(author),
    text: UntrustedText(text ?? "message \(number)"), time: moment, nonce: nonce,
    cursor: .string(id ?? "m\(number)"), isMine: isMine)
  return KeptMessage(message: message, time: moment, place: number * Serials.stride)
}

func records(_ messages: [KeptMessage], in room: String = "lobby") -> [Record] {
  messages.map { .message($0, room: room) }
}

func post(_ nonce: String, _ state: OutboxItem.State = .pending) -> OutboxItem {
  OutboxItem(
    post: Post(nonce: nonce, text: "post \(nonce)"), state: state,
    time: Timestamp(milliseconds: 1_767_225_600_000))
}

extension RoomMemory {
  var texts: [String] { messages.map(\.message.text.raw) }
}
