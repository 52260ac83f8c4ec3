"""Holds a GraphQL chat server against the reference implementations: the gql library asks, graphql-core knows better.

Prints `ok NAME` for each matter, or `wrong NAME: …`; exit code 1 where anything is wrong. The server's schema is that of
Parlour's embedded server, and the room must be fresh.
"""
from __future__ import annotations

import argparse
import asyncio
import sys

from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport
from graphql import build_schema, graphql_sync, parse, print_ast, print_schema, validate_schema

POST = "mutation($t: String!, $r: String!) { postMessage(room: $r, author: \"ada\", text: $t) { id seq } }"
LIVE = "subscription($r: String!, $after: ID) { messageAdded(room: $r, after: $after) { text } }"

# Documents with a fault, and their variables: as many errors as graphql-core finds, in the same lines.
FAULTS = [
    ("{ nope }", {}), ("{ messages { id } }", {}), ("{ messages(room: 5) { id } }", {}),
    ("{ messages(room: \"r\") }", {}), ("{ messages(room: \"r\") { id { x } } }", {}),
    ("{ ...F }", {}), ("{ messages(room: \"r\") { ...F } } fragment F on Nope { id }", {}),
    ("query($r: Int) { messages(room: $r) { id } }", {"r": 1}),
    ("query($r: String!) { messages(room: $r) { id } }", {}),
    ("query($r: String!) { messages(room: $r) { id } }", {"r": None}),
    ("query($n: Int!) { messages(room: \"r\", last: $n) { id } }", {"n": "many"}),
    ("query($n: Int!) { messages(room: \"r\", last: $n) { id } }", {"n": 2 ** 40}),
    ("{ messages(room: \"r\") { id @skip } }", {}), ("{ messages(room: \"r\") { id @nope } }", {}),
    ("{ a: messages(room: \"r\") { id } a: messages(room: \"s\") { id } }", {}),
    ("mutation { postMessage(room: \"r\") { id } }", {}),
    ("{\n  messages(\n    room: \"r\"\n    wrong: 1) {\n    id\n    also\n  }\n}", {}),
]


class Failure(Exception):
    pass


def places(errors: list[dict]) -> list[dict]:
    """The form of section 7.1.2 without words and columns: both are everybody's own, and graphql-core's change."""
    for error in errors:
        if not isinstance(error["message"], str) or not error["message"]:
            raise Failure(f"{error!r} has no message")
        if any(place["column"] < 1 for place in error.get("locations", [])):
            raise Failure(f"{error!r} has a column before the first")
    return [{**error, "message": "", "locations": [place["line"] for place in error.get("locations", [])]}
            for error in errors]


def same(found, expected) -> None:
    if found != expected:
        raise Failure(f"{found!r} is not {expected!r}")


class Checks:
    def __init__(self, session, room: str) -> None:
        self.session, self.room = session, room

    async def ask(self, text: str, **variables):
        document = gql(text)
        document.variable_values = variables
        return await self.session.execute(document)

    def subscribe(self, text: str, **variables):
        document = gql(text)
        document.variable_values = variables
        return self.session.subscribe(document)

    async def post(self, text: str) -> str:
        return (await self.ask(POST, t=text, r=self.room))["postMessage"]["id"]

    # ---- each matter

    async def schema(self) -> None:
        schema = self.session.client.schema
        text = print_schema(schema)
        same(validate_schema(build_schema(text)), [])
        same(print_schema(build_schema(text)), text)

    async def fragments_and_aliases(self) -> None:
        await self.post("one")
        result = await self.ask(
            "query($r: String!) { first: messages(room: $r, last: 1) { ...L again: text } "
            "second: messages(room: $r, last: 1) { ... on Message { seq } ... { author } } } "
            "fragment L on Message { text ...M } fragment M on Message { room }", r=self.room)
        same(result, {"first": [{"text": "one", "room": self.room, "again": "one"}],
                      "second": [{"seq": 1, "author": "ada"}]})

    async def variables_with_defaults(self) -> None:
        text = "query($r: String!, $n: Int! = 1, $after: ID = null) { messages(room: $r, last: $n, after: $after) { seq } }"
        await self.post("two")
        same(await self.ask(text, r=self.room), {"messages": [{"seq": 2}]})
        same(await self.ask(text, r=self.room, n=2), {"messages": [{"seq": 1}, {"seq": 2}]})
        # A variable that is not given leaves the argument's own default.
        own = "query($r: String!, $n: Int) { messages(room: $r, last: $n) { seq } }"
        same(await self.ask(own.replace("$n: Int)", "$n: Int = 1)"), r=self.room), {"messages": [{"seq": 2}]})
        same(len((await self.ask(own, r=self.room))["messages"]), 2)

    async def skip_and_include(self) -> None:
        text = ("query($r: String!, $on: Boolean!) { messages(room: $r, last: 1) { seq @include(if: $on) "
                "text @skip(if: $on) ...F @skip(if: true) ... @include(if: $on) { room } } } "
                "fragment F on Message { author }")
        same(await self.ask(text, r=self.room, on=True), {"messages": [{"seq": 2, "room": self.room}]})
        same(await self.ask(text, r=self.room, on=False), {"messages": [{"text": "two"}]})

    async def typename(self) -> None:
        result = await self.ask(
            "query($r: String!) { __typename kind: __typename messages(room: $r, last: 1) { __typename } }", r=self.room)
        same(result, {"__typename": "Query", "kind": "Query", "messages": [{"__typename": "Message"}]})
        same((await self.ask("{ __type(name: \"Message\") { name kind } }")),
             {"__type": {"name": "Message", "kind": "OBJECT"}})

    async def errors_of_requests(self) -> None:
        schema = build_schema(print_schema(self.session.client.schema))
        for text, variables in FAULTS:
            # The library sends the document as it prints it, and places are those in there.
            sent = print_ast(parse(text))
            expected = [error.formatted for error in graphql_sync(schema, sent, variable_values=variables).errors]
            try:
                await self.ask(text, **variables)
            except TransportQueryError as error:
                same((text, places(error.errors)), (text, places(expected)))
            else:
                raise Failure(f"{text} was let through")

    async def errors_of_fields(self) -> None:
        text = "query($r: String!) {\n  good: messages(room: $r, last: 1) { text }\n  bad: messages(room: $r, after: \"m99\") { id }\n}"
        try:
            await self.ask(text, r=self.room)
        except TransportQueryError as error:
            same([sorted(one) for one in error.errors], [["locations", "message", "path"]])
            line = print_ast(parse(text)).split("\n").index("  bad: messages(room: $r, after: \"m99\") {") + 1
            same(error.errors[0]["locations"], [{"line": line, "column": 3}])
            same(error.errors[0]["path"], ["bad"])
            # A field that may not be null takes the whole of data with it (section 6.4.4).
            same(error.data, None)
        else:
            raise Failure("no error")

    async def parallel_operations(self) -> None:
        seen: list[str] = []

        async def listen() -> None:
            async for result in self.subscribe(LIVE, r=self.room):
                seen.append(result["messageAdded"]["text"])
                if len(seen) == 20:
                    return

        listeners = [asyncio.ensure_future(listen())]
        await asyncio.sleep(0)
        await self.ask("{ __typename }")  # an answer proves that the subscription is there
        results = await asyncio.gather(
            *(self.post(f"p{number}") for number in range(20)),
            *(self.ask("query($r: String!) { messages(room: $r, last: 1) { room } }", r=self.room) for _ in range(20)))
        same(len(set(results[:20])), 20)
        same(results[20:], [{"messages": [{"room": self.room}]}] * 20)
        await asyncio.wait_for(listeners[0], 10)
        same(sorted(seen), sorted(f"p{number}" for number in range(20)))

    async def complete_by_the_client(self) -> None:
        last = await self.post("before")
        for number in range(120):
            subscription = self.subscribe(LIVE, r=self.room, after=last)
            last = await self.post(f"round {number}")
            async for result in subscription:
                same(result["messageAdded"]["text"], f"round {number}")
                break
            await subscription.aclose()  # the library says `complete`
        # More than a connection may have at once have come and gone; one more is served.
        same(await self.ask("{ __typename }"), {"__typename": "Query"})


async def main() -> int:
    parser = argparse.ArgumentParser(prog="gql_reference.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="such as ws://127.0.0.1:PORT/graphql")
    parser.add_argument("--room", default="reference")
    args = parser.parse_args()
    transport = WebsocketsTransport(
        url=args.url, subprotocols=[WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL], connect_args={"proxy": None})
    wrong = 0
    async with Client(transport=transport, fetch_schema_from_transport=True, execute_timeout=20) as session:
        checks = Checks(session, args.room)
        session.client.validate = lambda request: None  # it would find the faults itself
        for check in (checks.schema, checks.fragments_and_aliases, checks.variables_with_defaults,
                      checks.skip_and_include, checks.typename, checks.errors_of_requests, checks.errors_of_fields,
                      checks.parallel_operations, checks.complete_by_the_client):
            name = check.__name__.replace("_", " ")
            try:
                await asyncio.wait_for(check(), 30)
                print("ok", name, flush=True)
            except Exception as error:  # whatever it is, it is told
                wrong += 1
                print(f"wrong {name}: {type(error).__name__}: {error}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
