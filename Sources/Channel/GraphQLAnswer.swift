import WebSocket

/// What an answer to an operation over HTTP POST means (GraphQL over HTTP, section 6).
enum GraphQLAnswer {
  case result(GraphQLTaskResult)
  /// It says that all is well, and is no result: another attempt would get the same.
  case unreadable(Failure)
  /// A fault of the server, which may have done what it was asked for.
  case inDoubt(Verdict)
  case refusal(Verdict)

  /// `calendar` is our own clock, in seconds since 1970; see `verdict(onRefusal:)`.
  init(
    _ answer: Refusal, to task: GraphQLTask, by configuration: SessionConfiguration,
    calendar: Int64?
  ) {
    let status = answer.status
    let result = GraphQLTaskResult(ofHTTP: answer.body)
    // Nobody was let in, in whatever form that is said.
    let isRefused = (status == 401 || status == 403) && result?.hasDataMember != true
    if let result, !isRefused {
      self = .result(result)
      return
    }
    if (200..<300).contains(status) {
      self = .unreadable(
        Self.failure(
          of: Secrets(configuration).hiding(in: answer), to: task, from: configuration.endpoint))
      return
    }
    let outcome = verdict(
      onRefusal: Secrets(configuration).hiding(in: answer), from: configuration.endpoint,
      sentToken: configuration.sendsCredentials, to: "the operation over HTTP", calendar: calendar)
    self = status >= 500 ? .inDoubt(outcome) : .refusal(outcome)
  }

  private static func failure(
    of answer: Refusal, to task: GraphQLTask, from endpoint: Endpoint
  ) -> Failure {
    let codings = answer.headers.elements(of: "Content-Encoding")
      .filter { $0.lowercased() != "identity" }
    let what =
      codings.isEmpty
      ? "with what is no result of GraphQL, which has “data” or “errors”"
      : "in the coding “\(madeSafe(codings.joined(separator: ", ")))”, which was not asked for"
    let page = excerpt(of: answer)
    let quote = page.isEmpty ? "" : ", saying “\(page)”"
    let doubt = task.kind == .mutation ? "; nobody can know whether the mutation was done" : ""
    return Failure(
      kind: .protocol, status: answer.status,
      message:
        "\(endpoint.hostField) answered \(answer.status) to the operation over HTTP \(what)\(quote);"
        + " check that the URL is that of a GraphQL server\(doubt)",
      short: "no answer of GraphQL")
  }
}
