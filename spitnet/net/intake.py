"""How much has come by a TCP connection since its last whole frame, and ending a connection that stuffs us.

libzmq bounds each part of a message, not their number, and hands a message over only once all of it is there: a peer that
never ends one would fill this machine's memory. No option of libzmq bounds that. But it names the descriptor of each
connection, and the system counts what comes by it. Linux only: elsewhere nothing is counted and nothing is ended.
"""

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Iterator
from functools import cache
from threading import Lock

CHECK_S = 0.1
"""How often to look. Measured: parts of one byte take 30 MB of memory in that time, four bytes for each that came."""
SILENT_S = 10.0
"""How long a connection that has no seat may bring no frame: a joiner that waits speaks once a second at least."""
STRANGER_BYTES = 64 * 1024
"""What may come between two frames of a connection that has no seat; a handshake takes less than 1 kB."""
OPPONENT_BYTES = 1024 * 1024
"""The same of the opponent's. The longest frame that is ever needed is below 800 bytes."""
# Other programs may send heartbeats where nobody has anything to say: 400 bytes a second.
_IDLE_BYTES_PER_S = 2048
_LINUX = sys.platform == "linux"
_TCP_INFO = 11  # Linux's number; only there does the socket module have a name for it
_RECEIVED = struct.Struct("=128xQ")  # of struct tcp_info: tcpi_bytes_received, since Linux 4.1


class Spare:
    """A descriptor that stands for others, so that connections can be ended when there is none left to be had.

    libzmq may close a connection at any time, and the system gives its descriptor's number to the next that asks for one.
    So each use duplicates the descriptor first. Without a spare one that would fail just when too many are open.
    """

    def __init__(self) -> None:
        """Raises OSError: there is none left now."""
        self._lock = Lock()
        self._nothing = os.open(os.devnull, os.O_RDONLY)
        self._spare = os.dup(self._nothing)

    @contextlib.contextmanager
    def standing_for(self, descriptor: int) -> Iterator[socket.socket]:
        """That connection, which can't become another one meanwhile. Raises OSError: it isn't open."""
        with self._lock:
            os.dup2(descriptor, self._spare, inheritable=False)
            connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=self._spare)
            try:
                yield connection
            finally:
                connection.detach()
                os.dup2(self._nothing, self._spare, inheritable=False)


@cache
def spare() -> Spare:
    """That of this process, which keeps it. Raises OSError."""
    return Spare()


class Intake:
    """What comes by one connection of libzmq's; nothing, once its descriptor is another's."""

    def __init__(self, descriptor: int, now_s: float) -> None:
        self._descriptor = descriptor
        self._identity: int | None = None
        self._heard = False
        self._received = 0
        self.heard_s = now_s
        """When the last whole frame came; at first, when the connection was noticed."""
        self.address = ""
        """The peer's numeric address; empty where it isn't known."""
        with contextlib.suppress(OSError), self._connection() as connection:
            self._identity = os.fstat(connection.fileno()).st_ino
            self.address = str(connection.getpeername()[0])

    def frame(self) -> None:
        """A whole frame came. Cheap: this is said of each."""
        self._heard = True

    def stuffs(self, most: int, now_s: float) -> bool:
        """Whether more than `most` bytes, heartbeats aside, have come since the last whole frame."""
        received = self._count()
        if self._heard:
            self._heard = False
            self.heard_s = now_s
            self._received = received
        return received - self._received > most + _IDLE_BYTES_PER_S * (now_s - self.heard_s)

    def cut(self) -> None:
        """End the connection: libzmq then throws away what it holds of an unfinished message."""
        with contextlib.suppress(OSError), self._connection() as connection:
            connection.shutdown(socket.SHUT_RDWR)

    def _count(self) -> int:
        """All bytes that ever came by it; as before where the system doesn't say."""
        with contextlib.suppress(OSError, struct.error), self._connection() as connection:
            info = connection.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, 256)
            count: int = _RECEIVED.unpack_from(info)[0]
            return count
        return self._received

    @contextlib.contextmanager
    def _connection(self) -> Iterator[socket.socket]:
        """Itself, held on to meanwhile. Raises OSError: it is gone, or this isn't Linux."""
        if not _LINUX:
            raise OSError
        with spare().standing_for(self._descriptor) as connection:
            if self._identity not in (None, os.fstat(connection.fileno()).st_ino):
                raise OSError
            yield connection
