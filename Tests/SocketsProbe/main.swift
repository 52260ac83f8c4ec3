import Foundation
import Sockets

// Runs what has to be counted for a process of its own: `cancel URL N`, `memory URL` and `bench flood|sink|echo URL`.

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "cancel" where arguments.count == 3:
  let isWhole = await CancelProbe(base: arguments[1], repetitions: Int(arguments[2]) ?? 1).run()
  exit(isWhole ? 0 : 1)
case "memory" where arguments.count == 2:
  exit(try await MemoryProbe(base: arguments[1]).run() ? 0 : 1)
case "bench" where arguments.count >= 3:
  try await BenchProbe(Array(arguments.dropFirst())).run()
default:
  print(
    "usage: sockets-probe cancel URL N | memory URL | bench flood|sink|echo URL --count N --size BYTES"
  )
  exit(64)
}
