"""A slow way between two machines: relays TCP and UDP of one port to another machine, each direction late.

usage: relay.py PORT HOST DELAY_MS JITTER_MS

Delays are drawn evenly from DELAY ± JITTER, for each piece of data of its own; a stream keeps its order all the same.
Prints {"event": "relaying"} once it listens, and {"event": "relayed", "connections": n} for each connection of a match.
"""

import asyncio
import json
import random
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import cast

Address = tuple[str, int]
PIECE_BYTES = 65536


class Relay:
    def __init__(self, port: int, host: str, delay_s: float, jitter_s: float) -> None:
        self._port = port
        self._host = host
        self._delay_s = delay_s
        self._jitter_s = jitter_s
        self._connections = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    async def run(self) -> None:
        server = await asyncio.start_server(self._connected, "0.0.0.0", self._port)
        await self._loop.create_datagram_endpoint(
            lambda: Near(self), local_addr=("0.0.0.0", self._port)
        )
        say(event="relaying")
        await server.serve_forever()

    def later(self, act: Callable[[], None]) -> None:
        self._loop.call_later(self._draw_s(), act)

    async def ask(self, data: bytes, answer: Callable[[bytes], None]) -> None:
        """Passes a datagram on from a port of its own; what comes back goes to `answer`."""
        await self._loop.create_datagram_endpoint(
            lambda: Far(self, data, answer), remote_addr=(self._host, self._port)
        )

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Does something beside all else."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connected(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            far, forth = await asyncio.open_connection(self._host, self._port)
        except OSError:
            back.close()
            return
        for writer in (back, forth):
            one = writer.get_extra_info("socket")
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections += 1
        say(event="relayed", connections=self._connections)
        await asyncio.gather(self._carry(near, forth), self._carry(far, back))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction: what was read is written late, in its order; an end is passed on as an end."""
        due_s = 0.0
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        self.start(self._deliver(pieces, writer))
        data = b"?"
        while data:
            try:
                data = await reader.read(PIECE_BYTES)
            except OSError:
                data = b""
            due_s = max(due_s, self._loop.time() + self._draw_s())
            pieces.put_nowait((due_s, data))

    async def _deliver(
        self, pieces: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while True:
                due_s, data = await pieces.get()
                await asyncio.sleep(due_s - self._loop.time())
                if not data:
                    break
                writer.write(data)
                await writer.drain()
        writer.close()

    def _draw_s(self) -> float:
        return random.uniform(self._delay_s - self._jitter_s, self._delay_s + self._jitter_s)


class Near(asyncio.DatagramProtocol):
    """Where the joiner asks."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, asker: Address) -> None:
        def answer(back: bytes) -> None:
            if self._transport is not None:
                self._transport.sendto(back, asker)

        self._relay.later(lambda: self._relay.start(self._relay.ask(data, answer)))


class Far(asyncio.DatagramProtocol):
    """One question to the host, until its answer has come."""

    def __init__(self, relay: Relay, data: bytes, answer: Callable[[bytes], None]) -> None:
        self._relay = relay
        self._data = data
        self._answer = answer
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)
        self._transport.sendto(self._data)

    def datagram_received(self, data: bytes, _from: Address) -> None:
        self._relay.later(lambda: self._answer(data))
        if self._transport is not None:
            self._transport.close()


def say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


async def main(port: str, host: str, delay_ms: str, jitter_ms: str) -> None:
    await Relay(int(port), host, int(delay_ms) / 1000, int(jitter_ms) / 1000).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
