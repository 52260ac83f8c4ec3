import Foundation
import Testing

/// The arrows of the architecture: which module may import which. Anything else fails.
private let arrows: [String: Set<String>] = [
  // CSimdjson: its check of UTF-8, which is five times as fast as one without vector instructions.
  "WebSocket": ["COpenSSL", "CSimdjson"],
  "Deflate": ["WebSocket", "CZlib"],
  "JSON": ["CSimdjson"],
  // The language, for the profiles' documents on one side and the embedded server on the other.
  "GraphQL": ["JSON"],
  "TOML": ["CTomlplusplus", "JSON"],
  "Text": ["CUTF8Proc"],
  "Net": ["COpenSSL", "CLinux", "Glibc", "Synchronization"],
  // CIdn2: the host of a URL is the name in ASCII from the moment it is read.
  "Channel": [
    "WebSocket", "Deflate", "JSON", "TOML", "Text", "GraphQL", "CIdn2", "Glibc",
  ],
  "Room": ["Channel", "Text", "WebSocket", "JSON"],
  "Store": ["Channel", "Room", "Text", "JSON", "CSQLite", "Glibc"],
  "Screen": ["Room", "Channel", "Text", "TOML", "JSON", "WebSocket"],
  "Program": ["Screen", "Room", "Channel", "Text", "WebSocket", "JSON"],
  "Server": ["WebSocket", "Deflate", "JSON", "GraphQL"],
  "Terminal": ["Screen", "CNcurses", "CLinux", "Glibc"],
  "App": [
    "Program", "Screen", "Room", "Channel", "Text", "TOML", "JSON", "WebSocket", "Terminal", "Net",
    "Server", "Store", "CLinux", "Glibc", "Synchronization",
  ],
  "parlour": ["App", "Glibc"],
  // Of Channel: Endpoint, Backoff, Bearer, KeepAlive and the verdicts; the dialects and the session are the chat's.
  // FoundationEssentials: Data, URL and the JSON coders are what callers have in their hands. No other module may
  // import it, and the program, which does not depend on this library, does not link it.
  "Sockets": [
    "WebSocket", "Deflate", "JSON", "Net", "Channel", "FoundationEssentials",
    "Synchronization",
  ],
]

/// Modules that decide and so may touch neither machine nor clock.
private let pure = [
  "WebSocket", "Deflate", "JSON", "GraphQL", "TOML", "Text", "Channel", "Room", "Screen", "Program",
  "Server",
]

@Suite struct ImportTests {
  @Test(arguments: Project.modules)
  func everyImportIsAnArrowOfTheArchitecture(module: String) throws {
    let allowed = try #require(arrows[module], "\(module) is not in the table of arrows")
    for file in Project.files(below: "Sources/\(module)") where file.hasSuffix(".swift") {
      for line in try Project.lines(of: file) {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index <= 1, index + 1 < words.count
        else { continue }
        let name = String(words[index + 1])
        #expect(allowed.contains(name), "\(file) imports \(name)")
      }
    }
  }

  @Test func foundationIsTheLibrarysAloneAndTheProgramDoesNotDependOnIt() throws {
    for (module, imports) in arrows {
      let foundation = imports.filter { $0.hasPrefix("Foundation") }
      #expect(foundation == (module == "Sockets" ? ["FoundationEssentials"] : []))
      #expect(!imports.contains("Sockets"), "\(module) imports the library")
    }
  }

  @Test(arguments: Project.modules)
  func onlyTheLibraryIsPublic(module: String) throws {
    guard module != "Sockets" else { return }
    for file in Project.files(below: "Sources/\(module)") where file.hasSuffix(".swift") {
      for line in try Project.lines(of: file) {
        let isPublic = line.drop { $0 == " " }.hasPrefix("public ")
        #expect(!isPublic, "\(file): \(line)")
      }
    }
  }

  @Test func theTableHasNoModuleThatIsGone() {
    #expect(Set(arrows.keys) == Set(Project.modules))
  }

  @Test(arguments: pure)
  func pureModulesAskNoClockAndStartNoTask(module: String) throws {
    let forbidden = [
      "ContinuousClock", "SuspendingClock", "Task {", "async ", "await ", "clock_gettime",
      "getenv(", " socket(",
    ]
    for file in Project.files(below: "Sources/\(module)") where file.hasSuffix(".swift") {
      for line in try Project.lines(of: file) where !line.contains("//") {
        for word in forbidden { #expect(!line.contains(word), "\(file): \(line)") }
      }
    }
  }
}

@Suite struct FileTests {
  @Test func filesHaveOneDutyAndSoAreShort() throws {
    for (folder, most) in [("Sources", 300), ("Tests", 600)] {
      for file in Project.files(below: folder) where file.hasSuffix(".swift") {
        let count = try Project.lines(of: file).count
        #expect(count <= most, "\(file) has \(count) lines")
      }
    }
  }

  @Test func nothingUnwrapsByForceOrIsLeftUndone() throws {
    let forbidden = ["try!", " as! ", "fatalError(", "TODO", "FIXME"]
    for file in Project.files(below: "Sources") where file.hasSuffix(".swift") {
      for line in try Project.lines(of: file) {
        for word in forbidden { #expect(!line.contains(word), "\(file): \(line)") }
      }
    }
  }

  @Test func theTopLevelHoldsNothingElse() throws {
    let expected: Set<String> = [
      "Package.swift", "Sources", "Tests", "themes", "README.md", "Makefile", "LICENSE",
    ]
    let found = try FileManager.default.contentsOfDirectory(atPath: Project.root)
      .filter { !$0.hasPrefix(".") }
    #expect(Set(found) == expected)
  }
}
