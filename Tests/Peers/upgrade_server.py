"""A server whose upgrade has conditions, by path: cookies that have to come back, redirects, Retry-After."""
from __future__ import annotations

import argparse
import asyncio
import email.utils
import time

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

COOKIE = "route=node-0042"
AWAY = "https://other.example/login?next=here"
refusals: dict[str, int] = {}
away = AWAY


def answer(status: int, reason: str, fields: list[tuple[str, str]], body: bytes = b"") -> Response:
    headers = Headers(fields)
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    return Response(status, reason, headers, body)


def cookies(request: Request) -> list[str]:
    return [part.strip() for field in request.headers.get_all("Cookie") for part in field.split(";")]


def condition(connection: ServerConnection, request: Request) -> Response | None:
    """None lets the request in."""
    path, _, query = request.path.partition("?")
    print(f"request for {path}", flush=True)
    seen = refusals.get(path, 0)
    refusals[path] = seen + 1
    if path == "/sticky" and seen and COOKIE not in cookies(request):
        return answer(403, "Forbidden", [], b"this is another node")
    if path == "/busy" and not seen:
        when = email.utils.formatdate(time.time() + int(query or 1), usegmt=True)
        return answer(503, "Busy", [("Retry-After", when), ("Date", email.utils.formatdate(usegmt=True)),
                                    ("Set-Cookie", COOKIE + "; Max-Age=60")])
    if path == "/busy" and COOKIE not in cookies(request):
        return answer(403, "Forbidden", [], b"the cookie did not come back")
    if path == "/moved/from":
        return answer(307, "Elsewhere", [("Location", "../here?" + query)])
    if path == "/here" and request.headers.get("Authorization") != "Bearer s3cret":
        return answer(401, "Unauthorized", [])
    if path == "/away":
        return answer(302, "Found", [("Location", away)])
    if path == "/circle":
        return answer(302, "Found", [("Location", "/circle")])
    return None


def mark(connection: ServerConnection, request: Request, response: Response) -> None:
    if request.path == "/sticky" and COOKIE not in cookies(request):
        response.headers["Set-Cookie"] = COOKIE + "; Path=/; HttpOnly"


async def talk(connection: ServerConnection) -> None:
    request = connection.request
    is_new = request.path == "/sticky" and COOKIE not in cookies(request)
    await connection.send(request.path + " " + " ".join(cookies(request)))
    if is_new:
        await connection.close(1012, "this node restarts")
    async for _ in connection:  # stays until the client leaves
        pass


async def main() -> None:
    parser = argparse.ArgumentParser(prog="upgrade_server.py", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=120.0, help="stop by itself after this long")
    parser.add_argument("--away", default=AWAY, help="where /away redirects to")
    args = parser.parse_args()
    global away
    away = args.away
    async with serve(talk, "127.0.0.1", args.port, process_request=condition, process_response=mark,
                     max_size=1 << 20, close_timeout=1) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}/", flush=True)
        await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
