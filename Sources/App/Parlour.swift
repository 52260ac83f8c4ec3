/// Runs the program with the process's arguments and returns its exit code.
package func runParlour() -> Int32 {
  0
}
