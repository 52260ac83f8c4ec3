import JSON
import Text
import WebSocket

/// Posts as mutations, and what becomes of them.
extension GraphQLDialect {
  package mutating func post(_ post: Post, at now: Instant) -> [DialectOutput] {
    guard let operation = context.profile.post else {
      return [
        .rejected(
          nonce: post.nonce,
          reason: UntrustedText(
            "the profile “\(context.profile.name)” has no “post”; add one to be able to write"))
      ]
    }
    guard line?.connection.phase == .acknowledged else { return [.unsure(nonce: post.nonce)] }
    ledger.own(post.nonce)
    unresolved.removeAll { $0 == post.nonce }
    var values = templateValues
    values["text"] = .string(post.text)
    values["nonce"] = .string(post.nonce)
    if let target = post.replyTo { values["reply"] = wireID(target) }
    let id = newID()
    line?.operations[id] = .post(
      GraphQLLine.PostRequest(
        nonce: post.nonce, room: context.room, answerBy: now + Self.postTimeout))
    return [ask(id, operation, values)]
  }

  mutating func postResult(
    _ payload: JSON, _ request: GraphQLLine.PostRequest, at now: Instant
  ) -> [DialectOutput] {
    line?.failuresOfPosts = 0
    let errors = GraphQLErrors.text(inResult: payload)
    let data = payload["data"] ?? .null
    let checked = postItems.map { checkPaths(of: .post, $0, in: data) } ?? []
    let item = postItems.flatMap { MessageReader.items(at: $0, in: data).first }
    guard let reading = item.flatMap({ reader.read($0) }) else {
      if let errors {
        if let outputs = refusedForToken(.post(request), inResult: payload) { return outputs }
        return [.rejected(nonce: request.nonce, reason: errors)]
      }
      if let refusal = GraphQLErrors.text(inPayloadOf: data) {
        return [.rejected(nonce: request.nonce, reason: refusal)]
      }
      // The mutation ran without an error: Hasura gives null for a repeat, others return no message at all.
      let told: [DialectOutput] =
        data.isNull
        ? notice("The server answered a message with an empty result.", kind: "post") : []
      return checked + told + [.sent(nonce: request.nonce, nil)]
    }
    var outputs = checked
    if let errors {
      outputs += notice("The server took a message with errors: \(errors.raw)", kind: "post error")
    }
    var message = reading.message
    let isNameless = MessageReader.isMadeUp(message.id)
    // It comes again by the subscription, with its id.
    if isNameless, context.profile.message.id != nil {
      return outputs + [.sent(nonce: request.nonce, nil)]
    }
    message.nonce = request.nonce
    message.isMine = true
    if !isNameless { ledger.answer(request.nonce, id: message.id) }
    guard request.room == context.room else {
      let known = ledger.enter(message, room: request.room).message
      return outputs + [.sent(nonce: request.nonce, known)]
    }
    if line?.held != nil {
      // Its place is behind what is outstanding.
      if line?.held?.append([message]) == false { outputs += releaseHeld() }
      return outputs + [.sent(nonce: request.nonce, message)]
    }
    // The cursor does not move: what others said just before may come by the subscription after this.
    let entry = ledger.enter(message, room: request.room)
    if entry.isNew {
      outputs.append(.messages([entry.message], .live))
      if isNameless { line?.echoes[entry.message.id, default: 0] += 1 }
    }
    return outputs + [.sent(nonce: request.nonce, entry.message)]
  }

  mutating func postsTimedOut(at now: Instant) -> [DialectOutput] {
    var outputs: [DialectOutput] = []
    let late = (line?.operations ?? [:]).filter { _, operation in
      if case .post(let request) = operation { request.answerBy <= now } else { false }
    }
    guard !late.isEmpty else { return [] }
    for id in late.keys { line?.operations[id] = nil }
    for request in late.sortedPosts {
      unresolved.append(request.nonce)
      outputs += notice(
        "The server has not answered a message for 30 seconds.", kind: "post late")
      outputs.append(
        context.profile.postRepeat == .safe
          ? .repeatable(nonce: request.nonce) : .unsure(nonce: request.nonce))
    }
    return outputs
  }

  /// A message with the nonce of a post was seen: the server has it. False where the post is settled or
  /// not ours.
  mutating func settle(_ nonce: String) -> Bool {
    for (id, operation) in line?.operations ?? [:] {
      if case .post(let request) = operation, request.nonce == nonce {
        line?.operations[id] = nil
        return true
      }
    }
    guard let index = unresolved.firstIndex(of: nonce) else { return false }
    unresolved.remove(at: index)
    return true
  }

  /// Whether a message without an id is one that the history or the answer to a post has shown.
  mutating func isEcho(of message: ChatMessage) -> Bool {
    guard let count = line?.echoes[message.id], count > 0 else { return false }
    line?.echoes[message.id] = count > 1 ? count - 1 : nil
    return true
  }

  /// The history since the cursor is complete, and what is not in it did not arrive.
  mutating func lookUpPosts() -> [DialectOutput] {
    guard context.profile.looksUpPosts else { return [] }
    defer { unresolved = [] }
    return unresolved.map { .repeatable(nonce: $0) }
  }

  // MARK: - Over HTTP

  /// The request failed though the line stands. It is made once more after a second, two, four and so on, where that
  /// does no harm; the outbox keeps the order.
  mutating func postFailed(
    _ request: GraphQLLine.PostRequest, _ reason: String, mayBeThere: Bool, at now: Instant
  ) -> [DialectOutput] {
    let told = notice(
      mayBeThere
        ? "A message may not have arrived: \(reason)." : "A message did not go out: \(reason).",
      kind: "post over HTTP")
    if mayBeThere { unresolved.append(request.nonce) }
    let failures = line?.failuresOfPosts ?? 0
    guard !mayBeThere || context.profile.postRepeat == .safe, failures < Self.mostPostRepeats
    else {
      line?.failuresOfPosts = 0
      guard mayBeThere else {
        return told + [.rejected(nonce: request.nonce, reason: UntrustedText(reason))]
      }
      return told + [.unsure(nonce: request.nonce)]
    }
    line?.failuresOfPosts = failures + 1
    line?.repeats.append(
      GraphQLLine.PostRepeat(nonce: request.nonce, mayBeThere: mayBeThere))
    line?.repeatAt = now + .seconds(1 << failures)
    return told
  }

  /// Those that have not turned up in the meantime.
  mutating func takeRepeats() -> [DialectOutput] {
    let repeats = line?.repeats ?? []
    line?.repeats = []
    line?.repeatAt = nil
    return repeats.filter { !$0.mayBeThere || unresolved.contains($0.nonce) }
      .map { .repeatable(nonce: $0.nonce) }
  }
}

extension Profile {
  /// `repeat = lookup`: an unsure post becomes repeatable, or is sent, once the history since the cursor is complete.
  package var looksUpPosts: Bool {
    postRepeat == .lookup && message.nonce != nil && history != nil
  }
}
