import Channel

/// What came of asking for a schema.
struct SchemaAnswer {
  var schema: IntrospectedSchema?
  var transport: Profile.Transport
  var code: Int32
  var hasAnswered = true
  /// In one of the two ways something was said as GraphQL has it.
  var spokeGraphQL = true
}

/// The sentences of `parlour profile guess`. Names in them are the server's.
enum GuessWords {
  private static let mostNames = 8

  static func withoutSchema(_ answer: SchemaAnswer) -> String {
    guard answer.hasAnswered else {
      return
        "Nothing was drafted, since no answer came: parlour check URL goes there step by step."
    }
    guard answer.code != ExitCode.refused else {
      return
        "Nothing was drafted, since the server refused: give the token it wants by --token-file, --token-command or PARLOUR_TOKEN."
    }
    guard answer.spokeGraphQL else {
      return
        "This is no GraphQL server, or not its URL: it chose none of GraphQL's subprotocols, and gave no GraphQL answer over HTTP"
        + " POST. Plain text and envelopes need no profile: parlour URL."
    }
    return
      "The server does not show its schema: it may have introspection switched off. Then a profile has to be"
      + " written by hand; those that come with the program are a beginning."
  }

  /// Why no draft can be made: the subscriptions there are, and what each lacks.
  static func lacking(in schema: IntrospectedSchema) -> [String] {
    let found = ProfileGuess.lacking(in: schema)
    guard !found.isEmpty else {
      return ["The schema has no subscriptions: nothing in it tells what is new in a room."]
    }
    let lines = found.prefix(mostNames).map { lacking in
      "  \(shown(lacking.subscription)) (\(shown(lacking.type))) lacks \(lacking.lacks.joined(separator: ", and "))."
    }
    let rest = found.count - lines.count
    return ["No subscription of the schema looks like one for messages:"] + lines
      + (rest > 0 ? ["  … and \(rest) more."] : [])
  }

  /// What the draft leaves to the person.
  static func gaps(of guess: ProfileGuess) -> [String] {
    var lines: [String] = []
    if !guess.hasAuthor {
      lines.append(
        "No author was found in \(shown(guess.messageType)): add [message] author to the draft.")
    }
    let questions = guess.questions
    guard !questions.isEmpty else { return lines }
    lines.append(
      "The server demands what Parlour knows nothing about: write the values into the draft, or {room} or {nick} where"
        + " these are meant.")
    lines += questions.prefix(mostNames).map { question in
      let places = question.places.prefix(mostNames).map { shown($0) }.joined(separator: ", ")
      return "  ASK_\(shown(question.name)) (\(shown(question.type))) stands in \(places)."
    }
    let rest = questions.count - mostNames
    return lines + (rest > 0 ? ["  … and \(rest) more."] : [])
  }

  static func fault(_ error: any Error) -> String {
    switch error {
    case let error as ProfileError: error.message
    case let error as GraphQLTask.Fault: error.message
    default: "it cannot be used."
    }
  }
}
