"""A TCP proxy that cuts its connections at points that --seed decides, in the middle of whatever travels.

Each connection may carry between --least and --most bytes, both directions together; then it is aborted. After
--cuts cuts the connections hold. Every cut is printed as `cut N`, and the first that holds as `holds`.
"""
from __future__ import annotations

import argparse
import asyncio
import random
from urllib.parse import urlsplit


class Cutter:
    def __init__(self, args) -> None:
        self.args = args
        self.random = random.Random(args.seed)
        self.cuts = 0
        self.told_holding = False

    def allowance(self) -> int | None:
        """How many bytes the next connection may carry; None for any number."""
        if self.cuts < self.args.cuts:
            return self.random.randint(self.args.least, self.args.most)
        if not self.told_holding:
            self.told_holding = True
            print("holds", flush=True)
        return None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = urlsplit(self.args.target)
        far_reader, far_writer = await asyncio.open_connection(target.hostname, target.port)
        left = self.allowance()

        def abort() -> None:
            writer.transport.abort()
            far_writer.transport.abort()

        async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            nonlocal left
            while data := await source.read(65536):
                if left is not None and len(data) >= left:
                    sink.write(data[:left])
                    if not sink.transport.is_closing():
                        self.cuts += 1
                        print(f"cut {self.cuts}", flush=True)
                    abort()
                    return
                if left is not None:
                    left -= len(data)
                sink.write(data)
                await sink.drain()
            sink.close()

        try:
            await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))
        except (ConnectionError, OSError):
            abort()


async def main() -> None:
    parser = argparse.ArgumentParser(prog="cutting_proxy.py", description=__doc__)
    parser.add_argument("--target", required=True, help="such as ws://127.0.0.1:8101")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cuts", type=int, default=40)
    parser.add_argument("--least", type=int, default=200)
    parser.add_argument("--most", type=int, default=9_000)
    parser.add_argument("--max-seconds", type=float, default=900.0, help="stop by itself after this long")
    args = parser.parse_args()
    server = await asyncio.start_server(Cutter(args).serve, "127.0.0.1", args.port)
    port = server.sockets[0].getsockname()[1]
    print(f"listening on ws://127.0.0.1:{port}{urlsplit(args.target).path}", flush=True)
    await asyncio.sleep(args.max_seconds)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
