"""A plain client on the websockets library, against Parlour's server.

Sends each --send as text, waits for --expect messages, and prints a JSON line for what it saw:
{"event":"opened","subprotocol":…}, {"event":"text","text":…}, {"event":"binary","base64":…},
{"event":"closed","code":…,"reason":…}, {"event":"refused","status":…,"body":…}, {"event":"timeout"}.

Exit codes: 0 all expected messages came, 1 the line ended or time was over before, 2 the upgrade was refused.
"""
from __future__ import annotations

import argparse
import asyncio
import base64
import json
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus


def tell(event: str, **fields) -> None:
    print(json.dumps({"event": event, **fields}, ensure_ascii=False), flush=True)


async def talk(args) -> int:
    headers = {"Authorization": f"Bearer {args.token}"} if args.token else None
    try:
        async with connect(args.url, subprotocols=args.subprotocol, additional_headers=headers,
                           proxy=None, open_timeout=args.max_seconds) as connection:
            tell("opened", subprotocol=connection.subprotocol)
            for text in args.send:
                await connection.send(text)
            seen = 0
            try:
                while seen < args.expect:
                    message = await connection.recv()
                    seen += 1
                    if isinstance(message, str):
                        tell("text", text=message)
                    else:
                        tell("binary", base64=base64.b64encode(message).decode())
            except ConnectionClosed as ended:
                frame = ended.rcvd
                tell("closed", code=frame.code if frame else 1006, reason=frame.reason if frame else "")
                return 1
        tell("closed", code=connection.close_code, reason=connection.close_reason)
        return 0
    except InvalidStatus as refusal:
        response = refusal.response
        tell("refused", status=response.status_code, body=(response.body or b"").decode(errors="replace"))
        return 2


async def main() -> int:
    parser = argparse.ArgumentParser(prog="plain_client.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="such as ws://127.0.0.1:PORT/?room=lobby&nick=ada")
    parser.add_argument("--send", action="append", default=[], metavar="TEXT")
    parser.add_argument("--expect", type=int, default=0, metavar="N", help="messages to wait for")
    parser.add_argument("--subprotocol", action="append")
    parser.add_argument("--token")
    parser.add_argument("--max-seconds", type=float, default=20.0)
    args = parser.parse_args()
    try:
        return await asyncio.wait_for(talk(args), args.max_seconds)
    except (asyncio.TimeoutError, TimeoutError):
        tell("timeout")
        return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
