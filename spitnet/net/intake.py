"""What the system knows of a TCP connection: how much has come by it that was no frame yet, and how far the peer is; and
ending a connection that is too much for us.

libzmq bounds each part of a message, not their number, and hands a message over only once all of it is there: a peer that
never ends one would fill this machine's memory. Where it bounds what waits to be read it can be made to abort (options.py).
Nor does it bound how many connect. But it names the descriptor of each connection: by that a connection can be ended where
the system is a POSIX one, and Linux counts what comes by it.
"""

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, NamedTuple, TypeVar

if sys.platform != "win32":
    import resource

CHECK_S = 0.1
"""How often to look. Measured: parts of one byte take 30 MB of memory in that time, four bytes for each that came."""
SILENT_S = 10.0
"""How long a connection that has no seat may bring no frame: a joiner that waits speaks once a second at least."""
STRANGER_BYTES = 64 * 1024
"""What may have come by a connection that has no seat and was not taken as a frame; a handshake takes less than 1 kB."""
STRANGER_FRAMES = 1024
"""How many frames it may say from one look to the next: a bound where nothing counts bytes. Who looks on says most."""
OPPONENT_BYTES = 1024 * 1024
"""As the first, of the opponent's. The longest frame that is ever needed is below 800 bytes."""
_POSIX = os.name == "posix"  # elsewhere libzmq's descriptors aren't Python's
# Other programs may send heartbeats: 400 bytes a second.
_IDLE_BYTES_PER_S = 2048
_CURVE_BYTES, _SHORT_BYTES = (
    33,
    255,
)  # what is put around a frame; up to so long, its length takes one byte, else eight
_LINUX = sys.platform == "linux"
_TCP_INFO = 11  # Linux's number; only there does the socket module have a name for it
_Answer = TypeVar("_Answer")
_INFO = struct.Struct("=68xI56xQ12xI")
"""Of struct tcp_info: tcpi_rtt, tcpi_bytes_received, tcpi_min_rtt, the last since Linux 4.6; times in µs."""
_NO_RTT_US = 2**32 - 1
"""What stands for the least round trip before there was one."""


class Spare:
    """A descriptor that stands for others, so that connections can be ended when there is none left to be had.

    libzmq may close a connection at any time, and the system gives its descriptor's number to the next that asks for one.
    So each use duplicates the descriptor first, which would fail just when too many are open, without one to do it with.
    """

    def __init__(self) -> None:
        """Raises OSError: there is none left."""
        self._lock = Lock()
        self._nothing = os.open(os.devnull, os.O_RDONLY)
        self._own = os.dup(self._nothing)

    def stand_for(self, descriptor: int, act: Callable[[socket.socket], _Answer]) -> _Answer:
        """Do something with that connection, which can't become another one meanwhile. Raises OSError: it isn't open."""
        with self._lock:
            os.dup2(descriptor, self._own, inheritable=False)
            try:
                # Of either family: this one only makes room for the longer addresses.
                connection = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0, self._own)
                try:
                    return act(connection)
                finally:
                    connection.detach()
            finally:
                os.dup2(self._nothing, self._own, inheritable=False)


def descriptors() -> int:
    """How many this process may have open at a time, as far as the system says."""
    if sys.platform == "win32":
        return sys.maxsize
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most


class _Identity(NamedTuple):
    """What no other connection has as long as this one stands. Not every system numbers sockets."""

    number: int
    peer: tuple[Any, ...]


@cache
def spare() -> Spare:
    """The one of this process, made at the first call and kept. Raises OSError: there is no descriptor left."""
    return Spare()


class _Info(NamedTuple):
    """`received`: all bytes that ever came by it. `round_trip_s`: the least, by what the peer's system acknowledged."""

    received: int
    round_trip_s: float | None


class Intake:
    """What comes by one connection of libzmq's; nothing, once its descriptor has become another's."""

    def __init__(self, descriptor: int, now_s: float) -> None:
        self._descriptor = descriptor
        self._identity: _Identity | None = None
        self.frames = 0
        """Since the last look."""
        self._looked_s = now_s
        self._taken = 0.0
        self._received = 0
        self.round_trip_s: float | None = None
        """The least that the system knows of; None where it doesn't tell."""
        self.heard_s = now_s
        """When the last whole frame came; at first, when the connection was noticed."""
        self.address = ""
        """The peer's numeric address; empty where it isn't known."""
        with contextlib.suppress(OSError):
            self._identity = _use(descriptor, _identity)
            self.address = str(self._identity.peer[0])
        _, self.round_trip_s = self._look()

    def frame(self, size: int) -> None:
        """A whole frame of that many bytes was taken. Cheap: this is said of each."""
        self.frames += 1
        sealed = size + _CURVE_BYTES
        self._taken += sealed + (2 if sealed <= _SHORT_BYTES else 9)

    def stuffs(self, most: int, now_s: float) -> bool:
        """Look: whether more than `most` bytes, heartbeats aside, have come that were not taken as frames."""
        if self.frames:
            self.frames = 0
            self.heard_s = now_s
        self._received, self.round_trip_s = self._look()
        self._taken += _IDLE_BYTES_PER_S * (now_s - self._looked_s)
        self._taken = min(self._taken, self._received)
        self._looked_s = now_s
        return self._received - self._taken > most

    def cut(self) -> None:
        """End the connection: libzmq then throws away what it holds of an unfinished message."""
        with contextlib.suppress(OSError):
            self._use(lambda connection: connection.shutdown(socket.SHUT_RDWR))

    def _look(self) -> _Info:
        """What the system knows by now; as before where it doesn't say."""
        if _LINUX:
            with contextlib.suppress(OSError):
                return self._use(_info)
        return _Info(self._received, self.round_trip_s)

    def _use(self, act: Callable[[socket.socket], _Answer]) -> _Answer:
        """Do something with it. Raises OSError: it is gone, or nothing is known of it."""

        def same(connection: socket.socket) -> _Answer:
            if self._identity is None or _identity(connection) != self._identity:
                raise ConnectionError
            return act(connection)

        return _use(self._descriptor, same)


def _use(descriptor: int, act: Callable[[socket.socket], _Answer]) -> _Answer:
    """Do something with what is open under this number now. Raises OSError: nothing is, or it can't be known."""
    if not _POSIX:
        raise ConnectionError
    return spare().stand_for(descriptor, act)


def _info(connection: socket.socket) -> _Info:
    """Raises OSError: the system doesn't say."""
    told = connection.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, 256)
    smoothed_us, received, least_us = _INFO.unpack_from(told.ljust(_INFO.size, b"\0"))
    # The least is of the last five minutes, and the handshake's where those hold no other; no time is 0.
    known_us = [each for each in (smoothed_us, least_us) if 0 < each < _NO_RTT_US]
    return _Info(received, min(known_us) / 1e6 if known_us else None)


def _identity(connection: socket.socket) -> _Identity:
    """Raises OSError: it is no connection, or has ended."""
    return _Identity(os.fstat(connection.fileno()).st_ino, connection.getpeername())
