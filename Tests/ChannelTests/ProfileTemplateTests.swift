import Channel
import JSON
import Testing

@Suite struct ProfileTemplateTests {
  static let values = TemplateValues([
    "room": "lobby", "count": 50, "cursor": .bigInteger("123456789012345678901"), "text": "{nick}",
  ])

  static let expansions: [(String, String?)] = [
    (#""{room}""#, #""lobby""#),
    (#""{count}""#, "50"),
    (#""{count=7}""#, "50"),
    (#""{cursor}""#, "123456789012345678901"),
    // What a value holds is not expanded again.
    (#""{text}""#, #""{nick}""#),
    (#""{nonce}""#, "null"),
    (#""{nonce?}""#, nil),
    (#""{nonce=0}""#, "0"),
    (#""{nonce=true}""#, "true"),
    (#""{nonce=now}""#, #""now""#),
    (#""{nonce=}""#, #""""#),
    (#""{nonce=[1]}""#, "[1]"),
    (#""in {room}""#, #""in {room}""#),
    (#""{unknown}""#, #""{unknown}""#),
    (#""{room""#, #""{room""#),
    (#""{}""#, #""{}""#),
    (#""{room!}""#, #""{room!}""#),
    (#""{ room }""#, #""{ room }""#),
    ("5", "5"),
    ("null", "null"),
    (
      #"{"a":"{room}","b":"{nonce?}","c":["{nonce?}","{count}"],"d":{"e":"{nonce?}"}}"#,
      #"{"a":"lobby","c":[50],"d":{}}"#
    ),
  ]

  @Test(arguments: expansions)
  func templatesBecomeValues(template: String, expected: String?) throws {
    let expanded = Template.expand(try JSON.parse(template), with: Self.values)
    #expect(expanded?.text == expected)
  }

  static let paths: [(String, [String])] = [
    ("a", ["1"]),
    ("b.c", [#""x""#]),
    ("b.missing", []),
    ("b.c.d", []),
    ("list", ["[10,20,null]"]),
    ("list.*", ["10", "20"]),
    ("list.0", ["10"]),
    ("list.1", ["20"]),
    ("list.2", []),
    ("list.7", []),
    ("list.99999999999999999999", []),
    ("edges.*.node.id", ["1", "2"]),
    ("edges.*.*.id", ["1", "2"]),
    ("b.*", [#""x""#]),
    ("7", [#""seven""#]),
    ("missing|a", ["1"]),
    ("nothing|a", ["1"]),
    ("a|b.c", ["1"]),
    ("b.missing|b.c", [#""x""#]),
    ("missing|gone", []),
    ("nothing", []),
    ("|a", ["1"]),
    ("", []),
  ]

  @Test(arguments: paths)
  func pathsLeadToEverythingTheyName(path: String, expected: [String]) throws {
    let value = try JSON.parse(
      #"{"a":1,"b":{"c":"x"},"list":[10,20,null],"nothing":null,"7":"seven","#
        + #""edges":[{"node":{"id":1}},{"node":{"id":2}},{"node":null},5]}"#)
    let finder = PathFinder(Profile.Path(path))
    #expect(finder.all(in: value).map(\.text) == expected)
    #expect(finder.first(in: value)?.text == expected.first)
  }

  @Test func aPathOverAnythingButObjectsAndListsFindsNothing() {
    for value: JSON in [nil, true, 1, 1.5, "text", .bigInteger("9")] {
      #expect(PathFinder(Profile.Path("a.*.0")).all(in: value).isEmpty)
    }
  }
}
