"""Measures a subscription in Python, beside `parlour bench gql`: on the gql library, or on websockets and json alone.

Subscribes once, takes N results, and prints the line that `parlour bench` prints.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import time

QUERY = 'subscription Bench { messageAdded(room: "bench") { id author text sentAt } }'


class Clock:
    def __init__(self) -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.time = time.perf_counter()

    def tell(self, client: str, count: int) -> None:
        seconds = time.perf_counter() - self.time
        usage = resource.getrusage(resource.RUSAGE_SELF)
        cpu = usage.ru_utime + usage.ru_stime - self.cpu
        print(json.dumps({"client": client, "job": "gql", "n": count, "seconds": round(seconds, 6),
                          "msgs_per_s": round(count / seconds, 1), "cpu_s": round(cpu, 6)},
                         separators=(",", ":")), flush=True)


async def with_gql(url: str, count: int) -> None:
    from gql import Client, gql
    from gql.transport.websockets import WebsocketsTransport

    transport = WebsocketsTransport(url=url, subprotocols=[WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL],
                                    connect_args={"proxy": None})
    async with Client(transport=transport) as session:
        clock = Clock()
        seen = 0
        async for _ in session.subscribe(gql(QUERY)):
            seen += 1
            if seen == count:
                break
        clock.tell("gql", seen)


async def with_websockets(url: str, count: int) -> None:
    from websockets.asyncio.client import connect

    async with connect(url, subprotocols=["graphql-transport-ws"], proxy=None, compression=None) as connection:
        await connection.send(json.dumps({"type": "connection_init"}))
        if json.loads(await connection.recv())["type"] != "connection_ack":
            raise ConnectionError("it was not acknowledged")
        clock = Clock()
        await connection.send(json.dumps({"id": "1", "type": "subscribe", "payload": {"query": QUERY}}))
        seen = 0
        async for text in connection:
            message = json.loads(text)
            if message["type"] == "next" and message["payload"]["data"]:
                seen += 1
            if seen == count:
                break
        clock.tell("websockets", seen)


def main() -> None:
    parser = argparse.ArgumentParser(prog="gql_bench.py", description=__doc__)
    parser.add_argument("client", choices=["gql", "websockets"])
    parser.add_argument("url")
    parser.add_argument("--count", type=int, default=10_000)
    args = parser.parse_args()
    run = with_gql if args.client == "gql" else with_websockets
    try:
        asyncio.run(run(args.url, args.count))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        sys.exit(f"gql_bench.py: the subscription by {args.client} at {args.url} failed: {error or type(error).__name__}")


if __name__ == "__main__":
    main()
