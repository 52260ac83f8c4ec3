import Glibc
import Net

// The peer of the conformance suites: `echo-peer client HOST:PORT`, `echo-peer server HOST:PORT`.
let words = CommandLine.arguments
guard words.count == 3, let place = HostPort(parsing: words[2]) else {
  print("usage: echo-peer client|server HOST:PORT")
  exit(64)
}
switch words[1] {
case "client":
  guard try EchoClient(place).run() else {
    print("echo-peer: no suite answers at \(place)")
    exit(69)
  }
case "server":
  let server = try EchoServer(on: place)
  print("listening on ws://\(server.address)/")
  fflush(nil)
  server.run()
default:
  exit(64)
}
