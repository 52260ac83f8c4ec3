"""A GraphQL client on the gql library over graphql-transport-ws, against Parlour's server.

Fetches the schema by introspection unless --no-schema, subscribes to a room, posts each --post, waits until
--expect messages came by the subscription, reads the history, and prints a JSON line for each:
{"event":"schema","types":[…]}, {"event":"posted","message":{…}}, {"event":"live","message":{…}},
{"event":"history","messages":[{…}]}, {"event":"error","message":…}, {"event":"refused","status":…},
{"event":"closed","code":…,"reason":…}, {"event":"timeout"}.

Exit codes: 0 all went well, 1 an error or time was over, 2 the server refused or closed the connection.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import sys

from gql import Client, gql
from gql.transport.exceptions import TransportError, TransportQueryError
from gql.transport.websockets import WebsocketsTransport
from websockets.exceptions import ConnectionClosed, InvalidStatus

FIELDS = "fragment Line on Message { id seq room author text sentAt clientId }"
LIVE = gql("subscription Live($room: String!, $after: ID) "
           "{ messageAdded(room: $room, after: $after) { ...Line } } " + FIELDS)
POST = gql("mutation Post($room: String!, $author: String!, $text: String!, $key: String) "
           "{ postMessage(room: $room, author: $author, text: $text, clientId: $key) { ...Line } } " + FIELDS)
HISTORY = gql("query History($room: String!, $last: Int! = 50, $after: ID) "
              "{ messages(room: $room, last: $last, after: $after) { ...Line __typename } } " + FIELDS)


def tell(event: str, **fields) -> None:
    print(json.dumps({"event": event, **fields}, ensure_ascii=False), flush=True)


def with_variables(document, **variables):
    """gql 4 carries the variables in the request; a variable that is None is left out."""
    document.variable_values = {name: value for name, value in variables.items() if value is not None}
    return document


async def live(session, args, started: asyncio.Event) -> None:
    seen = 0
    request = with_variables(LIVE, room=args.room, after=args.after)
    started.set()
    async for result in session.subscribe(request):
        tell("live", message=result["messageAdded"])
        seen += 1
        if seen >= args.expect:
            return


async def talk(args) -> int:
    transport = WebsocketsTransport(
        url=args.url, subprotocols=[WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL],
        init_payload={"Authorization": f"Bearer {args.token}"} if args.token else {},
        connect_args={"proxy": None}, connect_timeout=args.max_seconds, ping_interval=5)
    async with Client(transport=transport, fetch_schema_from_transport=not args.no_schema,
                      execute_timeout=args.max_seconds) as session:
        if session.client.schema:
            tell("schema", types=sorted(name for name in session.client.schema.type_map
                                        if not name.startswith("__")))
        listening = None
        if args.expect:
            started = asyncio.Event()
            listening = asyncio.ensure_future(live(session, args, started))
            await started.wait()
            await asyncio.sleep(0)  # lets the subscription be written before the posts
        for number, text in enumerate(args.post):
            key = f"{args.key}-{number}" if args.key else None
            result = await session.execute(with_variables(
                POST, room=args.room, author=args.author, text=text, key=key))
            tell("posted", message=result["postMessage"])
        if listening:
            await listening
        result = await session.execute(with_variables(
            HISTORY, room=args.room, last=args.last, after=args.after))
        tell("history", messages=result["messages"])
    return 0


async def main() -> int:
    parser = argparse.ArgumentParser(prog="gql_client.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="such as ws://127.0.0.1:PORT/graphql")
    parser.add_argument("--room", default="lobby")
    parser.add_argument("--author", default="gql")
    parser.add_argument("--post", action="append", default=[], metavar="TEXT")
    parser.add_argument("--key", help="makes the posts repeatable: their client ids are KEY-0, KEY-1, …")
    parser.add_argument("--expect", type=int, default=0, metavar="N", help="messages to wait for by the subscription")
    parser.add_argument("--after", help="an id to go on from")
    parser.add_argument("--last", type=int)
    parser.add_argument("--token", help="travels in the connection_init payload")
    parser.add_argument("--no-schema", action="store_true", help="does without introspection")
    parser.add_argument("--max-seconds", type=float, default=20.0)
    args = parser.parse_args()
    try:
        return await asyncio.wait_for(talk(args), args.max_seconds)
    except (asyncio.TimeoutError, TimeoutError):
        tell("timeout")
        return 1
    except TransportQueryError as error:
        tell("error", message=str(error), errors=error.errors)
        return 1
    except (TransportError, ConnectionClosed, InvalidStatus) as error:
        return explain(error)


def explain(error: BaseException) -> int:
    """gql wraps what the websockets library says: the cause tells whether the server ended the line."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, InvalidStatus):
            tell("refused", status=cause.response.status_code)
            return 2
        if isinstance(cause, ConnectionClosed) and cause.rcvd:
            tell("closed", code=cause.rcvd.code, reason=cause.rcvd.reason)
            return 2
        cause = cause.__cause__ or cause.__context__
    tell("error", message=str(error) or type(error).__name__)
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
