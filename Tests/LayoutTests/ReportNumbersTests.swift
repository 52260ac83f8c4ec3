import Foundation
import Testing

/// Public reports on other chat programs (research/terminal-chat.md, section 3): each has a test that carries its number
/// in its name. Those of the WebSocket research are numbered for themselves, in other folders.
@Suite struct ReportNumbersTests {
  private static let numbers: Set<Int> = [
    1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 26, 27, 28, 29, 30,
    31, 32, 33, 35, 37, 38, 39, 40, 41, 42, 43, 44, 46, 47, 48, 49, 51, 52, 53, 55, 56, 57, 58, 60,
  ]
  private static let places = [
    "Tests/ScreenTests", "Tests/ProgramTests", "Tests/TerminalTests", "Tests/TextTests",
    "Tests/AppTests/TerminalReports.swift", "Tests/AppTests/TerminalLifeTests.swift",
  ]

  @Test func everyReportHasATest() throws {
    var found: Set<Int> = []
    for place in Self.places {
      for file in place.hasSuffix(".swift") ? [place] : Project.files(below: place)
      where file.hasSuffix(".swift") {
        for line in try Project.lines(of: file) {
          guard let name = line.firstMatch(of: /"reports? ([^:"]+): [^"]+"/) else { continue }
          found.formUnion(name.1.matches(of: /\d+/).compactMap { Int($0.output) })
        }
      }
    }
    #expect(Self.numbers.subtracting(found).sorted() == [])
    #expect(found.subtracting(Self.numbers).sorted() == [])
  }
}
