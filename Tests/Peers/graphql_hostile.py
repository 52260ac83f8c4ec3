"""A chat over graphql-transport-ws that is hostile on the first connections to a path, and honest afterwards.

/NAME           the class of hostility, see CLASSES; on the first connection
/NAME?lines=N   on the first N connections (0: on all of them)

Each path has a store of its own that outlives its connections, with five messages at the start. Once the history was
given, somebody says one more. It prints `connection N /NAME` for each, and `opened N /NAME` once it has upgraded.
"""
from __future__ import annotations

import argparse
import asyncio
import http
import json
import struct
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

HONEST, CUT, SILENCE = object(), object(), object()
MIB = 1 << 20


def close(code: int | None, reason: str = "") -> tuple:
    payload = b"" if code is None else struct.pack("!H", code) + reason.encode()
    return ("raw", bytes([0x88, len(payload)]) + payload)


def live(rest: str) -> str:
    return '{"id":"{live}",%s}' % rest


def error(payload: str) -> str:
    return live('"type":"error","payload":%s' % payload)


def said(count: int) -> list:
    return [("say", f"burst {number}") for number in range(count)]


CLASSES: dict[str, tuple[str, list]] = {
    "honest": ("history", [HONEST]),
    "late-ack": ("introduction", [("pause", 2), HONEST]),
    "double-ack": ("introduction", [HONEST, HONEST]),
    "no-ack": ("introduction", []),
    "early-results": ("introduction", ['{"id":"%d","type":"next","payload":{"data":{"messageAdded":{"id":"x",'
                                       '"text":"never said"},"messages":[{"id":"y","text":"never said"}]}}}' % n
                                       for n in (1, 2, 3)] + [HONEST]),
    "ping-before-ack": ("introduction", ['{"type":"ping","payload":{"a":1}}', '{"type":"ka"}', HONEST]),
    "unknown-ids": ("history", [HONEST, '{"id":"77","type":"next","payload":{"data":{}}}',
                                '{"id":"77","type":"complete"}', '{"id":"77","type":"error","payload":[]}']),
    "numeric-id": ("history", [HONEST, '{"id":1,"type":"next","payload":{"data":{}}}']),
    "error-object": ("history", [HONEST, error('{"message":"an object"}')]),
    "error-string": ("history", [HONEST, error('"a text"')]),
    "error-null": ("history", [HONEST, error("null")]),
    "error-empty": ("history", [HONEST, error("[]")]),
    "error-extensions": ("history", [HONEST, error('[{"message":"extended","extensions":{"a":[{}]}}]')]),
    "next-errors": ("history", [HONEST, live('"type":"next","payload":{"data":null,"errors":[{"message":"half"}]}')]),
    "invalid-json": ("history", [HONEST, "{"]),
    "array": ("history", [HONEST, "[1,2,3]"]),
    "scalar": ("history", [HONEST, "5"]),
    "empty": ("history", [HONEST, ""]),
    "binary": ("history", [HONEST, b'{"type":"ping"}']),
    "deep": ("history", [HONEST, "[" * 10_000 + "]" * 10_000]),
    "deep-object": ("history", [HONEST, '{"type":"ping","payload":' + '{"a":' * 100_000 + "1" + "}" * 100_001]),
    "ten-mib": ("history", [HONEST] + [live('"type":"next","payload":{"data":null,"extensions":{"x":"%s"}}'
                                            % ("y" * 10 * MIB))] * 5),
    "ten-mib-garbage": ("history", [HONEST, "x" * 10 * MIB]),
    "many-keys": ("history", [HONEST, '{"type":"ping","payload":{%s}}'
                              % ",".join(f'"k{n}":[]' for n in range(300_000))]),
    "too-big": ("history", [HONEST, "x" * 17 * MIB]),
    "drip": ("history", [HONEST, ("raw", b"\x01\x01{")] + [("raw", b"\x00\x01x")] * 200_000),
    "burst": ("history", [HONEST] + said(20_000)),
    "pings": ("history", [HONEST] + ['{"type":"ping"}'] * 20_000),
    "half-frame": ("history", [HONEST, ("raw", b"\x81\x7e\x10\x00{"), CUT]),
    "cut-before-ack": ("introduction", [CUT]),
    "cut-before-history": ("history", [CUT]),
    "cut-ready": ("history", [HONEST, CUT]),
    "silent": ("history", [HONEST, SILENCE]),
    "silent-before-history": ("history", [SILENCE]),
    "flap": ("introduction", [HONEST, close(1012, "restart")]),
    "connection-error": ("introduction", ['{"type":"connection_error","payload":{"message":"JWTExpired"}}',
                                          close(None)]),
    "refuse-1000": ("introduction", [close(1000, "terminated")]),
    "refuse-1002": ("introduction", [close(1002, "Token expired")]),
    "refuse-errors": ("subscription", [error('[{"message":"not for you"}]')]),
    "unauthenticated": ("subscription", [error('[{"message":"log in","extensions":{"code":"UNAUTHENTICATED"}}]')]),
    "no-history": ("history", ['{"id":"{history}","type":"error","payload":[{"message":"no database"}]}']),
    "http-503": ("upgrade", [("answer", 503, {"Retry-After": "0"}, "busy")]),
    "http-401": ("upgrade", [("answer", 401, {}, "who are you?")]),
    "http-404": ("upgrade", [("answer", 404, {}, "no such path")]),
    **{f"close-{code}": ("history", [HONEST, close(code, f"because {code}")])
       for code in (1000, 1001, 1008, 1009, 1011, 1012, 1013, 4400, 4401, 4403, 4408, 4409, 4429, 4500)},
}


class Chat:
    def __init__(self) -> None:
        self.connections = 0
        self.has_said_more = False
        self.messages: list[dict] = []
        for number in range(1, 6):
            self.keep("bob", f"line {number}")

    def keep(self, author: str, text: str, nonce: str | None = None) -> dict:
        message = {"id": f"m{len(self.messages) + 1}", "room": "lobby", "author": author, "text": text,
                   "sentAt": "2026-01-01T00:00:00Z", "clientId": nonce}
        self.messages.append(message)
        return message

    def after(self, cursor: str | None) -> list[dict]:
        place = next((n + 1 for n, message in enumerate(self.messages) if message["id"] == cursor), 0)
        return self.messages[place:]


chats: dict[str, Chat] = {}


class Line:
    def __init__(self, connection: ServerConnection, chat: Chat, moment: str, steps: list) -> None:
        self.connection, self.chat, self.moment, self.steps = connection, chat, moment, steps
        self.ids: dict[str, str] = {}
        self.was_hostile, self.is_endless = False, "lines=0" in connection.request.path

    async def send(self, name: str, type_: str, payload=None) -> None:
        message = {"id": self.ids[name], "type": type_}
        if payload is not None:
            message["payload"] = {"data": payload}
        await self.connection.send(json.dumps(message))

    async def say(self, text: str) -> None:
        message = self.chat.keep("bob", text)
        if "live" in self.ids:
            await self.send("live", "next", {"messageAdded": message})

    async def honest(self, moment: str, variables: dict) -> None:
        if moment == "introduction":
            await self.connection.send('{"type":"connection_ack"}')
        elif moment == "subscription" and variables.get("after"):
            for message in self.chat.after(variables["after"]):
                await self.send("live", "next", {"messageAdded": message})
        elif moment == "history":
            page = self.chat.after(variables.get("after"))
            count = variables["last"]
            await self.send("history", "next",
                            {"messages": page[:count] if variables.get("after") else page[-count:]})
            await self.send("history", "complete")
        elif moment == "post":
            message = self.chat.keep("ada", variables["text"], variables.get("key"))
            await self.send("post", "next", {"postMessage": message})
            await self.send("post", "complete")

    async def reach(self, moment: str, variables: dict) -> None:
        # Once a connection, but for those who are so on all of them.
        is_hostile = moment == self.moment and (self.is_endless or not self.was_hostile)
        self.was_hostile = self.was_hostile or is_hostile
        for step in self.steps if is_hostile else [HONEST]:
            if step is HONEST:
                await self.honest(moment, variables)
            elif step is CUT:
                await asyncio.sleep(0)
                self.connection.transport.abort()
                return
            elif step is SILENCE:
                self.connection.transport.pause_reading()
                await asyncio.sleep(600)
            elif isinstance(step, str):
                for name, value in self.ids.items():
                    step = step.replace("{%s}" % name, value)
                await self.connection.send(step)
            elif isinstance(step, bytes):
                await self.connection.send(step)
            elif step[0] == "raw":
                self.connection.transport.write(step[1])
            elif step[0] == "pause":
                await asyncio.sleep(step[1])
            elif step[0] == "say":
                await self.say(step[1])
        if moment == "history" and not self.chat.has_said_more:
            self.chat.has_said_more = True
            await self.say("one more")

    async def hear(self, message: dict) -> None:
        payload = message.get("payload") or {}
        document = payload.get("query", "")
        if message["type"] == "connection_init":
            await self.reach("introduction", {})
        elif message["type"] == "subscribe":
            name = {"s": "live", "q": "history", "m": "post"}[document[0]]
            self.ids[name] = message["id"]
            await self.reach({"live": "subscription"}.get(name, name), payload.get("variables", {}))


def hostility(target: str) -> tuple[Chat, str, list]:
    """What is done to the connection that asks for `target` now."""
    url = urlsplit(target)
    lines = int(parse_qs(url.query).get("lines", ["1"])[0])
    chat = chats.setdefault(target, Chat())
    moment, steps = CLASSES[url.path.strip("/")]
    return (chat, moment, steps) if lines == 0 or chat.connections <= lines else (chat, "", [])


def answer(connection: ServerConnection, request) -> Response | None:
    chats.setdefault(request.path, Chat()).connections += 1
    chat, moment, steps = hostility(request.path)
    print("connection", chat.connections, request.path, flush=True)
    if moment != "upgrade":
        return None
    _, status, headers, body = steps[0]
    return Response(status, http.HTTPStatus(status).phrase, Headers(headers), body.encode())


async def serve_one(connection: ServerConnection) -> None:
    target = connection.request.path
    line = Line(connection, *hostility(target))
    print("opened", line.chat.connections, target, flush=True)
    try:
        async for text in connection:
            await line.hear(json.loads(text))
    except ConnectionClosed:
        pass


async def main() -> None:
    parser = argparse.ArgumentParser(prog="graphql_hostile.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    args = parser.parse_args()
    async with serve(serve_one, "127.0.0.1", args.port, subprotocols=["graphql-transport-ws"],
                     process_request=answer, compression=None, max_size=None, close_timeout=1) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}", flush=True)
        await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
