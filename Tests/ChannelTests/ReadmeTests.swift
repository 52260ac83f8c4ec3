import Channel
import Foundation
import Testing

@Suite struct ReadmeTests {
  @Test func theProfileInTheReadmeIsOne() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let start = try #require(readme.range(of: "```toml\n"))
    let rest = readme[start.upperBound...]
    let end = try #require(rest.range(of: "```"))
    let profile = try Profile.parse(String(rest[..<end.lowerBound]), file: "README.toml")
    #expect(profile.message == Profile.builtIn.message)
    #expect(profile.liveResumes && profile.postRepeat == .safe)
    #expect(profile.history?.variables == Profile.builtIn.history?.variables)
  }
}
