"""A way between two programs on one machine that can be cut: everything that goes by it is passed on, until it isn't.

It has a port of its own beside the table's, for TCP and for the questions of discovery. What must not be here: delays
(relay.py).
"""

import selectors
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread

from support.hostile_ends import HERE, free_door

ANSWERED_S = 5.0


class Passage:
    """From `port` to the table's. One thread carries, another cuts."""

    def __init__(self, table_port: int) -> None:
        self._table = (HERE, table_port)
        self._door = free_door()
        self.port: int = self._door.getsockname()[1]
        self._listener = socket.create_server((HERE, self.port))
        self._waker, self._wake = socket.socketpair()
        self._other_end: dict[socket.socket, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._closes = False
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Ends every connection; whoever wants may make another."""
        self._wake.send(b"c")

    def close(self) -> None:
        self._wake.send(b"q")
        self._thread.join()

    def _run(self) -> None:
        for one, act in (
            (self._door, self._ask),
            (self._listener, self._connect),
            (self._waker, self._obey),
        ):
            self._selector.register(one, selectors.EVENT_READ, act)
        while not self._closes:
            for key, _ in self._selector.select():
                key.data()
        for one in (self._door, self._listener, self._waker, self._wake):
            one.close()
        self._selector.close()

    def _obey(self) -> None:
        self._closes = self._waker.recv(1) == b"q"
        while self._other_end:
            self._end(next(iter(self._other_end)))

    def _ask(self) -> None:
        question, asker = self._door.recvfrom(1024)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as far:
            far.settimeout(ANSWERED_S)
            far.connect(self._table)
            with suppress(OSError):
                far.send(question)
                self._door.sendto(far.recv(1024), asker)

    def _connect(self) -> None:
        near, _ = self._listener.accept()
        far = socket.create_connection(self._table)
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._other_end[one] = other
            self._selector.register(one, selectors.EVENT_READ, partial(self._carry, one))

    def _carry(self, one: socket.socket) -> None:
        if one not in self._other_end:
            return  # it has ended since it was told of
        try:
            data = one.recv(65536)
            self._other_end[one].sendall(data)
        except OSError:
            data = b""
        if not data:
            self._end(one)

    def _end(self, one: socket.socket) -> None:
        for each in (one, self._other_end[one]):
            del self._other_end[each]
            self._selector.unregister(each)
            each.close()


@contextmanager
def passage(table_port: int) -> Iterator[Passage]:
    """Open until the test is over."""
    way = Passage(table_port)
    try:
        yield way
    finally:
        way.close()
