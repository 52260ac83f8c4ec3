package import Channel
package import WebSocket

/// What the pages about the line are made of.
package struct LineFacts: Sendable {
  package var record: ConnectionRecord
  package var frames: FrameRecord
  /// What is to be hidden of the frames.
  package var secrets: Secrets
  package var compression: DeflateParameters?
  /// Attempts in a row before giving up.
  package var attemptLimit: Int

  package init(
    record: ConnectionRecord = ConnectionRecord(), frames: FrameRecord = FrameRecord(),
    secrets: Secrets = Secrets(), compression: DeflateParameters? = nil, attemptLimit: Int = 10
  ) {
    self.record = record
    self.frames = frames
    self.secrets = secrets
    self.compression = compression
    self.attemptLimit = attemptLimit
  }
}
