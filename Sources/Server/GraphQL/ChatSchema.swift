import GraphQL

/// What GraphQL clients of the embedded server can ask for.
enum ChatSchema {
  static let sdl = """
    "Rooms of messages."
    schema {
      query: Query
      mutation: Mutation
      subscription: Subscription
    }

    type Query {
      "Messages of a room, oldest first: the newest ones, or those that follow `after`."
      messages(
        room: String!
        "How many at most; the server gives no more than 1000."
        last: Int! = 50
        "The id of a message."
        after: ID
        "The id of a message: the newest ones that were said before it."
        before: ID
      ): [Message!]!
      "The names of those who are in a room, as far as they gave one."
      members(room: String!): [String!]!
    }

    type Mutation {
      "Says something. A repeat with the same clientId gives the first message back."
      postMessage(
        room: String!
        author: String!
        text: String!
        "What the client made up for the post, so that a repeat of it is known."
        clientId: String
        "The id of the message that it answers."
        replyTo: ID
      ): Message!
      "Another text for a message of one's own."
      editMessage(room: String!, id: ID!, author: String!, text: String!): Message!
      "Takes the text of a message of one's own away."
      deleteMessage(room: String!, id: ID!, author: String!): Message!
      "Puts an emoji to a message; the same again does nothing."
      addReaction(room: String!, id: ID!, author: String!, emoji: String!): Message!
      "Takes one's own emoji back."
      removeReaction(room: String!, id: ID!, author: String!, emoji: String!): Message!
      "Tells the others in the room that somebody is writing."
      setTyping(room: String!, nick: String!): Boolean!
    }

    type Subscription {
      "What is said from now on; with `after`, what followed that first."
      messageAdded(
        room: String!
        "The id of a message."
        after: ID
        "Under which name the others see the connection among the members."
        nick: String
      ): Message!
      "Messages that were edited, deleted or reacted to, as they are then."
      messageChanged(room: String!): Message!
      "The name of somebody else who is writing something just now."
      typing(room: String!): String!
      "Who is in the room: at once, and whenever somebody comes or goes."
      members(room: String!): [String!]!
    }

    "A message of a room."
    type Message {
      id: ID!
      "Its number in the room, from 1."
      seq: Int!
      room: String!
      author: String!
      text: String!
      "ISO 8601 in UTC, with milliseconds."
      sentAt: String!
      "As the client that posted it gave it."
      clientId: String
      "When it got the text that it has; null where that is its first."
      editedAt: String
      "When it was deleted: its text is empty then."
      deletedAt: String
      "Grows with every change of a message; null where there was none."
      revision: Int
      "The id of the message that it answers, which need not be there any more."
      replyTo: ID
      reactions: [Reaction!]!
    }

    "An emoji that people put to a message."
    type Reaction {
      emoji: String!
      count: Int!
      authors: [String!]!
    }
    """

  /// A test reads the text, so that it is never the empty schema.
  static let schema = (try? GraphQLSchema(sdl: sdl)) ?? .empty

  static let budget = GraphQLBudget(values: 200_000, text: 64 << 20)
  /// Sixteen times the longest message.
  static let budgetOfEvent = GraphQLBudget(values: 200_000, text: 1 << 20)
}
