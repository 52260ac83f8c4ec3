"""A server that ends lines in its own ways, by path, and says on standard output with which code a client closed."""
from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import struct
import zlib

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MESSAGE = b"a" * ((1 << 20) - 1)
counts: dict[str, int] = {}


def frame(first: int, payload: bytes) -> bytes:
    if len(payload) < 126:
        return bytes([first, len(payload)]) + payload
    return bytes([first, 126]) + struct.pack(">H", len(payload)) + payload


async def receive(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, second = await reader.readexactly(2)
    length = second & 127
    if length == 126:
        (length,) = struct.unpack(">H", await reader.readexactly(2))
    elif length == 127:
        (length,) = struct.unpack(">Q", await reader.readexactly(8))
    mask = await reader.readexactly(4)
    payload = await reader.readexactly(length)
    return first & 15, bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


async def talk(path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if path.startswith("/close/"):
        writer.write(frame(0x88, struct.pack(">H", int(path.removeprefix("/close/"))) + b"so it is"))
    elif path == "/cut":
        return
    elif path == "/bad-frame":
        writer.write(b"\x83\x00")
    elif path == "/compressed":
        deflater = zlib.compressobj(9, 8, -15)
        one = deflater.compress(MESSAGE) + deflater.flush(zlib.Z_SYNC_FLUSH)
        writer.write(frame(0xC1, one[:-4]) * 500)
    elif path == "/pings":
        # Nothing is read until all of it was taken.
        for _ in range(800):
            writer.write(frame(0x89, b"p" * 125) * 500)
            await writer.drain()
        print("all pings were taken", flush=True)
        writer.write(frame(0x89, b"the last"))
        pongs = 0
        while True:
            opcode, payload = await receive(reader)
            pongs += opcode == 10
            if payload == b"the last":
                print(f"answered {pongs}", flush=True)
                break
    elif path == "/flood":
        async def flood() -> None:
            while True:
                writer.write(frame(0x81, b"x" * 60_000))
                await writer.drain()
        task = asyncio.create_task(flood())
    print("open", flush=True)
    while True:
        opcode, payload = await receive(reader)
        if opcode == 8:
            print(f"closed with {struct.unpack('>H', payload[:2])[0] if payload else 1005}", flush=True)
            if path == "/flood":
                task.cancel()
            if path == "/mute":
                await asyncio.sleep(60)
            writer.write(frame(0x88, payload[:2]))
            return
        if opcode == 9 and path != "/mute":
            writer.write(frame(0x8A, payload))


def refusal(path: str, seen: int) -> bytes | None:
    status, fields = 0, ""
    if path == "/retry-after":
        status, fields = 503, "Retry-After: 30\r\n"
    elif path == "/moved":
        status, fields = 302, "Location: /there\r\n"
    elif path.startswith("/in-turn/"):
        # The last of them stays.
        answers = path.removeprefix("/in-turn/").split("/")
        status = int(answers[min(seen, len(answers) - 1)])
    if status == 0:
        return None
    return f"HTTP/1.1 {status} No\r\n{fields}Content-Length: 0\r\n\r\n".encode()


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode()
        seen = counts.get(path, 0)
        counts[path] = seen + 1
        if path == "/nothing":
            return
        if answer := refusal(path, seen):
            writer.write(answer)
            return
        key = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key:"))
        accept = base64.b64encode(hashlib.sha1(key.split(b":")[1].strip() + GUID).digest()).decode()
        extension = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n"
        writer.write((
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n{extension if path == '/compressed' else ''}\r\n").encode())
        await talk(path, reader, writer)
    except (OSError, EOFError) as error:
        print(f"lost: {type(error).__name__}", flush=True)
    finally:
        writer.close()


async def main() -> None:
    parser = argparse.ArgumentParser(prog="ending_server.py", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--max-seconds", type=float, default=600.0, help="stop by itself after this long")
    args = parser.parse_args()
    server = await asyncio.start_server(serve, "127.0.0.1", args.port)
    port = server.sockets[0].getsockname()[1]
    print(f"listening on ws://127.0.0.1:{port}", flush=True)
    await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
