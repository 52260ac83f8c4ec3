/// Try again or give up, and what to tell the person. See `verdict(…)` for the tables.
package struct Verdict: Equatable, Sendable {
  package enum Course: Equatable, Sendable {
    /// Dial again; not before `after` where the server asked for a pause.
    case retry(after: Duration?)
    case giveUp
    /// Authentication or policy: exit code 77.
    case refused
  }

  package var course: Course
  package var failure: Failure

  package init(_ course: Course, _ failure: Failure) {
    self.course = course
    self.failure = failure
  }
}
