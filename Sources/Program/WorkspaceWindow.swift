import Channel
import Screen
import WebSocket

extension Workspace.Window {
  init(_ id: WindowID, _ configuration: SessionConfiguration, _ program: Program) {
    self.init(
      id: id, program: program, server: configuration.endpoint.identity,
      shownServer: configuration.endpoint.hostField)
  }
}

/// What one input brings about.
struct WorkspaceTurn {
  let now: Instant
  let wall: Timestamp
  var effects: [WorkspaceEffect] = []

  init(now: Instant, wall: Timestamp) {
    self.now = now
    self.wall = wall
  }
}
