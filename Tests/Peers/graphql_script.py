"""A graphql-transport-ws server that does one thing to each operation, by the path of the URL:

/exact            answers with numbers, members and escapes that must go on as they are, then completes
/partial          answers with data and an error, then completes
/refused          ends the operation with `error`
/legacy-refused   the same with a single error instead of a list
/empty            completes without a result
/forever          answers once and goes on without an end
/drop             cuts the connection without a Close once the operation came
/drop-once        the same for the first operation of this process; the others are answered
/early            cuts the first connection before it acknowledges, then is like /exact
/say?text=…       sends the text as it is
/close?code=N     closes with that code once the operation came

It prints what it receives as `received …` and the code of each end as `closed N`.
"""
from __future__ import annotations

import argparse
import asyncio
import json
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

EXACT = r'{"data":{"z":12345678901234567890123,"a":1.50,"m":1E+2,"s":"\u00e9é\/"},"extensions":{"b":1,"a":[]}}'
PARTIAL = ('{"data":{"a":null},"errors":[{"message":"no a for you","locations":[{"line":1,"column":3}],'
           '"path":["a",0]}]}')
dropped: set[str] = set()


def drop(connection: ServerConnection) -> None:
    connection.transport.abort()


async def operate(connection: ServerConnection, kind: str, query: dict[str, str], number: str) -> None:
    async def send(type_: str, payload: str | None = None) -> None:
        rest = "" if payload is None else f', "payload" :\n {payload}'
        await connection.send(f'{{"type":"{type_}","id":"{number}"{rest}}}')

    if kind in ("/exact", "/early"):
        await send("next", EXACT)
        await send("complete")
    elif kind == "/partial":
        await send("next", PARTIAL)
        await send("complete")
    elif kind == "/refused":
        await send("error", '[{"message":"unknown field","locations":[{"line":2,"column":5}]}]')
    elif kind == "/legacy-refused":
        await send("error", '{"message":"unknown field"}')
    elif kind == "/empty":
        await send("complete")
    elif kind == "/forever":
        await send("next", '{"data":1}')
    elif kind == "/drop" or (kind == "/drop-once" and kind not in dropped):
        dropped.add(kind)
        drop(connection)
    elif kind == "/drop-once":
        await send("next", '{"data":{"operation":%s}}' % json.dumps(number))
        await send("complete")
    elif kind == "/say":
        await connection.send(query["text"])
    elif kind == "/close":
        await connection.close(int(query["code"]), query.get("reason", ""))


async def serve_one(connection: ServerConnection) -> None:
    url = urlsplit(connection.request.path)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    try:
        async for text in connection:
            print("received", text, flush=True)
            message = json.loads(text)
            if message["type"] == "connection_init":
                if url.path == "/early" and url.path not in dropped:
                    dropped.add(url.path)
                    drop(connection)
                    continue
                await connection.send('{"type":"connection_ack"}')
            elif message["type"] == "subscribe":
                await operate(connection, url.path, query, message["id"])
    except ConnectionClosed:
        pass
    print("closed", connection.close_code, flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser(prog="graphql_script.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    args = parser.parse_args()
    async with serve(serve_one, "127.0.0.1", args.port, subprotocols=["graphql-transport-ws"],
                     close_timeout=1) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}", flush=True)
        await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
