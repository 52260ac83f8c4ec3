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
    }

    type Mutation {
      "Says something. A repeat with the same clientId gives the first message back."
      postMessage(
        room: String!
        author: String!
        text: String!
        "What the client made up for the post, so that a repeat of it is known."
        clientId: String
      ): Message!
    }

    type Subscription {
      "What is said from now on; with `after`, what followed that first."
      messageAdded(
        room: String!
        "The id of a message."
        after: ID
      ): Message!
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
    }
    """

  /// A test reads the text, so that it is never the empty schema.
  static let schema = (try? GraphQLSchema(sdl: sdl)) ?? .empty

  static let budget = GraphQLBudget(values: 200_000, text: 64 << 20)
  /// Sixteen times the longest message.
  static let budgetOfEvent = GraphQLBudget(values: 200_000, text: 1 << 20)
}
