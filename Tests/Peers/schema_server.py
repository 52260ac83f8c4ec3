"""A GraphQL server over HTTP POST alone, with one of several schemas:

failing            the history has an error in the place of messages
numbers            rooms are numbers, and messages have no author
lacking            its subscriptions are none for messages, and many
"""
from __future__ import annotations

import argparse
import asyncio
import json
import re

from graphql import build_schema, graphql_sync

CHAT = """
type Query { messages(room: String!): [Message!]! }
type Message { id: ID! text: String! author: String }
type Mutation { post(room: String!, text: String!): Message }
type Subscription { messageAdded(room: String!): Message }
"""
SCHEMAS = {
    "failing": CHAT,
    "numbers": CHAT.replace("room: String!", "roomId: Int!").replace("author: String", "mood: String"),
    "lacking": "type Query { a: Int } type Thing { id: ID } type Subscription { "
    + " ".join(f"thing{number}: Thing" for number in range(20)) + " }",
}


async def main() -> None:
    parser = argparse.ArgumentParser(prog="schema_server.py", description=__doc__)
    parser.add_argument("kind", choices=sorted(SCHEMAS))
    parser.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    args = parser.parse_args()
    schema = build_schema(SCHEMAS[args.kind])

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: *(\d+)", head, re.I)
            if length is None:
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            body = json.loads(await reader.readexactly(int(length.group(1))))
            found = graphql_sync(schema, body["query"], variable_values=body.get("variables")).formatted
            text = json.dumps(found).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                         b"Content-Length: %d\r\n\r\n" % len(text) + text)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}/", flush=True)
        await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
