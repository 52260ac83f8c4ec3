// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]
/// Modules whose globals belong to the one thread that draws and waits.
let onMainThread: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

func module(
  _ name: String, _ imports: [String], exclude: [String] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: imports.map { .byName(name: $0) }, exclude: exclude,
    swiftSettings: settings)
}

func tests(_ name: String, _ imports: [String], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: imports.map { .byName(name: $0) }, exclude: exclude,
    swiftSettings: strict)
}

let package = Package(
  name: "parlour",
  products: [
    .executable(name: "parlour", targets: ["parlour"]),
    .library(name: "Sockets", targets: ["Sockets"]),
  ],
  targets: [
    .systemLibrary(name: "CNcurses"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CIdn2"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CUTF8Proc"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CSQLite"),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CTomlplusplus"),

    module("WebSocket", ["COpenSSL", "CSimdjson"]),
    module("Deflate", ["WebSocket", "CZlib"]),
    module("JSON", ["CSimdjson"]),
    module("GraphQL", ["JSON"]),
    module("TOML", ["CTomlplusplus", "JSON"]),
    module("Text", ["CUTF8Proc"]),
    module("Net", ["COpenSSL", "CLinux"]),
    module("Channel", ["WebSocket", "Deflate", "JSON", "TOML", "Text", "GraphQL", "CIdn2"]),
    module("Room", ["Channel", "Text", "WebSocket", "JSON"]),
    module("Store", ["Channel", "Room", "Text", "JSON", "CSQLite"]),
    module("Screen", ["Room", "Channel", "Text", "TOML", "JSON", "WebSocket"]),
    module("Program", ["Screen", "Room", "Channel", "Text", "WebSocket", "JSON"]),
    module("Server", ["WebSocket", "Deflate", "JSON", "GraphQL"]),
    module("Terminal", ["Screen", "CNcurses", "CLinux"], settings: onMainThread),
    module(
      "App",
      [
        "Program", "Screen", "Room", "Channel", "Text", "TOML", "JSON", "WebSocket", "Terminal",
        "Net", "Server", "Store", "CLinux",
      ], exclude: ["Profiles"], settings: onMainThread),
    module("Sockets", ["WebSocket", "Deflate", "JSON", "Net", "Channel"]),
    .executableTarget(name: "parlour", dependencies: ["App"], swiftSettings: onMainThread),

    .target(
      name: "TestKit", dependencies: ["WebSocket", "Channel", "Screen"], path: "Tests/TestKit",
      swiftSettings: strict),
    .executableTarget(
      name: "echo-peer", dependencies: ["WebSocket", "Deflate", "Net"], path: "Tests/Echo",
      swiftSettings: strict),
    tests("WebSocketTests", ["WebSocket", "TestKit"]),
    tests("DeflateTests", ["Deflate", "WebSocket", "CZlib", "TestKit"]),
    tests("JSONTests", ["JSON"]),
    tests("GraphQLTests", ["GraphQL", "JSON", "WebSocket", "TestKit"], exclude: ["Schemas"]),
    tests("TOMLTests", ["TOML", "JSON"]),
    tests("TextTests", ["Text"]),
    tests("NetTests", ["Net", "COpenSSL"]),
    tests(
      "ChannelTests", ["Channel", "WebSocket", "Deflate", "JSON", "TOML", "Text", "TestKit"]),
    tests("RoomTests", ["Room", "Channel", "Text", "WebSocket", "TestKit"]),
    tests(
      "ScreenTests", ["Screen", "Room", "Channel", "Text", "TOML", "JSON", "WebSocket", "TestKit"],
      exclude: ["Goldens"]),
    tests(
      "ProgramTests",
      ["Program", "Server", "Screen", "Room", "Channel", "Text", "WebSocket", "JSON", "TestKit"]),
    tests("ServerTests", ["Server", "GraphQL", "WebSocket", "JSON", "TestKit"]),
    tests("TerminalTests", ["Terminal", "Screen", "CNcurses", "TestKit"]),
    tests(
      "AppTests",
      ["App", "Program", "Store", "Screen", "Room", "Channel", "Text", "JSON", "TestKit"]),
    .executableTarget(
      name: "sockets-example", dependencies: ["Sockets"], path: "Tests/Example",
      swiftSettings: strict),
    .executableTarget(
      name: "sockets-probe", dependencies: ["Sockets", "TestKit"], path: "Tests/SocketsProbe",
      swiftSettings: strict),
    tests("SocketsTests", ["Sockets", "Channel", "WebSocket", "TestKit"]),
    tests("StoreTests", ["Store", "Channel", "Room", "Text", "JSON", "CSQLite", "TestKit"]),
    tests("LayoutTests", []),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
