import Foundation

/// Writes a script that can be called. A child writes it: children that other tests fork meanwhile would hold a descriptor
/// of this process that is open for writing, and the kernel starts no file that anybody has open so (ETXTBSY).
package func writeProgram(_ text: String, at path: String) throws {
  let shell = Process()
  shell.executableURL = URL(filePath: "/bin/sh")
  shell.arguments = ["-c", "printf %s \"$1\" >\"$0\" && chmod 755 \"$0\"", path, text]
  try shell.run()
  shell.waitUntilExit()
  guard shell.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
}
