"""A server that sends a plain client what a terminal must not obey, and then stays."""
from __future__ import annotations

import argparse
import asyncio

from websockets.asyncio.server import ServerConnection, serve

TEXTS = [
    "\x1b]0;x\x07",  # sets the title of a terminal that obeys
    "\u202eright to left",  # RIGHT-TO-LEFT OVERRIDE
    "covered\rcover",  # a lone carriage return
    "x" * 80_000,
    "女",  # two columns wide
    "the end",
]


async def attack(connection: ServerConnection) -> None:
    for text in TEXTS:
        await connection.send(text)
    async for _ in connection:  # stays until the client leaves
        pass


async def main() -> None:
    parser = argparse.ArgumentParser(prog="hostile_server.py", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    args = parser.parse_args()
    async with serve(attack, "127.0.0.1", args.port, max_size=1 << 20, close_timeout=1) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}/", flush=True)
        await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
