package import WebSocket

/// permessage-deflate (RFC 7692) over zlib, for one connection.
///
/// Both streams are made when the first compressed message asks for them, and kept: after that a message
/// costs no memory of its own.
///
/// Sendable without a lock since a machine, which is a value with one owner, is the only one to use it.
package final class PerMessageDeflate: MessageTransform, @unchecked Sendable {
  /// Below that, a message with little before it in the window hardly shrinks, and is not worth the work.
  private static let smallestWithTakeover = 128
  private static let smallestAlone = 1024
  /// A window that zlib's bare streams do not write: its matches might reach back too far.
  private static let unwritableWindowBits = 8

  package let threshold: Int

  private let deflater: Deflater
  private let inflater: Inflater

  /// For the side that plays `role`. `threshold` is for those who know better which messages are too small.
  package init(_ parameters: DeflateParameters, role: Role, threshold: Int? = nil) {
    let other: Role =
      switch role {
      case .client: .server
      case .server: .client
      }
    let writesAlone = parameters.hasNoContextTakeover(writing: role)
    let windowBits = parameters.windowBits(writing: role)
    let usual = writesAlone ? Self.smallestAlone : Self.smallestWithTakeover
    self.threshold = windowBits <= Self.unwritableWindowBits ? .max : threshold ?? usual
    deflater = Deflater(windowBits: windowBits, keepsWindow: !writesAlone)
    inflater = Inflater(keepsWindow: !parameters.hasNoContextTakeover(writing: other))
  }

  package func compress(_ message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    threshold == .max ? nil : deflater.compress(message)
  }

  package func restore(
    _ piece: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int? {
    inflater.restore(&piece, into: room)
  }

  package func endMessage() -> Bool {
    inflater.endMessage()
  }
}
