"""What strawberry_chat.py and ariadne_chat.py share: the message store, the
command line, and an ASGI gate that does tokens, refusals and kicks.

The gate sits in front of the GraphQL app so that both servers refuse, expire
and kick clients in exactly the same way, whatever their library would do.
"""
from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import socket
import sys
from urllib.parse import parse_qs

import uvicorn
from graphql import GraphQLError
from starlette.websockets import WebSocketDisconnect

DEFAULT_TOKEN = "s3cret"


# ------------------------------------------------------------------ the store
class Store:
    """Rooms of messages kept in memory, and in a file where one is named. One event loop, so no locks."""

    def __init__(self, keep: str | None = None) -> None:
        self.rooms: dict[str, list[dict]] = {}
        self.listeners: dict[str, list[asyncio.Queue]] = {}
        self.watchers: dict[str, list[asyncio.Queue]] = {}
        self.total = 0
        self.posts = 0
        self.repeats = 0  # posts answered from an earlier one with the same clientId
        self.answerer: str | None = None  # who says the same again after each post of somebody else
        self.file = None
        if keep:
            self._read(keep)
            self.file = open(keep, "a", encoding="utf-8", newline="\n")

    def _read(self, keep: str) -> None:
        """What an earlier server kept; it may have been killed in the middle of a line, which nobody got."""
        try:
            data = open(keep, "rb").read()
        except FileNotFoundError:
            return
        whole = data[:data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            open(keep, "wb").write(whole)
        for line in whole.splitlines():
            message = json.loads(line)
            self.rooms.setdefault(message["room"], []).append(message)
            self.total += 1

    def post(self, room: str, author: str, text: str, client_id: str | None = None) -> dict:
        self.posts += 1
        lines = self.rooms.setdefault(room, [])
        if client_id:
            for old in lines:
                if old["clientId"] == client_id:
                    self.repeats += 1
                    return old
        self.total += 1
        now = datetime.datetime.now(datetime.timezone.utc)
        message = {
            "id": f"m{self.total}",
            "seq": len(lines) + 1,
            "room": room,
            "author": author,
            "text": text,
            "sentAt": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "clientId": client_id,
        }
        if self.file:
            self.file.write(json.dumps(message) + "\n")
            self.file.flush()
        lines.append(message)
        for queue in self.listeners.get(room, []):
            queue.put_nowait(message)
        if self.answerer and author != self.answerer:
            self.post(room, self.answerer, text)
        return message

    def change(self, message_id: str, text: str | None) -> dict:
        """Another text, or none: then the message is deleted."""
        now = datetime.datetime.now(datetime.timezone.utc)
        moment = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        for room, lines in self.rooms.items():
            for message in lines:
                if message["id"] != message_id:
                    continue
                message["text"] = text or ""
                message["editedAt" if text else "deletedAt"] = moment
                for queue in self.watchers.get(room, []):
                    queue.put_nowait(message)
                return message
        raise KeyError(f"no message {message_id}")

    async def changes(self, room: str):
        queue: asyncio.Queue = asyncio.Queue()
        self.watchers.setdefault(room, []).append(queue)
        try:
            while True:
                yield await queue.get()
        finally:
            self.watchers[room].remove(queue)

    def _after(self, room: str, after: str | None) -> list[dict]:
        lines = self.rooms.get(room, [])
        if after is None:
            return lines
        for position, message in enumerate(lines):
            if message["id"] == after:
                return lines[position + 1:]
        raise KeyError(f"no message {after} in room {room}")

    def history(self, room: str, last: int = 50, after: str | None = None) -> list[dict]:
        """Without `after`: the newest `last`. With it: the oldest `last` past it."""
        last = max(0, min(last, self.most))
        if after is None:
            return self._after(room, None)[-last:] if last else []
        return self._after(room, after)[:last]

    async def listen(self, room: str, after: str | None = None):
        """With `after`: the backlog past it first, then live, no gap between."""
        queue: asyncio.Queue = asyncio.Queue()
        backlog = list(self._after(room, after)) if after is not None else []
        self.listeners.setdefault(room, []).append(queue)
        try:
            for message in backlog:
                yield message
            while True:
                yield await queue.get()
        finally:
            self.listeners[room].remove(queue)


# ------------------------------------------------------------------ tokens
def token_of_header(scope) -> str | None:
    for name, value in scope.get("headers", []):
        if name == b"authorization":
            text = value.decode("latin-1").strip()
            return text[7:].strip() if text.lower().startswith("bearer ") else text
    return None


def token_of_payload(payload) -> str | None:
    """Accepts the spellings seen in the wild, Hasura's nested one included."""
    if not isinstance(payload, dict):
        return None
    nested = payload.get("headers")
    for place in (payload, nested if isinstance(nested, dict) else {}):
        for key, value in place.items():
            if key.lower() in ("authorization", "authtoken", "token") and isinstance(value, str):
                text = value.strip()
                return text[7:].strip() if text.lower().startswith("bearer ") else text
    return None


def check(store, scope) -> None:
    """Refuses an operation whose token is over, on a socket that stands."""
    gate = store.gate
    if gate and gate.args.check_operations and scope.get("chat.token", token_of_header(scope)) not in gate.tokens:
        raise GraphQLError("The token is over", extensions={"code": "UNAUTHENTICATED"})


class Gate:
    """ASGI wrapper: admin paths, bearer tokens, refusals, kicks, expiry."""

    CLOSES = {"close4403": (4403, "Forbidden"), "close4401": (4401, "Unauthorized")}

    def __init__(self, app, args, store: Store) -> None:
        self.app, self.args, self.store = app, args, store
        store.gate, store.most = self, args.most
        self.tokens = set(args.token or [DEFAULT_TOKEN])
        self.kicks: set[asyncio.Queue] = set()
        self.opened = 0

    # called by each server's connection_init hook; True = let in
    def init_allowed(self, scope, payload) -> bool:
        auth = self.args.auth
        scope["chat.token"] = token_of_payload(payload)
        if auth in ("none", "header"):
            return True
        if auth == "either" and token_of_header(scope) in self.tokens:
            return True
        if token_of_payload(payload) in self.tokens:
            return True
        scope["chat.close"] = self.CLOSES.get(self.args.reject)
        return False

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "http":
            await self.http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.websocket(scope, receive, send)

    # ---- HTTP
    async def http(self, scope, receive, send) -> None:
        path = scope["path"]
        query = {k: v[-1] for k, v in parse_qs(scope["query_string"].decode()).items()}
        if path == "/healthz":
            return await self.answer(send, 200, {"ok": True})
        if path == "/admin/stats":
            return await self.answer(send, 200, {
                "open": len(self.kicks), "opened": self.opened, "posts": self.store.posts,
                "stored": self.store.total, "repeats": self.store.repeats})
        if path == "/admin/say":
            message = self.store.post(query.get("room", "lobby"), query["author"], query["text"])
            return await self.answer(send, 200, {"id": message["id"]})
        if path == "/admin/kick":
            order = (int(query.get("code", "1012")), query.get("reason", "kicked"))
            for queue in list(self.kicks):
                queue.put_nowait(order)
            return await self.answer(send, 200, {"kicked": len(self.kicks)})
        if path == "/admin/answerer":
            self.store.answerer = query["name"]
            return await self.answer(send, 200, {"answerer": self.store.answerer})
        if path == "/admin/texts":
            lines = self.store.rooms.get(query["room"], [])
            return await self.answer(send, 200, [[line["author"], line["text"]] for line in lines])
        if path == "/admin/rotate":
            self.tokens = set(query["token"].split(","))
            return await self.answer(send, 200, {"tokens": len(self.tokens)})
        if self.args.auth != "none" and token_of_header(scope) not in self.tokens:
            return await self.answer(send, 401, {"errors": [{"message": "Unauthorized"}]})
        await self.app(scope, receive, send)

    @staticmethod
    async def answer(send, status: int, body: dict | list) -> None:
        await send({"type": "http.response.start", "status": status,
                    "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": json.dumps(body).encode() + b"\n"})

    # ---- WebSocket
    def header_allowed(self, scope) -> bool:
        token = token_of_header(scope)
        if self.args.auth == "header":
            return token in self.tokens
        if self.args.auth == "either":
            return token is None or token in self.tokens
        return True

    async def refuse(self, scope, receive, send) -> None:
        await receive()  # websocket.connect
        kind = self.args.reject
        if kind in self.CLOSES:
            offered = scope.get("subprotocols") or []
            code, reason = self.CLOSES[kind]
            await send({"type": "websocket.accept", "subprotocol": offered[0] if offered else None})
            await send({"type": "websocket.close", "code": code, "reason": reason})
        elif kind == "http401" and "websocket.http.response" in scope.get("extensions", {}):
            await send({"type": "websocket.http.response.start", "status": 401, "headers": [
                (b"www-authenticate", b'Bearer realm="chat"'), (b"content-type", b"text/plain")]})
            await send({"type": "websocket.http.response.body", "body": b"bad or missing token\n"})
        else:  # http403 (and native): a close before the accept is answered with 403
            await send({"type": "websocket.close", "code": 1008})

    async def websocket(self, scope, receive, send) -> None:
        self.opened += 1
        if not self.header_allowed(scope):
            return await self.refuse(scope, receive, send)
        kicks: asyncio.Queue = asyncio.Queue()
        self.kicks.add(kicks)
        closed = False

        async def gated_send(event) -> None:
            nonlocal closed
            if closed:
                return
            if event["type"] == "websocket.close":
                closed = True
                if scope.get("chat.close"):
                    event["code"], event["reason"] = scope["chat.close"]
            await send(event)

        reading: asyncio.Task | None = None

        async def gated_receive():
            nonlocal reading, closed
            if reading is None:
                reading = asyncio.ensure_future(receive())
            kicked = asyncio.ensure_future(kicks.get())
            done, _ = await asyncio.wait({reading, kicked}, return_when=asyncio.FIRST_COMPLETED)
            if reading in done:
                kicked.cancel()
                event, reading = reading.result(), None
                return event
            code, reason = kicked.result()
            if not closed:
                closed = True
                await send({"type": "websocket.close", "code": code, "reason": reason})
            return {"type": "websocket.disconnect", "code": code}

        timer = None
        if self.args.expire_after:
            order = self.CLOSES.get(self.args.reject, (4403, "Forbidden"))
            timer = asyncio.get_running_loop().call_later(
                self.args.expire_after, kicks.put_nowait, order)
        try:
            await self.app(scope, gated_receive, gated_send)
        except WebSocketDisconnect:
            pass  # the peer left first: nothing worth a traceback
        finally:
            self.kicks.discard(kicks)
            if timer:
                timer.cancel()
            if reading:
                reading.cancel()


# ------------------------------------------------------------------ running
def parser(name: str) -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog=name, description=f"Chat over GraphQL: {name}. Loopback only.")
    p.add_argument("--port", type=int, default=8100, help="0 takes a free one")
    p.add_argument("--token", action="append", help=f"a token that is let in (repeatable; default {DEFAULT_TOKEN})")
    p.add_argument("--auth", choices=["none", "header", "init", "either"], default="none",
                   help="where the bearer token is looked for: handshake header, connection_init payload, or either")
    p.add_argument("--reject", choices=["native", "http401", "http403", "close4403", "close4401"],
                   default="close4403", help="how a bad token is refused (http* need the header; native = as the library does)")
    p.add_argument("--protocols", choices=["both", "transport", "legacy"], default="both")
    p.add_argument("--init-timeout", type=float, default=3.0, help="seconds to wait for connection_init, then 4408")
    p.add_argument("--keep-alive", type=float, default=0.0, help="legacy `ka` interval in seconds; 0 = none")
    p.add_argument("--expire-after", type=float, default=0.0, help="close every socket this long after it opened")
    p.add_argument("--seed", type=int, default=0, help="messages to put in room `general` at the start")
    p.add_argument("--most", type=int, default=1000, help="the most messages in one answer")
    p.add_argument("--check-operations", action="store_true", help="each operation wants a token that is let in now")
    p.add_argument("--inputs", action="store_true", help="postMessage takes one input object, as with Relay")
    p.add_argument("--keep", metavar="FILE", help="messages are kept in FILE and read from it at the start")
    p.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    return p


def seeded(count: int, keep: str | None = None) -> Store:
    store = Store(keep)
    for number in range(1, count + 1):
        store.post("general", "seed", f"line {number}", f"seed-{number}")
    return store


def run(gate: Gate, args) -> None:
    server = uvicorn.Server(uvicorn.Config(
        gate, host="127.0.0.1", port=args.port, log_level="warning",
        lifespan="off", ws_ping_interval=None, timeout_graceful_shutdown=1))

    # Bound here, so that port 0 takes a free one and its number can be told.
    listener = socket.create_server(("127.0.0.1", args.port))
    port = listener.getsockname()[1]

    async def bounded() -> None:
        asyncio.get_running_loop().call_later(
            args.max_seconds, lambda: setattr(server, "should_exit", True))
        print(f"listening on ws://127.0.0.1:{port}/graphql", flush=True)
        await server.serve(sockets=[listener])

    try:
        asyncio.run(bounded())
    except KeyboardInterrupt:
        sys.exit(0)
