import Channel
import Program
import Text

/// Opening windows: what they connect with, and what an earlier run left of their rooms.
extension WindowLoop {
  func open(
    _ id: WindowID, asked: WindowID, _ make: () throws(CommandFailure) -> ConnectOptions
  ) {
    do throws(CommandFailure) {
      open(id, try make(), asked: asked, isShown: true)
    } catch {
      feed(.notice(UntrustedText(error.message), isError: true), to: asked)
    }
  }

  func remember(_ options: ConnectOptions) {
    let origin = options.session.endpoint.origin
    if known[origin] == nil { known[origin] = options }
  }

  /// With the frames that `/frames` shows.
  static func recording(_ options: ConnectOptions) -> ConnectOptions {
    var options = options
    options.session.recordsFrames = true
    return options
  }

  func open(_ id: WindowID, _ options: ConnectOptions, asked: WindowID, isShown: Bool) {
    var options = Self.recording(options)
    do throws(CommandFailure) {
      let server = options.session.endpoint.identity
      if let keeper { options.session.context.memory.cursors = keeper.cursors(of: server) }
      lines.append(try ChatLine(id, options, loop: self, surroundings: surroundings))
      remember(options)
      let memory = keeper?.recall(options.session.context.room, of: server)
      let opening = WorkspaceInput.Opening(
        configuration: options.session, memory: memory, isShown: isShown)
      feed(.opened(id, opening))
      for warning in options.warnings {
        feed(.notice(UntrustedText(warning), isError: true), to: id)
      }
      if keeper != nil { tell([]) }
    } catch {
      feed(.notice(UntrustedText(error.message), isError: true), to: asked)
    }
  }
}
