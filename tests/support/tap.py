"""A listener on somebody's line: passes on what comes for a table, UDP and TCP, and keeps what the client sent."""

import select
import socket
from threading import Event, Thread
from types import TracebackType
from typing import Self

_HERE = "127.0.0.1"


class Tap:
    """Stands at a port of its own, in a thread of its own, in front of a table on this machine's loopback."""

    def __init__(self, table_port: int) -> None:
        self.captured = b""
        """All that clients sent over TCP, in order."""
        self._table = (_HERE, table_port)
        self._server = socket.create_server((_HERE, 0))
        self.port: int = self._server.getsockname()[1]
        self._near = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._near.bind((_HERE, self.port))
        self._far = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._asker: tuple[str, int] | None = None
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._clients: set[socket.socket] = set()
        self._over = Event()
        self._thread = Thread(target=self._pass_on)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        for one in (self._server, self._near, self._far, *self._pairs):
            one.close()

    def _pass_on(self) -> None:
        while not self._over.is_set():
            everybody = [self._server, self._near, self._far, *self._pairs]
            for ready in select.select(everybody, [], [], 0.05)[0]:
                self._serve(ready)

    def _serve(self, ready: socket.socket) -> None:
        if ready is self._server:
            near, _ = ready.accept()
            far = socket.create_connection(self._table)
            self._pairs |= {near: far, far: near}
            self._clients.add(near)
        elif ready is self._near:
            data, self._asker = ready.recvfrom(2048)
            self._far.sendto(data, self._table)
        elif ready is self._far:
            data, _ = ready.recvfrom(2048)
            if self._asker is not None:
                self._near.sendto(data, self._asker)
        elif ready in self._pairs:
            self._stream(ready)

    def _stream(self, ready: socket.socket) -> None:
        other = self._pairs[ready]
        try:
            data = ready.recv(65536)
            other.sendall(data)
        except OSError:
            data = b""
        if ready in self._clients:
            self.captured += data
        if not data:
            for one in (ready, other):
                self._pairs.pop(one, None)
                one.close()
