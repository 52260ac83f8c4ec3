"""What the library Sockets is tested against, on the websockets library; see `PATHS` for what each path does."""
from __future__ import annotations

import argparse
import asyncio
import json
import ssl
import sys
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

sent = 0


async def echo(connection: ServerConnection, query: dict[str, str]) -> None:
    """What comes goes back."""
    async for message in connection:
        await connection.send(message)


async def count(connection: ServerConnection, query: dict[str, str]) -> None:
    """Sends the numbers from 0 to n - 1, each padded to `size` characters, and closes with 1000."""
    global sent
    sent = 0
    size = int(query.get("size", "0"))
    for number in range(int(query["n"])):
        await connection.send(str(number).ljust(size))
        sent = number + 1
        if number % 64 == 0:
            await asyncio.sleep(0)  # other lines have their turn
    await connection.close(1000, "all sent")


async def how_many(connection: ServerConnection, query: dict[str, str]) -> None:
    """Says, a little after each question, how many numbers /count has sent."""
    async for _ in connection:
        await asyncio.sleep(0.05)
        await connection.send(str(sent))


async def collect(connection: ServerConnection, query: dict[str, str]) -> None:
    """Counts the numbers that come in order from 0, and says how many there were after `done`."""
    expected = 0
    async for message in connection:
        if message == "done":
            await connection.send(str(expected))
        elif int(message) == expected:
            expected += 1


async def close(connection: ServerConnection, query: dict[str, str]) -> None:
    """Closes with `code` and `reason`."""
    await connection.close(int(query["code"]), query.get("reason", ""))


async def closed(connection: ServerConnection, query: dict[str, str]) -> None:
    """Says on standard output after how many messages, and with which code and reason, the client closed."""
    messages = 0
    try:
        async for _ in connection:
            messages += 1
    finally:
        print(f"closed after {messages}: {connection.close_code} {connection.close_reason}", flush=True)


async def headers(connection: ServerConnection, query: dict[str, str]) -> None:
    """Sends the request's headers as JSON."""
    found = {name.lower(): value for name, value in connection.request.headers.raw_items()}
    await connection.send(json.dumps(found))
    await connection.wait_closed()


async def cut(connection: ServerConnection, query: dict[str, str]) -> None:
    """Cuts the line without a Close, after as many messages as `after` says."""
    for _ in range(int(query.get("after", "0"))):
        await connection.recv()
    connection.transport.abort()


async def stuck(connection: ServerConnection, query: dict[str, str]) -> None:
    """Reads nothing, so that a sender has to wait."""
    connection.transport.pause_reading()
    await asyncio.sleep(3600)


PATHS = {
    "/echo": echo, "/count": count, "/how-many": how_many, "/collect": collect, "/close": close,
    "/closed": closed, "/headers": headers, "/cut": cut, "/stuck": stuck,
}


async def serve_one(connection: ServerConnection) -> None:
    url = urlsplit(connection.request.path)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    try:
        await PATHS[url.path](connection, query)
    except ConnectionClosed:
        pass


def refuse(connection: ServerConnection, request):
    path = urlsplit(request.path).path
    if path == "/refused":
        token = request.headers.get("Authorization", "nothing")
        return connection.respond(HTTPStatus.UNAUTHORIZED, f"not with {token}\n")
    if path not in PATHS:
        return connection.respond(HTTPStatus.NOT_FOUND, "no such path\n")
    return None


async def main() -> None:
    parser = argparse.ArgumentParser(prog="sockets_server.py", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=1800.0, help="stop by itself after this long")
    parser.add_argument("--cert", help="certificate chain in PEM; with --key it makes the server wss")
    parser.add_argument("--key", help="private key in PEM")
    parser.add_argument("--subprotocol", action="append", help="a subprotocol to agree to (repeatable)")
    parser.add_argument("--compression", action="store_true", help="agree to permessage-deflate")
    args = parser.parse_args()
    context = None
    if args.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(args.cert, args.key)
    async with serve(serve_one, "127.0.0.1", args.port, ssl=context, subprotocols=args.subprotocol,
                     process_request=refuse, compression="deflate" if args.compression else None,
                     max_size=64 << 20, close_timeout=1, ping_interval=None) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on {'wss' if context else 'ws'}://127.0.0.1:{port}", flush=True)
        # Whoever started this server is gone when its standard input ends.
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        await asyncio.wait_for(reader.read(), args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (KeyboardInterrupt, TimeoutError):
        pass
