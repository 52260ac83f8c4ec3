"""What parlour bench measures itself against: /echo, /flood?n=N&size=S, /sink and /gql?n=N&size=S, on the
websockets library; /mirror is a wrong echo, every text back to front.

/flood waits for a first message, sends N texts of S bytes and closes with 1000. They are encoded once and written
to the transport in large pieces, so that the client is measured and not this server. /sink counts bytes until the
text "done" and answers {"bytes": N}.
/gql speaks graphql-transport-ws and answers any
subscription with n results, all the same and written like those of /flood; without n it goes on to the end.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import logging
import ssl
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

PIECE = 256 * 1024


async def echo(connection: ServerConnection) -> None:
    async for message in connection:
        await connection.send(message)


async def mirror(connection: ServerConnection) -> None:
    async for message in connection:
        await connection.send(message[::-1])


async def flood(connection: ServerConnection, count: int, size: int) -> None:
    text = (b"abcdefghijklmnopqrstuvwxyz" * (size // 26 + 1))[:size]
    frame = Frame(Opcode.TEXT, text).serialize(mask=False)
    await connection.recv()
    each = max(1, PIECE // len(frame))
    piece = frame * each
    while count > 0:
        connection.transport.write(piece if count >= each else frame * count)
        count -= each
        await connection.drain()
    await connection.close(1000)


async def sink(connection: ServerConnection) -> None:
    total = 0
    async for message in connection:
        if message == "done":
            await connection.send('{"bytes": %d}' % total)
            return
        total += len(message)


async def graphql(connection: ServerConnection, count: int, size: int) -> None:
    number = ""
    async for text in connection:
        message = json.loads(text)
        if message["type"] == "connection_init":
            await connection.send('{"type":"connection_ack"}')
        elif message["type"] == "subscribe":
            number = message["id"]
            break
    text = ("abcdefghijklmnopqrstuvwxyz" * (size // 26 + 1))[:size]
    line = {"id": "m1", "author": "ada", "text": text, "sentAt": "2026-01-01T00:00:00.000Z"}
    result = {"id": number, "type": "next", "payload": {"data": {"messageAdded": line}}}
    frame = Frame(Opcode.TEXT, json.dumps(result, separators=(",", ":")).encode()).serialize(mask=False)
    each = max(1, PIECE // len(frame))
    while count > 0:
        connection.transport.write(frame * min(count, each))
        count -= each
        await connection.drain()
    await connection.send(json.dumps({"id": number, "type": "complete"}))
    async for _ in connection:  # until the client leaves
        pass


async def serve_one(connection: ServerConnection) -> None:
    try:
        await do_job(connection)
    except (ConnectionClosed, ConnectionError):
        pass  # the client has as many as it wants, or was interrupted


async def do_job(connection: ServerConnection) -> None:
    url = urlsplit(connection.request.path)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    if url.path == "/echo":
        await echo(connection)
    elif url.path == "/mirror":
        await mirror(connection)
    elif url.path == "/flood":
        await flood(connection, int(query.get("n", "1000")), int(query.get("size", "125")))
    elif url.path == "/sink":
        await sink(connection)
    elif url.path == "/gql":
        await graphql(connection, int(query.get("n", "10000000")), int(query.get("size", "125")))
    else:
        await connection.close(1008, "serves /echo, /flood?n=N&size=S, /sink and /gql?n=N&size=S")


def select(connection: ServerConnection, offered: list[str]) -> str | None:
    """None of the other jobs has a subprotocol."""
    return "graphql-transport-ws" if "graphql-transport-ws" in offered else None


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench_server.py", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    parser.add_argument("--certificate", help="a PEM file with a certificate and its key: wss:// instead of ws://")
    args = parser.parse_args()
    # That a client leaves in the middle is the usual end here, and no news.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    context = None
    if args.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(args.certificate)
    async with serve(serve_one, "127.0.0.1", args.port, compression=None, max_size=64 << 20,
                     subprotocols=["graphql-transport-ws"], select_subprotocol=select,
                     close_timeout=1, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on {'wss' if context else 'ws'}://127.0.0.1:{port}/", flush=True)
        await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
