"""An echo server on the websockets library: what comes goes back, text as text and binary as binary."""
from __future__ import annotations

import argparse
import asyncio
import ssl

from websockets.asyncio.server import ServerConnection, serve


async def echo(connection: ServerConnection) -> None:
    async for message in connection:
        await connection.send(message)


async def main() -> None:
    parser = argparse.ArgumentParser(prog="echo_server.py", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    parser.add_argument("--cert", help="certificate chain in PEM; with --key it makes the server wss")
    parser.add_argument("--key", help="private key in PEM")
    parser.add_argument("--subprotocol", action="append", help="a subprotocol to agree to (repeatable)")
    args = parser.parse_args()
    if bool(args.cert) != bool(args.key):
        parser.error("--cert and --key belong together")
    context = None
    if args.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(args.cert, args.key)
    async with serve(echo, "127.0.0.1", args.port, ssl=context, subprotocols=args.subprotocol,
                     max_size=64 << 20, close_timeout=1) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on {'wss' if context else 'ws'}://127.0.0.1:{port}/", flush=True)
        await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
