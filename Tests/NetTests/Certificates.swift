import Glibc
import Net
import Testing

/// Certificates for the tests, made once in each run with the openssl command.
struct Certificates: Sendable {
  let folder: String

  /// Throws where the command is missing.
  static func made() throws -> Certificates {
    try #require(shared, "the openssl command did not make the certificates")
  }

  func path(_ file: String) -> String { folder + "/" + file }

  /// A context that trusts the authority of the tests.
  func trusting(_ change: (inout TLSOptions) -> Void = { _ in }) throws -> TLSContext {
    var options = TLSOptions()
    options.certificateAuthorityFile = path("authority.pem")
    change(&options)
    return try TLSContext(options)
  }

  /// The pins of `good` and `stranger`, as the openssl command makes them.
  func pins() throws -> (good: String, stranger: String) {
    let child = try Child(["cat", path("pins")])
    let words = try #require(child.line()).split(separator: " ").map(String.init)
    _ = child.wait()
    try #require(words.count == 2)
    return (words[0], words[1])
  }

  private static let shared: Certificates? = {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = "/" + package + "/.build/net-tests"
    guard let status = try? Child.run(["/bin/sh", "-e", "-c", script, "sh", folder]), status == 0
    else { return nil }
    return Certificates(folder: folder)
  }()

  /// `authority` has signed everything but `stranger`, which has signed itself.
  private static let script = """
    mkdir -p "$1"
    cd "$1"
    ec="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    openssl req -x509 $ec -keyout authority.key -out authority.pem -subj '/CN=Test Authority' -days 2
    openssl req -x509 $ec -keyout stranger.key -out stranger.pem -subj /CN=localhost -days 2 \
      -addext subjectAltName=DNS:localhost
    leaf() {
      openssl req $ec -keyout $1.key -out $1.csr -subj "/CN=$1"
      echo "subjectAltName=$2" > $1.ext
      openssl x509 -req -in $1.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
        -out $1.pem -days $3 -extfile $1.ext
    }
    leaf good DNS:localhost,IP:127.0.0.1,IP:::1 2
    leaf nameonly DNS:localhost 2
    leaf other DNS:other.example,DNS:*.other.example,IP:192.0.2.7 2
    leaf expired DNS:localhost,IP:127.0.0.1 -1
    leaf client DNS:client.example 2
    pin() {
      openssl x509 -in $1.pem -pubkey -noout | openssl pkey -pubin -outform der |
        openssl dgst -sha256 -binary | openssl base64 -A
    }
    echo sha256//$(pin good) sha256//$(pin stranger) > pins
    openssl pkey -in client.key -aes128 -passout pass:secret -out locked.key
    echo nothing > empty.pem
    """
}

/// A child process, by posix_spawn.
final class Child {
  let process: pid_t
  private let output: Int32
  private var status: Int32?

  /// Starts it with its standard output in a pipe; input and error output are /dev/null.
  init(_ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      throw Failure()
    }
    self.process = process
    output = ends[0]
  }

  struct Failure: Error {}

  /// The next line of its output; nil at the end.
  func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Its exit status, once it has ended. May be asked again: what is closed twice may be somebody else's by then.
  func wait() -> Int32 {
    if let status { return status }
    close(output)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    self.status = status
    return status
  }

  /// Ends it where it still runs.
  func end() {
    guard status == nil else { return }
    kill(process, SIGTERM)
    _ = wait()
  }

  static func run(_ arguments: [String]) throws -> Int32 {
    let child = try Child(arguments)
    while child.line() != nil {}
    return child.wait()
  }
}
